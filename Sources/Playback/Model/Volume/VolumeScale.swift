import Glibc

/// The speaker's volume and mute.
package struct Level: Sendable, Equatable {
  /// Step of 0…100, see `VolumeScale`.
  package var volume: Int
  package var isMuted: Bool
  /// Counts the player's changes, so that reports about older ones can be ignored; 0 before the first change.
  package var revision = 0
}

/// Volume steps and their gain.
///
/// Linear in decibels, like perceived loudness: 100 steps of 614/1024 dB, OpenHome's VolumeMilliDbPerStep. 100 is
/// unity, 50 is −30 dB, 1 is −59.4 dB, and 0 is silence.
public enum VolumeScale {
  public static let decibelsPerStep = 614.0 / 1024.0

  /// The gain in decibels of a step of 0…100; nil for silence.
  public static func decibels(step: Int) -> Double? {
    step <= 0 ? nil : Double(min(step, 100) - 100) * decibelsPerStep
  }

  /// The factor of a step of 0…100. Exactly 1 at 100.
  public static func gain(step: Int) -> Double {
    guard let decibels = decibels(step: step) else { return 0 }
    return step >= 100 ? 1 : pow(10, decibels / 20)
  }
}

/// Balance steps and the gains of the two sides.
///
/// OpenHome's steps: −15…15, negative to the left. Each step takes 1 dB, about the least audible difference, from the
/// other side; the last one silences it. No side is amplified, so that nothing clips.
public enum BalanceScale {
  /// Steps to either side.
  public static let maximum = 15
  public static let range = -maximum...maximum

  /// The factors of the left and the right side. Exactly 1 for the favoured side.
  public static func gains(step: Int) -> (left: Double, right: Double) {
    let loss = abs(step) >= maximum ? 0 : pow(10, -Double(abs(step)) / 20)
    return (step > 0 ? loss : 1, step < 0 ? loss : 1)
  }
}
