import CALSA
import Glibc
import Logging
import PlaybackModel
import Synchronization

/// Sets the volume with a sound card's mixer control, on its own thread, since a card may be slow.
///
/// While the card is missing, the volume is applied to the samples, and this class searches for the card every two
/// seconds.
final class HardwareMixer: Sendable {
  private let description: MixerDescription
  private let mailbox: Mailbox
  private let logger: Logger
  private let wanted = Mutex<(level: Level?, isQuitting: Bool)>((nil, false))
  /// Wakes the thread.
  private let wake: Int32

  /// Pause between searches for a missing card.
  private static let retryInterval = Duration.seconds(2)

  /// - Parameter mailbox: receives the gain for the samples, and changes made by other programs.
  init(_ description: MixerDescription, mailbox: Mailbox, logger: Logger) {
    self.description = description
    self.mailbox = mailbox
    self.logger = logger
    wake = swiftlet_eventfd()
    NamedThread.start("mixer") { [self] in run() }
  }

  deinit { close(wake) }

  func set(_ level: Level) {
    wanted.withLock { $0.level = level }
    wakeThread()
  }

  /// Ends the thread. The card keeps its setting.
  func quit() {
    wanted.withLock { $0.isQuitting = true }
    wakeThread()
  }

  private func wakeThread() { eventfd_write(wake, 1) }

  // MARK: On the mixer thread

  private struct State {
    var machine = MixerMachine()
    var control: ALSAMixerControl?
    /// When to search for the card; nil once it is known to have no such control.
    var nextLook: ContinuousClock.Instant? = .now
    /// Whether the problem was logged.
    var hasReported = false
  }

  private func run() {
    var state = State()
    while true {
      let (level, isQuitting) = wanted.withLock { wanted in
        defer { wanted.level = nil }
        return wanted
      }
      if isQuitting { return }
      if let level { perform(state.machine.set(level), &state) }
      look(&state)
      guard waitForCard(state), let control = state.control else { continue }
      if control.handleEvents(), let position = control.position {
        perform(state.machine.moved(to: position), &state)
      } else {
        lose(&state)
      }
    }
  }

  /// Searches for the card if a search is due.
  private func look(_ state: inout State) {
    guard state.control == nil, let time = state.nextLook, time <= .now else { return }
    do throws(ALSAMixerControl.Failure) {
      let control = try ALSAMixerControl(description)
      guard let position = control.position else { throw .unavailable(ENODEV) }
      logger.info("\(description) sets the volume")
      state.control = control
      state.hasReported = false
      perform(state.machine.found(control.scale, at: position), &state)
    } catch {
      report(error.sentence(description), &state)
      state.nextLook = error.isTemporary ? .now + Self.retryInterval : nil
    }
  }

  private func lose(_ state: inout State) {
    state.control = nil
    state.nextLook = .now + Self.retryInterval
    report("The mixer of \(description.device) is gone", &state)
    perform(state.machine.lost(), &state)
  }

  private func report(_ sentence: String, _ state: inout State) {
    if !state.hasReported { logger.warning("\(sentence): the volume is set in the samples") }
    state.hasReported = true
  }

  /// Waits for events of the card, a wake-up or the next search.
  /// - Returns: whether the card has events.
  private func waitForCard(_ state: State) -> Bool {
    var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)] + (state.control?.descriptors ?? [])
    var timeout: Int32 = -1
    if state.control == nil, let time = state.nextLook {
      timeout = Int32(clamping: ContinuousClock.now.duration(to: time).nanoseconds / 1_000_000 + 1)
    }
    guard poll(&descriptors, nfds_t(descriptors.count), max(timeout, -1)) > 0 else { return false }
    var count: eventfd_t = 0
    eventfd_read(wake, &count)
    return descriptors.dropFirst().contains { $0.revents != 0 }
  }

  private func perform(_ actions: [MixerMachine.Action], _ state: inout State) {
    for action in actions {
      switch action {
      case .move(let position):
        guard let control = state.control, control.move(to: position), let reached = control.position else {
          lose(&state)
          return
        }
        state.machine.settled(at: reached)
      case .samples(let gain, let isMuted):
        let revision = state.machine.level.revision
        mailbox.post(.mixer(.samples(revision: revision, gain: gain, isMuted: isMuted)))
      case .tell(let level): mailbox.post(.mixer(.moved(level)))
      }
    }
  }
}
