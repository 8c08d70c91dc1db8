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
  private let wanted = Mutex<(level: Level?, isQuitting: Bool)>((nil, false))
  /// An eventfd that wakes the thread.
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
    var nextSearch: ContinuousClock.Instant? = .now
    var hasLogged = false
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
      searchIfDue(&state)
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

  private func lose(_ state: inout State) {
    state.control = nil
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
    if state.control == nil, let time = state.nextSearch {
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
      case .report(let level): mailbox.post(.mixer(.moved(level)))
      }
    }
  }
}

/// Divides the level between the hardware mixer, if there is one, and the samples.
struct LevelControl {
  private let mixer: HardwareMixer?
  /// Whether the mixer has reported the gain for the samples.
  private var hasMixerAnswered = false
  /// Revision of the latest level.
  private var revision = 0
  /// The step of the whole level, and the part of it that is the factor on the samples.
  private var (volume, samples) = (100, 1.0)

  init(_ description: MixerDescription?, mailbox: Mailbox, logger: Logger) {
    mixer = description.map { HardwareMixer($0, mailbox: mailbox, logger: logger) }
  }

  /// - Returns: the new gain and mute of the samples; nil to keep the current ones.
  mutating func set(_ level: Level) -> (gain: Double, isMuted: Bool)? {
    revision = level.revision
    volume = level.volume
    mixer?.set(level)
    // Until the mixer answers, the samples are attenuated too: briefly too soft is better than too loud.
    if hasMixerAnswered { return nil }
    samples = VolumeScale.gain(step: level.volume)
    return (samples, level.isMuted)
  }

  /// Another program has changed the card's level.
  mutating func follow(_ level: Level) { volume = level.volume }

  /// The factor on the samples of an announcement. With a mixer it is not louder than the card is set.
  /// - Parameter step: its volume, of 0…100.
  func gain(ofAnnouncement step: Int) -> Double {
    let (gain, whole) = (VolumeScale.gain(step: step), VolumeScale.gain(step: volume))
    guard mixer != nil, samples > 0, whole > 0 else { return gain }
    return min(1, gain * samples / whole)
  }

  /// Whether to apply the mixer's answer. An answer to an earlier level may be too loud.
  mutating func accepts(revision: Int, gain: Double) -> Bool {
    guard revision >= self.revision else { return false }
    hasMixerAnswered = true
    samples = gain
    return true
  }

  func quit() { mixer?.quit() }
}
