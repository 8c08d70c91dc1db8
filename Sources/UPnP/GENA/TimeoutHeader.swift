/// The TIMEOUT header of SUBSCRIBE and of its answer: `Second-` and a number of seconds (UDA 1.1 §4.1.2).
package enum TimeoutHeader {
  /// Half an hour is what UDA 1.1 recommends; longer, and those who vanish without a word are carried too long.
  static let maximum = 1800
  /// Below it a subscription could end before a renewal, sent in good time, gets through a bad Wi-Fi.
  static let minimum = 10

  /// The seconds to grant: as asked within the limits; the most for `infinite`, nothing, or what cannot be read.
  package static func granted(_ value: String?) -> Int {
    guard let value else { return maximum }
    let text = value.lowercased()
    guard text.hasPrefix("second-") else { return maximum }
    let digits = text.dropFirst("second-".count)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(digits) else { return maximum }
    return min(max(seconds, minimum), maximum)
  }

  package static func text(_ seconds: Int) -> String { "Second-\(seconds)" }
}
