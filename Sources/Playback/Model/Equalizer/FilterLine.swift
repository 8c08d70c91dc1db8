import Glibc

/// The line of a filter after `Filter 1:`, as Equalizer APO reads it: `ON PK Fc 105 Hz Gain -3.2 dB Q 0.70`.
enum FilterLine {
  private static let kinds: [String: EqualizerBand.Kind] = [
    "PK": .peak, "PEQ": .peak, "MODAL": .peak, "LS": .lowShelf, "LSC": .lowShelf, "LSQ": .lowShelf, "HS": .highShelf,
    "HSC": .highShelf, "HSQ": .highShelf, "LP": .lowPass, "LPQ": .lowPass, "HP": .highPass, "HPQ": .highPass,
    "NO": .notch,
  ]

  /// - Returns: nil for a filter that does nothing and has no values: `ON None`.
  static func band(
    _ text: Substring, _ channel: EqualizerBand.Channel
  ) throws(LineProblem) -> EqualizerBand? {
    var words = Words(text)
    let isOn: Bool
    switch words.next()?.uppercased() {
    case "ON"?: isOn = true
    case "OFF"?: isOn = false
    default: throw LineProblem("The filter needs ON or OFF.")
    }
    guard let type = words.next()?.uppercased() else {
      if isOn { throw LineProblem("The filter has no type.") }
      return nil
    }
    if type == "NONE" { return nil }
    do throws(LineProblem) {
      guard let kind = kinds[type] else {
        throw LineProblem("Filters of the type “\(type.prefix(20))” are not supported.")
      }
      let values = try Values(&words)
      return EqualizerBand(
        kind, try values.frequency(kind, type), gain: try values.gain(kind), quality: try values.quality(kind),
        channel: channel, isOn: isOn)
    } catch {
      // A filter that is off loses nothing.
      if isOn { throw error }
      return nil
    }
  }

  /// The values of a filter, in any order.
  private struct Values {
    private var frequency: Double?
    private var gain: Double?
    private var quality: Double?
    /// In octaves.
    private var bandwidth: Double?
    /// Of a shelf, in dB per octave.
    private var slope: Double?

    init(_ words: inout Words) throws(LineProblem) {
      while let word = words.next() {
        switch word.uppercased() {
        case "FC": frequency = try words.number("Fc", units: ["hz"], scaled: ["khz": 1000], isFrequency: true)
        case "GAIN": gain = try words.number("Gain", units: ["db"])
        case "Q": quality = try words.number("Q")
        case "BW":
          words.skip("Oct")
          bandwidth = try words.number("BW", units: ["oct"])
        case "BW/60": bandwidth = try words.number("BW/60") / 60
        // The decay time that a modal filter of Room EQ Wizard is made for.
        case "T60":
          words.skip("target")
          _ = try words.number("T60", units: ["ms"])
        default:
          words.back(word)
          slope = try words.number("a slope", units: ["db"])
        }
      }
    }

    func gain(_ kind: EqualizerBand.Kind) throws(LineProblem) -> Double {
      guard kind.hasGain else { return 0 }
      guard let gain else { throw LineProblem("The filter has no gain.") }
      return gain
    }

    func frequency(_ kind: EqualizerBand.Kind, _ type: String) throws(LineProblem) -> Double {
      guard let frequency else { throw LineProblem("The filter has no frequency (Fc).") }
      // LS and HS with a width name the corner, where the shelf begins, instead of the middle of its slope.
      guard ["LS", "HS"].contains(type), quality != nil || slope != nil else { return frequency }
      let gain = try gain(kind)
      let factor = pow(10, gain.magnitude / 80 / (try steepness(gain)))
      return kind == .lowShelf ? frequency * factor : frequency / factor
    }

    /// S of the Audio EQ Cookbook: 1 for the steepest slope without a hump, 12 dB per octave.
    private func steepness(_ gain: Double) throws(LineProblem) -> Double {
      guard slope == nil || slope ?? 0 > 0, quality == nil || quality ?? 0 > 0 else {
        throw LineProblem("The slope and Q must be more than 0.")
      }
      if let slope { return slope / 12 }
      guard let quality else { return 0.9 }
      let steepness = 1 / ((1 / (quality * quality) - 2) / Self.sum(gain) + 1)
      // Without a positive steepness there is no corner.
      guard steepness > 0, steepness.isFinite else { throw LineProblem("Q is too large for a shelf with a corner.") }
      return steepness
    }

    /// A + 1/A of the Audio EQ Cookbook.
    private static func sum(_ gain: Double) -> Double {
      let a = pow(10, gain / 40)
      return a + 1 / a
    }

