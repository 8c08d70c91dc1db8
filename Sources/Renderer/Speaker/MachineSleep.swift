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
    /// The source that played before the sleep; nil once it plays again or the user has chosen something else.
    var paused: Source?
    /// How often a sleep has interrupted a source.
    var interruptions = 0
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

  /// The actions for the companion `sleep`.
  var actions: SleepActions { SleepActions(prepare: { await self.prepare() }, recover: { await self.recover() }) }

  /// Sets the device host, as soon as it exists.
  func use(_ host: DeviceHost) { state.withLock { $0.host = host } }

  private func prepare() async {
    let paused = await player.pauseForSleep()
    // Without a new one, the old one remains: the machine may sleep again before a recovery has ended.
    if let paused {
      state.withLock { state in
        state.paused = paused
        state.interruptions += 1
      }
    }
    do {
      try store.flush()
    } catch {
      logger.warning("Cannot save the state before the machine sleeps: \(error)")
    }
    await state.withLock(\.host)?.leave()
  }

  private func recover() async {
    let before = state.withLock(\.self)
    await before.host?.comeBack()
    guard let source = before.paused, await resume(source, before.host) else { return }
    // The next sleep may have interrupted it already.
    state.withLock { if $0.interruptions == before.interruptions { $0.paused = nil } }
  }

  /// - Returns: false if it was cancelled before it was certain that the source plays, or that somebody has stopped it.
  private func resume(_ source: Source, _ host: DeviceHost?) async -> Bool {
    let end = ContinuousClock.now + Self.networkTime
    while await host?.interfaces.isEmpty == true, ContinuousClock.now < end {
      guard await Self.waited(.milliseconds(500)) else { return false }
    }
    guard !Task.isCancelled else { return false }
    guard await player.playAfterSleep(source) else { return true }
    for pause in Self.retries {
      guard await Self.waited(pause) else { return await player.wasStopped }
      guard await player.hasFailed, await player.playAfterSleep(source) else { return true }
    }
    return true
  }

  /// - Returns: false if the task was cancelled.
  private static func waited(_ time: Duration) async -> Bool { (try? await Task.sleep(for: time)) != nil }
}

extension Player {
  /// - Returns: the source that played; nil if nothing did.
  fileprivate func pauseForSleep() -> Source? {
    let state = deck().state
    guard state.isActive else { return nil }
    try? pauseOrStop()
    return source
  }

  /// Plays, unless the user has chosen something else meanwhile.
  fileprivate func playAfterSleep(_ source: Source) -> Bool {
    let state = deck().state
    guard source == self.source, !isStandby, state == .paused || state == .stopped else { return false }
    return (try? play()) != nil
  }

  fileprivate var hasFailed: Bool { deck().error != nil }
  fileprivate var wasStopped: Bool { !hasFailed && !deck().state.isActive }
}
