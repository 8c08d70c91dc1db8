/// Tells when a device ran out of sound because the next of it came late.
///
/// It goes by how much was left when sound came last, and how long ago that was, so that it does not matter whether the
/// device's clock goes on meanwhile, as a card's does, or stands, as a sound server's.
package struct UnderrunWatch {
  package typealias Instant = ContinuousClock.Instant

  /// Whether the device is playing.
  package var isOn = false {
    didSet { if isOn != oldValue { reset() } }
  }
  private var last: (ahead: Int64, at: Instant)?

  package init() {}

  /// What comes next comes after a break.
  package mutating func reset() { last = nil }

  /// Sound has come.
  /// - Parameters:
  ///   - isNext: whether it continues what came before.
  ///   - ahead: how far ahead of the device it ends, in nanoseconds.
  /// - Returns: whether the device had nothing left.
  package mutating func arrived(isNext: Bool, ahead: Int64, now: Instant) -> Bool {
    let former = last
    last = isOn ? (ahead, now) : nil
    guard isOn, isNext, let former else { return false }
    return former.at.duration(to: now) > .nanoseconds(former.ahead)
  }
}
