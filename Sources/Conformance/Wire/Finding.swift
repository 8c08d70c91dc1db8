/// Why a check did not pass.
public enum Finding: Error, Sendable, Hashable {
  /// Each is the second half of a sentence.
  case failure(expected: String, got: String)
  case skip(String)
  /// The device could not be judged.
  case inconclusive(String)
}
