import Companion
import DeviceStack
import Logging
import Playback
import PlaybackModel
import PlaybackStore
import Synchronization

/// Prepares the speaker before the machine sleeps, and recovers it after the machine wakes.
final class MachineSleep: Sendable {
  /// The pauses between attempts to play after the wake-up. A stream may be unreachable at first, because Wi-Fi needs
  /// seconds.
  private static let retries: [Duration] = [.seconds(2), .seconds(4), .seconds(8), .seconds(16)]
  /// How long to wait for a network before playing.
  private static let networkTime = Duration.seconds(60)

  private struct State {
    var host: DeviceHost?
    /// The source that played before the sleep.
    var paused: Source?
  }

  private let player: Player
  private let store: StateStore
  private let logger: Logger
  private let state = Mutex(State())

  init(player: Player, store: StateStore, logger: Logger) {
    self.player = player
    self.store = store
    self.logger = logger
  }

  /// The functions for the companion `sleep`.
  var hooks: SleepHooks { SleepHooks(prepare: { await self.prepare() }, recover: { await self.recover() }) }

  /// Sets the device host, as soon as it exists.
  func use(_ host: DeviceHost) { state.withLock { $0.host = host } }

  private func prepare() async {
    let paused = await player.pauseForSleep()
    state.withLock { $0.paused = paused }
    do {
      try store.flush()
    } catch {
      logger.warning("The state could not be saved before the sleep: \(error)")
    }
    await state.withLock(\.host)?.leave()
  }

  private func recover() async {
    let (host, source) = state.withLock { state in
      defer { state.paused = nil }
      return (state.host, state.paused)
    }
    await host?.comeBack()
    guard let source else { return }
    let end = ContinuousClock.now + Self.networkTime
    while await host?.interfaces.isEmpty == true, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(500))
    }
    guard await player.playAfterSleep(source) else { return }
    for pause in Self.retries {
      try? await Task.sleep(for: pause)
      guard await player.hasFailed, await player.playAfterSleep(source) else { return }
    }
  }
}

extension Player {
  /// - Returns: the source that played; nil if nothing did.
  fileprivate func pauseForSleep() -> Source? {
    let state = deck().state
    guard state == .playing || state == .transitioning else { return nil }
    try? pauseOrStop()
    return source
  }

  /// Plays, unless somebody has chosen something else meanwhile.
  fileprivate func playAfterSleep(_ source: Source) -> Bool {
    let state = deck().state
    guard source == self.source, !isStandby, state == .paused || state == .stopped else { return false }
    return (try? play()) != nil
  }

  fileprivate var hasFailed: Bool { deck().error != nil }
}