    func quality(_ kind: EqualizerBand.Kind) throws(LineProblem) -> Double {
      if [.lowShelf, .highShelf].contains(kind), quality == nil || slope != nil {
        let gain = try gain(kind)
        let square = Self.sum(gain) * (1 / (try steepness(gain)) - 1) + 2
        guard square > 0 else { throw LineProblem("The slope is too steep.") }
        return 1 / square.squareRoot()
      }
      if let quality { return quality }
      if let bandwidth {
        guard bandwidth > 0 else { throw LineProblem("The bandwidth must be more than 0.") }
        return 1 / (2 * sinh(log(2) / 2 * bandwidth))
      }
      switch kind {
      case .lowPass, .highPass: return 0.5.squareRoot()
      case .notch: return 30
      default: throw LineProblem("The filter has neither Q nor a bandwidth (BW Oct).")
      }
    }
  }
}

/// The words of a line.
struct Words {
  private var words: [Substring]

  init(_ text: Substring) {
    words = Self.withoutThousands(Array(text)).split(whereSeparator: \.isWhitespace).map { Substring($0) }.reversed()
  }

  /// Some locales separate thousands by a space that does not break, or by an apostrophe. Elsewhere such a space is a space: text
  /// that was copied from a web page has many.
  private static func withoutThousands(_ text: [Character]) -> [Character] {
    let separators: Set<Character> = ["\u{A0}", "\u{202F}", "\u{2009}", "’", "'"]
    return text.indices.filter { index in
      guard separators.contains(text[index]), index > 0, text[index - 1].isNumber else { return true }
      let next = text[(index + 1)...].prefix { $0.isNumber }
      return next.count != 3
    }.map { text[$0] }
  }

  mutating func next() -> Substring? { words.popLast() }

  mutating func back(_ word: Substring) { words.append(word) }

  /// Skips a word if it is the next.
  mutating func skip(_ word: String) {
    if words.last?.lowercased() == word.lowercased() { words.removeLast() }
  }

  func end() throws(LineProblem) {
    if let word = words.last { throw LineProblem("“\(word.shown)” is not understood.") }
  }

  /// A number and perhaps its unit, with or without a space between them.
  /// - Parameters:
  ///   - scaled: other units and what a number in them is multiplied by.
  ///   - isFrequency: whether the number may have thousands.
  mutating func number(
    _ name: String, units: [String] = [], scaled: [String: Double] = [:], isFrequency: Bool = false
  ) throws(LineProblem) -> Double {
    guard let word = words.popLast() else { throw LineProblem("The number of \(name) is missing.") }
    let digits = word.prefix { $0.isASCII && $0.isNumber || "+-−.,".contains($0) }
    guard let value = Self.value(digits, isFrequency: isFrequency) else {
      throw LineProblem("“\(word.shown)” is not a number for \(name).")
    }
    var unit = word.dropFirst(digits.count).lowercased()
    let isKnown = { (unit: String) in units.contains(unit) || scaled[unit] != nil }
    if unit.isEmpty, let next = words.last?.lowercased(), isKnown(next) {
      words.removeLast()
      unit = next
    }
    guard unit.isEmpty || isKnown(unit) else { throw LineProblem("“\(word.shown)” is not a number for \(name).") }
    return value * (scaled[unit] ?? 1)
  }

  /// Reads a decimal point or comma. Three digits after a single one are thousands in a frequency, as in Equalizer APO: Room EQ
  /// Wizard writes `1,042 Hz`.
  private static func value(_ digits: Substring, isFrequency: Bool) -> Double? {
    var text = String(digits.map { $0 == "−" ? "-" : $0 })
    let marks = text.filter { ",.".contains($0) }
    if let last = marks.last {
      let parts = text.split(separator: last, omittingEmptySubsequences: false)
      let isDecimal = parts.count == 2
      let isThousand = marks.count == 1 && isFrequency && parts.last?.count == 3
      let thousands = text.filter { !",.".contains($0) }
      // A number with three decimals remains one if it is no frequency otherwise.
      if isThousand, let value = Double(thousands), EqualizerBand.frequencies.contains(value) { return value }
      guard isDecimal || isFrequency else { return nil }
      text = isDecimal ? parts[0].filter { !",.".contains($0) } + "." + parts[1] : thousands
    }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: SubSequence {
    let start = drop(while: \.isWhitespace)
    return start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
  }

  /// The beginning, for a message, without control characters.
  var shown: String {
    String(prefix(40).map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "�" : $0 })
  }
}
