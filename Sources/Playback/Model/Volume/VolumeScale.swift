import Glibc

/// Volume steps to gain.
///
/// Linear in decibels, since that is how loudness is heard: 100 steps of 614/1024 dB, the step that OpenHome's
/// VolumeMilliDbPerStep tells, so that 100 is unity, 50 is −30 dB and 1 is −59.4 dB; 0 is silence.
public enum VolumeScale {
  /// Decibels between one step and the next.
  public static let decibelsPerStep = 614.0 / 1024.0

  /// The gain in decibels of a step of 0…100; nil for silence.
  public static func decibels(step: Int) -> Double? {
    step <= 0 ? nil : Double(min(step, 100) - 100) * decibelsPerStep
  }

  /// The factor on each sample of a step of 0…100. Exactly 1 at 100.
  public static func gain(step: Int) -> Double {
    guard let decibels = decibels(step: step) else { return 0 }
    return step >= 100 ? 1 : pow(10, decibels / 20)
  }
}
