import Companion
import Logging
import Playback
import PlaybackStore
import PlayerTestKit
import Testing

@testable import Renderer

@Suite struct MachineSleepTests {
  /// Regression: a recovery that was cancelled by the next sleep ended as if the source played, and was forgotten.
  @Test func aSleepDuringARecoveryIsFollowedByAnotherOne() async throws {
    try await withSilentPlayer { test, pipeline in
      let logger = Logger(label: "test")
      let folder = try TemporaryFolder()
      let store = try StateStore(folder: StateFolder(path: folder.path), logger: logger)
      let actions = MachineSleep(player: test.player, store: store, logger: logger).actions
      try await test.play("http://192.0.2.1/a.mp3")
      pipeline.plays()
      await test.wait(for: .playing)
      await actions.prepare()
      let recovery = Task { await actions.recover() }
      await test.wait("the recovery") { $0.state == .playing || $0.state == .transitioning }
      await actions.prepare()
      await test.wait("the second sleep") { $0.state == .paused || $0.state == .stopped }
      recovery.cancel()
      await recovery.value
      let second = Task { await actions.recover() }
      await test.wait("the second recovery") { $0.state == .playing || $0.state == .transitioning }
      second.cancel()
      await second.value
    }
  }
}
