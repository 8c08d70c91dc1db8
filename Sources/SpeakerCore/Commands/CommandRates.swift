import Synchronization

/// Limits the commands of each sender, so that a sender in a loop can neither occupy the event loop nor exhaust the
/// limit of another. Clients of the page and controllers have no limit here, because the HTTP server limits its
/// clients.
///
/// May be called on any thread, before the command goes to the event loop.
package final class CommandRates: Sendable {
  private let gates = Mutex<[CommandOrigin: CommandGate]>([:])

  /// - Returns: whether the command may be performed.
  package func admit(_ origin: CommandOrigin, at now: ContinuousClock.Instant = .now) -> Bool {
    switch origin {
    case .pageGuest, .pageOwner, .openHome, .upnpAV, .machine: true
    case .mqtt, .mpris, .buttons, .presence, .program:
      gates.withLock { $0[origin, default: CommandGate()].admit(at: now) }
    }
  }
}

/// A token bucket. It refuses commands that arrive faster than any person acts: from a program in a loop, or a broken
/// device.
struct CommandGate {
  /// Maximum commands at once.
  static let burst = 100.0
  /// Commands per second.
  static let rate = 50.0

  private var tokens = burst
  private var last: ContinuousClock.Instant?

  /// - Returns: whether the command may be performed.
  mutating func admit(at now: ContinuousClock.Instant) -> Bool {
    if let last { tokens = min(Self.burst, tokens + (now - last) / .seconds(1) * Self.rate) }
    last = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
