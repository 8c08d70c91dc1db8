import Logging
import NIOCore
import Playback
import ServiceLifecycle

/// The watchdog, for as long as the program runs.
struct WatchdogService: Service {
  let eventLoop: any EventLoop
  let player: Player
  let manager: ServiceManager
  /// How long the manager waits for a sign of life.
  let limit: Duration
  let logger: Logger

  func run() async throws {
    let watchdog = try await eventLoop.submit {
      NIOLoopBound(
        Watchdog(eventLoop: eventLoop, player: player, manager: manager, logger: logger), eventLoop: eventLoop)
    }.get()
    // Half of it, as sd_watchdog_enabled(3) recommends.
    let checks = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: TimeAmount(limit / 2)) { _ in
      watchdog.value.check()
    }
    try? await gracefulShutdown()
    checks.cancel()
  }
}
