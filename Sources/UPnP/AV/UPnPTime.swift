/// Times in the format of AVTransport (AVTransport:1 §2.2.13): `H:MM:SS` with any number of hours.
package enum UPnPTime {
  /// Value for an unsupported time.
  package static let notImplemented = "NOT_IMPLEMENTED"
  package static let zero = "0:00:00"

  /// Rounds down to whole seconds.
  package static func text(_ time: Duration) -> String {
    let seconds = max(0, time.components.seconds)
    var text = String(seconds / 3600)
    // Digit by digit, because interpolated strings cost ten times as much and controllers ask for the position often.
    for part in [seconds / 60 % 60, seconds % 60] {
      text.append(":")
      text.unicodeScalars.append(UnicodeScalar(0x30 + UInt8(part / 10)))
      text.unicodeScalars.append(UnicodeScalar(0x30 + UInt8(part % 10)))
    }
    return text
  }

  /// With milliseconds, as in the attribute `duration` (ContentDirectory:1 §B.2.1.4).
  package static func textWithMilliseconds(_ time: Duration) -> String {
    let milliseconds = String(max(0, time.components.attoseconds) / 1_000_000_000_000_000)
    return "\(text(time)).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)"
  }

  /// Parses `H+:MM:SS`, `H+:MM:SS.F+` and `H+:MM:SS.F0/F1`; nil for anything else. Accepts minutes and seconds of one digit,
  /// which some control points send.
  package static func duration(_ text: some StringProtocol) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let secondsAndFraction = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let hours = number(parts[0]), let minutes = number(parts[1]), minutes < 60,
      let seconds = secondsAndFraction.first.flatMap({ number($0) }), seconds < 60, hours < 1 << 32
    else { return nil }
    let whole = Duration.seconds(hours * 3600 + minutes * 60 + seconds)
    guard secondsAndFraction.count == 2 else { return whole }
    return fraction(secondsAndFraction[1]).map { whole + .seconds($0) }
  }

  /// A fraction of a second: decimals, or a ratio below one.
  private static func fraction(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let numerator = number(parts[0]), let denominator = number(parts[1]), numerator < denominator else {
        return nil
      }
      return Double(numerator) / Double(denominator)
    }
    return number(text) == nil ? nil : Double("0.\(text)")
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
