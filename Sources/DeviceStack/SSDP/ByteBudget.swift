import NIOCore

/// Token bucket: allows a burst of bytes, then a steady rate.
struct ByteBudget: Sendable, Hashable {
  /// Bytes per second.
  let rate: Int
  /// Bytes that may be spent at once when the bucket is full.
  let burst: Int
  /// When the bucket is full again.
  private var full = NIODeadline.distantPast

  init(rate: Int, burst: Int) {
    self.rate = rate
    self.burst = burst
  }

  /// The earliest time at which bytes may be spent.
  var opens: NIODeadline { full - time(for: burst) }

  func isFull(_ now: NIODeadline) -> Bool { full <= now }

  /// Takes bytes out of the bucket. The last spending may exceed the burst; the next one waits longer for it.
  mutating func spend(_ bytes: Int, at now: NIODeadline) { full = max(full, now) + time(for: bytes) }

  private func time(for bytes: Int) -> TimeAmount { .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(rate)) }
}
