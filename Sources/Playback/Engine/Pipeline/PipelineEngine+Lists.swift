import PlaybackModel

/// Play lists: what a source has delivered in place of sound, and those that are asked for by themselves.
extension PipelineEngine {
  /// Opens the address as a track that nobody hears: what comes of that is either sound, or the text of a list.
  func readList(request: Int, uri: String) {
    listing?.source.dispose()
    listing = nil
    do throws(PlaybackError) {
      listing = (request, try open(Track(id: 0, uri: uri), at: .zero))
      timers[.list] = .now + settings.openTimeout
    } catch {
      report(.list(request: request, .failure(error)))
    }
  }

  /// Says what was found, if anything is asked for.
  func finishListing(_ result: Result<[ListedTrack], PlaybackError>) {
    guard let (request, source) = listing else { return }
    listing = nil
    timers[.list] = nil
    source.dispose()
    report(.list(request: request, result))
  }

  /// The list that a source has delivered, as far as it has come; nil if it is none.
  func list(of source: TrackSource) -> PlaylistDocument? {
    guard !source.isPrerolled else { return nil }
    return PlaylistDocument(source.document?.bytes ?? source.context.head, base: source.track.uri)
  }

  /// A list of which only the beginning is there is read once more, as a document.
  /// - Returns: whether it is, and `handle(_:ofDocumentOf:)` goes on with it.
  func readsOn(_ source: TrackSource) -> Bool {
    guard source.document == nil else { return false }
    source.document = ByteSource(uri: source.track.uri, settings: settings, mailbox: mailbox)
    return source.document != nil
  }

  func handle(_ event: SourceEvent, ofDocumentOf source: TrackSource) {
    switch event {
    // What was found wrong with the track at first holds for what has come of it now.
    case .documentEnded, .failed: if let error = source.failure { failed(source, error) }
    default: break
    }
  }
}
