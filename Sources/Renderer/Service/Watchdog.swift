import Logging
import NIOCore
import Playback
import ServiceLifecycle

/// Runs the watchdog while the program runs.
struct WatchdogService: Service {
  let eventLoop: any EventLoop
  let player: Player
  let manager: ServiceManager
  /// The manager's timeout.
  let limit: Duration
  let logger: Logger

  func run() async throws {
    let watchdog = try await eventLoop.submit {
      NIOLoopBound(
        Watchdog(eventLoop: eventLoop, player: player, manager: manager, logger: logger), eventLoop: eventLoop)
    }.get()
    // Half the timeout, as sd_watchdog_enabled(3) recommends.
    let checks = eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: TimeAmount(limit / 2)) { _ in
      watchdog.value.check()
    }
    try? await gracefulShutdown()
    checks.cancel()
  }
}

/// Sends a sign of life when a check has gone from the event loop through the pipeline's queue and back. If either hangs,
/// the service manager restarts the program.
///
/// Used on the event loop.
final class Watchdog {
  private let eventLoop: any EventLoop
  private let player: Player
  private let manager: ServiceManager
  private let logger: Logger
  private let isWaiting: NIOLoopBoundBox<Bool>
  private var hasWarned = false

  init(eventLoop: any EventLoop, player: Player, manager: ServiceManager, logger: Logger) {
    self.eventLoop = eventLoop
    self.player = player
    self.manager = manager
    self.logger = logger
    isWaiting = NIOLoopBoundBox(false, eventLoop: eventLoop)
  }

  /// Starts a check, unless one is still running. Call it twice per timeout.
  func check() {
    guard !isWaiting.value else {
      if !hasWarned {
        logger.error("The sound pipeline hangs. Unless it recovers, the service manager restarts Swiftlet.")
      }
      hasWarned = true
      return
    }
    hasWarned = false
    isWaiting.value = true
    let answered: @Sendable () -> Void = { [isWaiting, manager] in
      isWaiting.value = false
      manager.notify(.watchdog)
    }
    player.immediately { $0.confirm(answered) }
  }
}
