/// Converts between a device's volume steps and percent.
struct PercentScale: Sendable, Hashable {
  /// The device's volume for silence; usually 0.
  let minimum: Int
  /// The device's volume that corresponds to 100.
  let maximum: Int
  /// The loudest volume that the device allows now.
  let limit: Int

  init(minimum: Int = 0, maximum: Int, limit: Int? = nil) {
    self.minimum = minimum
    self.maximum = max(minimum + 1, maximum)
    self.limit = min(self.maximum, max(minimum, limit ?? maximum))
  }

  /// The volume in percent, 0 to 100.
  func percent(_ steps: Int) -> Int {
    let range = maximum - minimum
    return ((clamped(steps, to: maximum) - minimum) * 100 + range / 2) / range
  }

  /// The device's volume, at most its limit. Only 0 becomes silence.
  func steps(_ percent: Int) -> Int {
    let percent = min(100, max(0, percent))
    guard percent > 0 else { return minimum }
    let steps = minimum + (percent * (maximum - minimum) + 50) / 100
    return clamped(max(minimum + 1, steps), to: limit)
  }

  /// The device's volume after a change in percent. It differs by at least one step where the limits allow it, also on a
  /// device with few steps.
  func steps(from current: Int, changedBy change: Int) -> Int {
    guard change != 0 else { return clamped(current, to: limit) }
    let range = Double(maximum - minimum)
    let exact = (Double(change) * range / 100).rounded()
    let difference = exact == 0 ? change.signum() : Int(max(-range, min(range, exact)))
    return clamped(clamped(current, to: maximum) + difference, to: limit)
  }

  private func clamped(_ steps: Int, to maximum: Int) -> Int { min(maximum, max(minimum, steps)) }
}
