import CSystemd
import PlaybackModel
import Synchronization

/// Asks systemd whether a time server sets the clock. The kernel may not be asked where `ProtectClock=` forbids adjtimex(2).
///
/// Any thread. D-Bus can block, and may have to start systemd-timedated, so a thread of its own asks.
final class TimeServer: Sendable {
  /// - isAsked: whether the first answer is still missing.
  typealias Answer = (isSynchronized: Bool, isAsked: Bool)

  /// Answers are this old at most.
  private static let interval = Duration.seconds(50)
  /// Limit for the answer, in microseconds.
  private static let timeout: UInt64 = 5_000_000

  private struct State {
    var isSynchronized: Bool?
    var isAsking = false
    var asked: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  private let ask: @Sendable () -> Bool

  init(ask: @escaping @Sendable () -> Bool = TimeServer.ask) { self.ask = ask }

  /// The latest answer. If it is old, systemd is asked again.
  var answer: Answer {
    let (answer, isOld) = state.withLock { state -> (Answer, Bool) in
      let isOld = !state.isAsking && state.asked.map { .now - $0 > Self.interval } ?? true
      if isOld { (state.isAsking, state.asked) = (true, .now) }
      return ((state.isSynchronized == true, state.isSynchronized == nil), isOld)
    }
    if isOld { NamedThread.start("time") { [self] in renew() } }
    return answer
  }

  private func renew() {
    let answer = ask()
    state.withLock { ($0.isSynchronized, $0.isAsking) = (answer, false) }
  }

  /// The property NTPSynchronized of systemd-timedated; false if it does not answer.
  static func ask() -> Bool {
    var bus: OpaquePointer?
    guard sd_bus_open_system(&bus) >= 0 else { return false }
    defer { sd_bus_flush_close_unref(bus) }
    sd_bus_set_method_call_timeout(bus, timeout)
    let name = "org.freedesktop.timedate1"
    var isSynchronized: Int32 = 0
    let result = sd_bus_get_property_trivial(
      bus, name, "/org/freedesktop/timedate1", name, "NTPSynchronized", nil, CChar(UInt8(ascii: "b")), &isSynchronized)
    return result >= 0 && isSynchronized != 0
  }
}
