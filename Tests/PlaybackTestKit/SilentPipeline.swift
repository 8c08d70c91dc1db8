import PlaybackModel

/// A pipeline without sound. It records commands and sends the events that the test chooses.
package final class SilentPipeline: Pipeline {
  private struct State {
    var generation = 0
    var current: Track?
    var staged: [Track] = []
    var listing: (request: Int, uri: String)?
    var commands: [PipelineCommand] = []
  }

  private let state = Monitor(State())
  private let continuation: AsyncStream<PipelineEvent>.Continuation
  package let events: AsyncStream<PipelineEvent>
  package var bufferLevel: Duration { .zero }
  package var liveDelay: Duration? { nil }

  package init() { (events, continuation) = AsyncStream.makeStream() }

  package func send(_ command: PipelineCommand) {
    state.update { state in
      state.commands.append(command)
      switch command {
      case .start(let generation, let track, let followers, _, _),
        .seek(let generation, let track, let followers, _, _):
        (state.generation, state.current, state.staged) = (generation, track, followers)
      case .stage(let tracks): state.staged = tracks.after(state.current)
      case .stop(let generation): (state.generation, state.current, state.staged) = (generation, nil, [])
      case .readList(let request, let uri): state.listing = (request, uri)
      case .confirm: continuation.yield(.confirmed)
      default: break
      }
    }
  }

  package func shutdown() async { continuation.finish() }

  // MARK: Commands that it has received

  /// The commands since the last call.
  package func takeCommands() -> [PipelineCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// The track that was started last, or has joined since.
  package var current: Track? { state.withLock(\.current) }
  /// Its followers, in order.
  package var staged: [Track] { state.withLock(\.staged) }
  /// The address of the latest `readList`.
  package var listing: String? { state.withLock(\.listing?.uri) }

  private var generation: Int { state.withLock(\.generation) }

  // MARK: Events

  package func plays(from position: Duration = .zero) {
    continuation.yield(.playing(generation: generation, position: position))
  }

  package func pauses(at position: Duration = .zero) {
    continuation.yield(.paused(generation: generation, position: position))
  }

  package func runsDry(at position: Duration) {
    continuation.yield(.buffering(generation: generation, position: position))
  }

  package func ends() { continuation.yield(.ended(generation: generation)) }

  package func fails(_ error: PlaybackError = .notFound) { continuation.yield(.failed(generation: generation, error)) }

  /// Reports the path of the samples to the device; nil when the device was closed.
  package func routes(_ signal: SignalFacts?) { continuation.yield(.signal(signal)) }

  /// Reports that a track has become audible: the next follower, or one that was just replaced.
  /// - Parameter info: reported first; nil for none.
  package func joins(_ track: Track? = nil, info: StreamInfo? = nil, duration: Duration? = nil) {
    let (generation, track) = state.withLock { state in
      let joined = track ?? state.staged.first
      (state.current, state.staged) = (joined, state.staged.after(joined))
      return (state.generation, joined)
    }
    guard let track else { return }
    reportInfo(info, duration: duration)
    continuation.yield(.trackStarted(generation: generation, trackID: track.id, position: .zero))
  }

  /// Reports properties of the current track.
  package func reportInfo(
    _ info: StreamInfo? = nil, duration: Duration? = nil, title: String? = nil, tags: TrackTags? = nil
  ) {
    guard let track = current else { return }
    if let info { continuation.yield(.streamInfo(trackID: track.id, info)) }
    if let duration { continuation.yield(.duration(trackID: track.id, .declared(duration))) }
    if let title { continuation.yield(.tags(trackID: track.id, TrackTags(title: title, isLive: true))) }
    if let tags { continuation.yield(.tags(trackID: track.id, tags)) }
  }

  /// Reports that the current track is a playlist document with these addresses.
  package func reportPlaylist(_ addresses: [String]) {
    guard let track = current else { return }
    continuation.yield(.listed(trackID: track.id, addresses.map { ListedTrack(address: $0) }))
  }

  /// Answers the latest `readList`.
  package func reportList(_ result: Result<[ListedTrack], PlaybackError>) {
    guard let request = state.withLock({ $0.listing?.request }) else { return }
    continuation.yield(.list(request: request, result))
  }
}
