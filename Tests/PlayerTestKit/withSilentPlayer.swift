import Playback
import PlaybackTestKit

/// Runs a player with a `SilentPipeline` during the body.
package func withSilentPlayer(_ body: (PlayerUnderTest, SilentPipeline) async throws -> Void) async throws {
  let pipeline = SilentPipeline()
  try await withPlayer(
    { Player(executor: $0, settings: .init(), pipeline: pipeline, logger: $1) },
    { test in try await body(test, pipeline) })
}
