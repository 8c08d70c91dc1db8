/// Counts a subscription's events by their SEQ: 0 for the initial event, then 1, 2 … 4294967295, 1 (UDA 1.1 §4.3.1).
struct EventSequence {
  enum Verdict: Hashable {
    case first
    /// A later one, after this many that did not arrive.
    case next(missed: Int)
    /// Sent again, or overtaken by later ones.
    case outdated
  }

  /// An event whose SEQ is lower by less than this was overtaken. A lower one means that the device has restarted its
  /// count.
  private static let overtaken = 16
  /// The number of SEQ values, without 0.
  private static let period = Int(UInt32.max)

  private var last: UInt32?
  private var hasInitial = false

  /// - Parameter number: SEQ; nil if it is missing or not a number. Such an event counts as the next one.
  mutating func receive(_ number: UInt32?) -> Verdict {
    guard let number else {
      defer { last = last ?? 0 }
      return last == nil ? .first : .next(missed: 0)
    }
    let wasInitialReceived = hasInitial
    if number == 0 { hasInitial = true }
    guard let last else {
      self.last = number
      return .first
    }
    if number == 0 { return zero(after: last, isRepeated: wasInitialReceived) }
    let distance = (Int(number) - Int(last) + Self.period) % Self.period
    if distance == 0, last != 0 { return .outdated }
    let forward = distance == 0 ? Self.period : distance
    if forward > Self.period / 2 {
      guard Self.period - forward >= Self.overtaken else { return .outdated }
      self.last = number
      return .next(missed: 0)
    }
    self.last = number
    return .next(missed: forward - 1)
  }

  /// Handles a repeated 0: the device does not count, or has restarted its count, or later events overtook this one.
  private mutating func zero(after last: UInt32, isRepeated: Bool) -> Verdict {
    if last != 0, last < Self.overtaken { return isRepeated ? .outdated : .next(missed: 0) }
    self.last = 0
    return .next(missed: 0)
  }
}
