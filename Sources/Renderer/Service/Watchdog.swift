import Logging
import NIOCore
import Playback

/// Gives the service manager a sign of life, as long as there is life: the event loop runs, which asks; the pipeline's
/// thread answers, after all that it was told before; and the loop hears of it. Whatever hangs, the sign is not given.
///
/// Lives on the event loop.
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

  /// To be called every half of the time that may pass without a sign.
  func check() {
    guard !isWaiting.value else {
      if !hasWarned { logger.error("The sound pipeline hangs: the service manager is given no more signs of life") }
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
