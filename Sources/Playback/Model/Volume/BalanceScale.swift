import Glibc

/// Balance steps to the gains of the two sides.
///
/// OpenHome's steps: −15…15, negative to the left. The side that is turned away from loses 1 dB a step, which is about
/// the least difference that is heard; after 14 dB what was in the middle is heard from the other loudspeaker alone, so
/// that the last step switches the side off. The favoured side is never raised, and nothing clips.
public enum BalanceScale {
  /// The steps to either side.
  public static let maximum = 15
  public static let range = -maximum...maximum

  /// The factors on each sample of the left and of the right side. Exactly 1 for a side that is not turned away from.
  public static func gains(step: Int) -> (left: Double, right: Double) {
    let loss = abs(step) >= maximum ? 0 : pow(10, -Double(abs(step)) / 20)
    return (step > 0 ? loss : 1, step < 0 ? loss : 1)
  }
}
