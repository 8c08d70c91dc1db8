import Synchronization

@testable import PlaybackModel

/// A pipeline without sound. It records commands and sends the events that the test chooses.
final class FakePipeline: Pipeline {
  private struct State {
    var generation = 0
    var current: Track?
    var next: [Track] = []
    var listing: (request: Int, uri: String)?
  }

  private let state = Mutex(State())
  private let continuation: AsyncStream<PipelineEvent>.Continuation
  let events: AsyncStream<PipelineEvent>
  var bufferLevel: Duration { .zero }

  init() { (events, continuation) = AsyncStream.makeStream() }

  func send(_ command: PipelineCommand) {
    state.withLock { state in
      switch command {
      case .start(let generation, let track, let followers, _, _),
        .seek(let generation, let track, let followers, _, _):
        (state.generation, state.current, state.next) = (generation, track, followers)
      case .stage(let tracks): state.next = tracks.after(state.current)
      case .stop(let generation): (state.generation, state.current, state.next) = (generation, nil, [])
      case .confirm: continuation.yield(.confirmed)
      case .readList(let request, let uri): state.listing = (request, uri)
      case .pause, .resume, .releaseDevice, .setLevel, .setBalance, .setReplayGain, .setOutput, .setTimes: break
      }
    }
  }

  func shutdown() async { continuation.finish() }

  /// Reports that the current track plays.
  func plays(from position: Duration = .zero) {
    continuation.yield(.playing(generation: generation, position: position))
  }

  func pauses(at position: Duration) { continuation.yield(.paused(generation: generation, position: position)) }

  func runsDry(at position: Duration) { continuation.yield(.buffering(generation: generation, position: position)) }

  func ends() { continuation.yield(.ended(generation: generation)) }

  func fails(_ error: PlaybackError) { continuation.yield(.failed(generation: generation, error)) }

  /// Reports properties of the current track.
  func reportInfo(
    _ info: StreamInfo? = nil, duration: Duration? = nil, title: String? = nil, tags: TrackTags? = nil
  ) {
    guard let track = state.withLock(\.current) else { return }
    if let info { continuation.yield(.streamInfo(trackID: track.id, info)) }
    if let duration { continuation.yield(.duration(trackID: track.id, .declared(duration))) }
    if let title { continuation.yield(.tags(trackID: track.id, TrackTags(title: title, isLive: true))) }
    if let tags { continuation.yield(.tags(trackID: track.id, tags)) }
  }

  /// Reports that the current track is a playlist document with these addresses.
  func reportPlaylist(_ addresses: [String]) {
    guard let track = state.withLock(\.current) else { return }
    continuation.yield(.listed(trackID: track.id, addresses.map { ListedTrack(address: $0) }))
  }

  /// Answers the latest `readList`.
  func reportList(_ result: Result<[ListedTrack], PlaybackError>) {
    guard let request = state.withLock({ $0.listing?.request }) else { return }
    continuation.yield(.list(request: request, result))
  }

  /// Starts the next track: reports its properties, then that it has become audible.
  func startNext(_ info: StreamInfo, duration: Duration?) {
    let track = state.withLock { state in
      state.current = state.next.first
      state.next = Array(state.next.dropFirst())
      return state.current
    }
    guard let track else { return }
    reportInfo(info, duration: duration)
    continuation.yield(.trackStarted(generation: generation, trackID: track.id, position: .zero))
  }

  /// The track that was started last.
  var current: Track? { state.withLock(\.current) }
  /// The address of the latest `readList`.
  var listing: String? { state.withLock(\.listing?.uri) }
  /// The track that follows the current one.
  var staged: Track? { state.withLock(\.next.first) }

  private var generation: Int { state.withLock(\.generation) }
}
