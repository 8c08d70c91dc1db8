import Playback
import PlaybackModel

/// A pipeline without sound. It records commands and sends the events that the test chooses.
package final class SilentPipeline: Pipeline {
  private struct State {
    var generation = 0
    var sounding: Track?
    var staged: [Track] = []
    var commands: [PipelineCommand] = []
  }

  private let state = Monitor(State())
  private let continuation: AsyncStream<PipelineEvent>.Continuation
  package let events: AsyncStream<PipelineEvent>
  package var bufferLevel: Duration { .zero }

  package init() { (events, continuation) = AsyncStream.makeStream() }

  package func send(_ command: PipelineCommand) {
    state.update { state in
      state.commands.append(command)
      switch command {
      case .start(let generation, let track, let followers, _, _),
        .seek(let generation, let track, let followers, _, _):
        (state.generation, state.sounding, state.staged) = (generation, track, followers)
      case .stage(let tracks): state.staged = tracks.after(state.sounding)
      case .stop(let generation): (state.generation, state.sounding, state.staged) = (generation, nil, [])
      default: break
      }
    }
  }

  package func shutdown() async { continuation.finish() }

  /// The commands since the last call.
  package func takeCommands() -> [PipelineCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  package var sounding: Track? { state.withLock(\.sounding) }
  /// The followers, in order.
  package var staged: [Track] { state.withLock(\.staged) }

  package func plays() { continuation.yield(.playing(generation: generation, position: .zero)) }

  package func ends() { continuation.yield(.ended(generation: generation)) }

  package func pauses() { continuation.yield(.paused(generation: generation, position: .zero)) }

  /// Reports the path of the samples to the device; nil when the device was closed.
  package func routes(_ signal: SignalFacts?) { continuation.yield(.signal(signal)) }

  package func fails(_ error: PlaybackError = .notFound) { continuation.yield(.failed(generation: generation, error)) }

  /// Reports that a track has become audible: the next follower, or one that was just replaced.
  package func joins(_ track: Track? = nil) {
    let (generation, track) = state.withLock { state in
      let joined = track ?? state.staged.first
      (state.sounding, state.staged) = (joined, state.staged.after(joined))
      return (state.generation, joined)
    }
    if let track { continuation.yield(.trackStarted(generation: generation, trackID: track.id, position: .zero)) }
  }

  private var generation: Int { state.withLock(\.generation) }
}

/// Runs a player with a `SilentPipeline` during the body.
package func withSilentPlayer(_ body: (PlayerUnderTest, SilentPipeline) async throws -> Void) async throws {
  let pipeline = SilentPipeline()
  try await withPlayer(
    { Player(executor: $0, settings: .init(), pipeline: pipeline, logger: $1) },
    { test in try await body(test, pipeline) })
}
