import CALSA
import CLinux
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
  private let wanted = Mutex(Wanted())
  /// An eventfd that wakes the thread.
  private let wake: Int32

  /// What the thread is to do next.
  private struct Wanted {
    var level: Level?
    var announcement: Announcement?
    var isQuitting = false
  }

  private struct Announcement {
    /// Its volume, of 0…100; nil when it is over.
    var step: Int?
    /// Time until softer samples are heard.
    var delay: Duration
  }

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

  /// Makes the card louder for an announcement, or soft as before.
  /// - Parameters:
  ///   - step: the announcement's volume, of 0…100; nil when it is over.
  ///   - delay: time until softer samples are heard.
  func announce(_ step: Int?, delay: Duration = .zero) {
    wanted.withLock { $0.announcement = Announcement(step: step, delay: delay) }
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
    var nextSearch: ContinuousClock.Instant? = .now
    var hasLogged = false
    /// Time until softer samples are heard.
    var delay = Duration.zero
    /// When to make the card louder.
    var raise: (position: MixerMachine.Position, time: ContinuousClock.Instant)?
    /// What the card was set to before that.
    var former: ALSAMixerControl.Setting?
  }

  private func run() {
    var state = State()
    while true {
      let wanted = wanted.withLock { wanted in
        defer { (wanted.level, wanted.announcement) = (nil, nil) }
        return wanted
      }
      if wanted.isQuitting {
        perform(state.machine.announce(nil), &state)
        return
      }
      if let level = wanted.level { perform(state.machine.set(level), &state) }
      if let announcement = wanted.announcement {
        state.delay = announcement.delay
        perform(state.machine.announce(announcement.step), &state)
      }
      searchIfDue(&state)
      raiseIfDue(&state)
      guard waitForCard(state), let control = state.control else { continue }
      if control.handleEvents(), let position = control.position {
        perform(state.machine.moved(to: position), &state)
      } else {
        lose(&state)
      }
    }
  }

  private func searchIfDue(_ state: inout State) {
    guard state.control == nil, let time = state.nextSearch, time <= .now else { return }
    do throws(ALSAMixerControl.Failure) {
      let control = try ALSAMixerControl(description)
      guard let position = control.position else { throw .unavailable(ENODEV) }
      logger.info("\(description) sets the volume")
      state.control = control
      state.hasLogged = false
      perform(state.machine.found(control.scale, at: position), &state)
    } catch {
      logOnce(error.sentence(description), &state)
      state.nextSearch = error.isTemporary ? .now + Self.retryInterval : nil
    }
  }

  private func raiseIfDue(_ state: inout State) {
    guard let raise = state.raise, raise.time <= .now else { return }
    if state.former == nil { state.former = state.control?.setting }
    perform([.move(raise.position)], &state)
  }

  private func lose(_ state: inout State) {
    (state.control, state.raise, state.former) = (nil, nil, nil)
    state.nextSearch = .now + Self.retryInterval
    logOnce("The mixer of \(description.device) was lost", &state)
    perform(state.machine.lost(), &state)
  }

  private func logOnce(_ sentence: String, _ state: inout State) {
    if !state.hasLogged { logger.warning("\(sentence); the volume is applied to the samples instead") }
    state.hasLogged = true
  }

  /// Waits for events of the card, a wake-up or the next search.
  /// - Returns: whether the card has events.
  private func waitForCard(_ state: State) -> Bool {
    var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)] + (state.control?.descriptors ?? [])
    var timeout: Int32 = -1
    if let time = state.control == nil ? state.nextSearch : state.raise?.time {
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
        state.raise = nil
        guard settle(&state, { $0.move(to: position) }) else { return }
      case .raise(let position): state.raise = (position, .now + state.delay)
      case .restore:
        state.raise = nil
        guard let former = state.former.take() else { continue }
        guard settle(&state, { $0.set(former) }) else { return }
      case .forget: (state.raise, state.former) = (nil, nil)
      case .samples(let gain, let isMuted):
        let (revision, card) = (state.machine.level.revision, state.machine.cardGain)
        mailbox.post(.mixer(.samples(revision: revision, gain: gain, isMuted: isMuted, card: card)))
      case .report(let level): mailbox.post(.mixer(.moved(level)))
      }
    }
  }

  /// Sets the card, and notes the position that it reaches.
  /// - Returns: false if the card was lost.
  private func settle(_ state: inout State, _ set: (ALSAMixerControl) -> Bool) -> Bool {
    guard let control = state.control, set(control), let reached = control.position else {
      lose(&state)
      return false
    }
    perform(state.machine.settled(at: reached), &state)
    return true
  }
}
