/// A token bucket that refuses commands that arrive faster than any person acts: from a program in a loop, or a broken
/// device. Each companion has its own.
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
