/// Converts a device's volume steps to percent and decibels.
public struct SpeakerVolumeScale: Sendable, Hashable {
  /// From silence to the greatest volume of a device that does not state its steps in decibels. Many players, such as
  /// gmediarender, have this range, and all steps have the same size in decibels.
  static let defaultRange = 60.0

  /// The device's volume for silence; usually 0.
  public let minimum: Int
  /// The device's volume that corresponds to 100.
  public let maximum: Int
  /// The loudest volume that the device allows now.
  public let limit: Int
  public let decibelsPerStep: Double

  /// - Parameter decibelsPerStep: nil or 0 if the device does not say.
  public init(minimum: Int = 0, maximum: Int, limit: Int? = nil, decibelsPerStep: Double? = nil) {
    self.minimum = minimum
    self.maximum = max(minimum + 1, maximum)
    self.limit = min(self.maximum, max(minimum, limit ?? maximum))
    let size = decibelsPerStep ?? 0
    self.decibelsPerStep = size > 0 ? size : Self.defaultRange / Double(self.maximum - minimum)
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

  /// Decibels relative to the greatest volume. Silence counts as one step below the softest sound.
  func decibels(_ steps: Int) -> Double { Double(clamped(steps, to: maximum) - maximum) * decibelsPerStep }

  /// The device's volume that is nearest to a level relative to its greatest volume, within its limits.
  func steps(decibels: Double) -> Int {
    let range = Double(maximum - minimum)
    return clamped(maximum + Int(max(-range, min(0, (decibels / decibelsPerStep).rounded()))), to: limit)
  }

  private func clamped(_ steps: Int, to maximum: Int) -> Int { min(maximum, max(minimum, steps)) }
}

/// A speaker's volume in its own steps.
public struct SpeakerVolume: Sendable, Hashable {
  public var steps: Int
  public var scale: SpeakerVolumeScale

  public init(steps: Int, scale: SpeakerVolumeScale) {
    self.steps = steps
    self.scale = scale
  }

  /// From 0 to 100.
  public var percent: Int { scale.percent(steps) }
}
