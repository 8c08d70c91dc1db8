import Logging
import PlaybackModel

/// Owns the sources: opens them, handles their events and diagnoses their failures. Also reads playlists.
///
/// The sources are those of the lineup, and one for a playlist that is read independently of playback.
final class SourcePool {
  typealias Instant = ContinuousClock.Instant

  enum Event {
    /// Facts about the source have changed.
    case changed(TrackSource)
    case gainChanged
    case filled(TrackSource)
    case low(TrackSource)
    case decodedToEnd(TrackSource)
    case failed(TrackSource, PlaybackError)
    /// The server ignored a range request. If this cannot be handled, call `failed`.
    case rangeRefused(TrackSource, ElementFailure)
    /// The stream ends before the requested position.
    case positionBeyondEnd(TrackSource)
    /// A seek in a track failed.
    case seekFailed(TrackSource)
    /// A track turned out to be a playlist.
    case listed(trackID: Int, [ListedTrack])
    case list(request: Int, Result<[ListedTrack], PlaybackError>)
  }

  var lineup = Lineup<TrackSource>()
  private var settings: PlayerSettings
  private let mailbox: Mailbox
  private let logger: Logger
  private var rangeless = RangelessAddresses()
  private var listing: Listing?

  /// A playlist that is read independently of playback: its address is opened as a track that is never heard.
  private struct Listing {
    let request: Int
    let source: TrackSource
    let deadline: Instant
  }

  init(settings: PlayerSettings, mailbox: Mailbox, logger: Logger) {
    self.settings = settings
    self.mailbox = mailbox
    self.logger = logger
  }

  /// Opens a track. Returns at once.
  func open(_ track: Track, at position: Duration = .zero) throws(PlaybackError) -> TrackSource {
    try TrackSource(
      track: track, start: position, isWithoutRanges: rangeless.contains(track.uri), settings: settings,
      mailbox: mailbox)
  }

  /// Replaces a source that delivered nothing by a new one for the same track.
  func reopen(_ former: TrackSource) throws(PlaybackError) -> TrackSource {
    former.dispose()
    let source = try open(former.track, at: former.start)
    source.facts.formerBeginning = former.facts.formerBeginning
    return source
  }

  /// Opens another source for a track where the decoded sound of the broken one ends.
  func openContinuation(of broken: TrackSource) throws(PlaybackError) -> TrackSource {
    // A live stream ignores the position.
    let source = try open(broken.track, at: max(broken.end, broken.start))
    source.facts.replayGainSettings = broken.facts.replayGainSettings
    source.facts.formerBeginning = broken.facts.beginning
    source.facts.isContinuation = true
    return source
  }

  /// Opens the next follower ahead of time, if it is due.
  func openNextFollower() {
    let track = lineup.trackToOpen(limit: settings.bufferDepth / 2, bytes: settings.bufferBytes / 2)
    if let track { lineup.opened(try? open(track)) }
  }

  /// Disposes of sources that the lineup has removed.
  func dispose(_ sources: [TrackSource]) {
    for source in sources { source.dispose() }
  }

  func disposeOfAll() {
    dispose(lineup.removeAll())
    listing?.source.dispose()
    listing = nil
  }

  /// Sets ReplayGain for tracks that the feeder has not reached.
  func setReplayGain(_ replayGain: ReplayGainSettings) {
    settings.replayGain = replayGain
    for source in lineup.stagedSources {
      source.facts.replayGainSettings = replayGain
      source.facts.readEndIfWanted()
    }
  }

  /// Sets the buffer depth of sources that are opened from now on.
  func setBufferDepth(_ depth: Duration) { settings.bufferDepth = depth }

  /// The gain of each track. It is known before the first sample, since tags come first.
  var trackGains: [Int: Double?] {
    let gains = lineup.sources.map { ($0.track.id, $0.facts.replayGainSettings.factor(for: $0.facts.replayGain)) }
    return Dictionary(gains, uniquingKeysWith: { $1 })
  }
}

// MARK: - Events

extension SourcePool {
  /// - Parameter id: of a source, or of a document or part of a file that is read for a source.
  func handle(_ event: SourceEvent, of id: Int) -> [Event] {
    for source in lineup.sources + [listing?.source].compactMap(\.self) {
      if source.id == id { return handle(event, of: source) }
      if source.document?.id == id { return handle(event, ofDocumentOf: source) }
      if source.part?.id == id { return handle(event, ofPartOf: source) }
    }
    return []
  }

