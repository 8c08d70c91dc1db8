import Playback
import ServiceLifecycle

/// The player, for as long as the program runs.
struct PlayerService: Service {
  let player: Player

  func run() async {
    await withTaskGroup { group in
      group.addTask { await player.run() }
      try? await gracefulShutdown()
      await player.shutdown()
    }
  }
}
