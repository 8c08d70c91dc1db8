import Playback
import ServiceLifecycle

/// The player, for as long as the program runs.
struct PlayerService: Service {
  let player: Player
  /// What changes while it runs.
  let changes: AsyncStream<Configuration>

  func run() async {
    await withTaskGroup { group in
      group.addTask { await player.run() }
      group.addTask {
        for await configuration in changes.cancelOnGracefulShutdown() {
          await player.setVolumeLimit(configuration.maximumVolume)
          await player.setReplayGain(configuration.replayGain)
        }
      }
      try? await gracefulShutdown()
      await player.shutdown()
    }
  }
}