  private func handle(_ event: SourceEvent, of source: TrackSource) -> [Event] {
    switch event {
    case .prerolled:
      source.prerolled()
      let isListing = source === listing?.source
      return (isListing ? finishListing(.success([ListedTrack(address: source.track.uri)])) : []) + [.changed(source)]
    case .filled(let request): return source.filled(request: request) ? [.filled(source)] : []
    case .low: return [.low(source)]
    case .decodedToEnd:
      source.decodedToEnd()
      return [.changed(source), .decodedToEnd(source)]
    case .durationChanged:
      source.facts.readDuration()
      return [.changed(source)]
    case .outlived:
      source.outlived()
      return [.changed(source)]
    case .tags(let tags):
      source.facts.add(tags)
      return (tags.replayGain != nil ? [.gainChanged] : []) + [.changed(source)]
    case .failed(let failure):
      logger.debug("source \(source.id): \(failure.message) [\(failure.debug)]")
      // Later failures are consequences of the first one.
      guard source.failure == nil, !source.hasReachedEnd else { return [] }
      if failure.cause == .rangeIgnored, rangeless.insert(source.track.uri) { return [.rangeRefused(source, failure)] }
      return failed(source, failure)
    // Only `document` posts this event.
    case .documentEnded: return []
    // The failure was set when the beginning of the document was read.
    case .documentRead: return source.failure.map { failed(source, $0) } ?? []
    }
  }

  private func handle(_ event: SourceEvent, ofPartOf source: TrackSource) -> [Event] {
    switch event {
    case .documentEnded, .failed:
      if source.partEnded() { return [.gainChanged] }
      return source === lineup.current ? [.seekFailed(source)] : failed(source, .truncated)
    default: return []
    }
  }

  private func handle(_ event: SourceEvent, ofDocumentOf source: TrackSource) -> [Event] {
    switch event {
    // The failure was set when the beginning of the document was read.
    case .documentEnded, .failed: source.failure.map { failed(source, $0) } ?? []
    default: []
    }
  }

  // MARK: Failures

  func failed(_ source: TrackSource, _ failure: ElementFailure) -> [Event] {
    // The server announced too large a length, and now refuses the range beyond the true end (RFC 9110 §15.5.17).
    if failure.httpStatus == 416, source !== lineup.continuation {
      if source.isPrerolled {
        source.hasReachedEnd = true
        return source.isSeeking ? [.positionBeyondEnd(source)] : []
      }
      // On a fast network the end comes before the first sound, and a pipeline with an error may not preroll.
      if source.context.hasReceived { return failed(source, .truncated) }
    }
    if let error = PlaybackError(source: failure) {
      // A server that was there before is treated like a broken stream.
      if failure.cause != nil, source.context.hasReceived, error.isServerAbsent { return failed(source, .truncated) }
      return failed(source, error == .notAudio && !source.context.hasReceived ? .empty : error)
    }
    return failed(source, source.isPrerolled ? .truncated : .notAudio)
  }

  private func failed(_ source: TrackSource, _ error: PlaybackError) -> [Event] {
    source.failure = error
    // Read this first: more data may arrive at any moment.
    let isWhole = source.context.isHeadComplete
    let list = error == .notAudio || error.isUnsupportedFormat ? list(of: source) : nil
    if list != nil, !isWhole, source.readDocument() { return [] }
    if source === listing?.source { return finishListing(list.map { .success($0.tracks) } ?? .failure(error)) }
    guard source !== lineup.continuation, let list else { return [.failed(source, error)] }
    let listed = Event.listed(trackID: source.track.id, list.tracks)
    return source === lineup.current ? [listed] : [listed, .failed(source, error)]
  }
}

// MARK: - Playlists

extension SourcePool {
  /// Reads a playlist. A newer request replaces an older one.
  func readList(request: Int, uri: String) -> [Event] {
    listing?.source.dispose()
    listing = nil
    do throws(PlaybackError) {
      let source = try open(Track(id: 0, uri: uri))
      listing = Listing(request: request, source: source, deadline: .now + settings.openTimeout)
      return []
    } catch {
      return [.list(request: request, .failure(error))]
    }
  }

  /// When `handleDeadline` is to be called next.
  var deadline: Instant? { listing?.deadline }

  func handleDeadline(now: Instant) -> [Event] {
    guard let deadline, deadline <= now else { return [] }
    return finishListing(.failure(.timedOut))
  }

  private func finishListing(_ result: Result<[ListedTrack], PlaybackError>) -> [Event] {
    guard let listing else { return [] }
    self.listing = nil
    listing.source.dispose()
    return [.list(request: listing.request, result)]
  }

  /// The playlist in the bytes received so far; nil if they are not a playlist.
  private func list(of source: TrackSource) -> PlaylistDocument? {
    guard !source.isPrerolled else { return nil }
    return PlaylistDocument(source.document?.bytes ?? source.context.head, base: source.track.uri)
  }
}
