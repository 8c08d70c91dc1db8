import NIOCore

/// When a receiver sends its next Listen. Without one for 10 s the sender forgets it.
struct ListenTimer {
  static let usual: ClosedRange<TimeAmount> = .milliseconds(1250)...(.milliseconds(2500))
  /// After another receiver's Listen, which keeps a group alive for all.
  static let afterOther: ClosedRange<TimeAmount> = .milliseconds(3750)...(.milliseconds(5000))
  /// Longest pause, however many others are heard: they may be forged, or not reach the sender.
  static let longest = TimeAmount.seconds(8)

  private(set) var next: NIODeadline?
  private var last = NIODeadline.distantPast

  /// A Join counts as the first Listen.
  mutating func sent(now: NIODeadline, random: inout any RandomNumberGenerator) {
    last = now
    next = now + Self.pause(in: Self.usual, &random)
  }

  mutating func heardOther(now: NIODeadline, random: inout any RandomNumberGenerator) {
    guard next != nil else { return }
    next = min(now + Self.pause(in: Self.afterOther, &random), last + Self.longest)
  }

  func isDue(_ now: NIODeadline) -> Bool { next.map { $0 <= now } ?? false }

  private static func pause(
    in range: ClosedRange<TimeAmount>, _ random: inout any RandomNumberGenerator
  ) -> TimeAmount {
    .nanoseconds(.random(in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, using: &random))
  }
}
