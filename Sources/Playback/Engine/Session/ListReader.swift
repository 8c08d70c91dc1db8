import PlaybackModel

/// Reads playlists independently of playback: opens the address as a track that is never heard, and finds out whether
/// it is a list or sound.
///
/// Used on the pipeline's thread only.
final class ListReader {
  typealias Instant = ContinuousClock.Instant

  private struct Request {
    let number: Int
    let source: TrackSource
    let deadline: Instant
  }

  private let opener: SourceOpener
  private let report: (PipelineEvent) -> Void
  private var request: Request?

  init(opener: SourceOpener, report: @escaping (PipelineEvent) -> Void) {
    self.opener = opener
    self.report = report
  }

  /// Reads a playlist. A newer request replaces an older one.
  func read(_ uri: String, request number: Int) {
    cancel()
    do throws(PlaybackError) {
      let source = try opener.open(Track(id: 0, uri: uri))
      request = Request(number: number, source: source, deadline: .now + opener.settings.openTimeout)
    } catch {
      report(.list(request: number, .failure(error)))
    }
  }

  func cancel() {
    request?.source.dispose()
    request = nil
  }

  /// When `handleDeadline` is to be called next.
  var deadline: Instant? { request?.deadline }

  func handleDeadline(now: Instant) {
    if let deadline, deadline <= now { finish(.failure(.timedOut)) }
  }

  /// - Returns: false if the event is not one of the reader's source.
  func handle(_ event: SourceEvent, of id: Int) -> Bool {
    guard let source = request?.source, source.owns(id) else { return false }
    switch source.handle(event, from: id) {
    case .prerolled: finish(.success([ListedTrack(address: source.track.uri)]))
    case .failed(let failure):
      if failure.cause == .rangeIgnored { _ = opener.noteWithoutRanges(source.track.uri) }
      if case .error(let error) = source.diagnose(failure) { fail(source, error) }
    case .documentRead(let error): fail(source, error)
    default: break
    }
    return true
  }

  private func fail(_ source: TrackSource, _ error: PlaybackError) {
    switch source.fail(error) {
    case .readsDocument: break
    case .list(let tracks): finish(.success(tracks))
    case .noList: finish(.failure(error))
    }
  }

  private func finish(_ result: Result<[ListedTrack], PlaybackError>) {
    guard let number = request?.number else { return }
    cancel()
    report(.list(request: number, result))
  }
}
