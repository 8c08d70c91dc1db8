import ControlPoint

/// A candidate that the user selects by its name, UDN, address or URL.
protocol Selectable {
  /// Complete or abbreviated, these select the candidate.
  var names: [String] { get }
  /// Only complete, these select it.
  var identifiers: [String] { get }
  /// Distinguishes it from others with the same name.
  var label: String { get }
}

/// Selects a device or speaker by the text that the user typed.
///
/// A part of a name could select another device while the right one is off: "Kitchen" is part of "Kitchen Upstairs". So the
/// text is a complete name or identifier, or abbreviates every word of one name, such as "kit up".
enum DeviceSelector {
  enum Failure: Error, Hashable {
    case none(nearest: [String])
    case several([String])
  }

  struct Selection<Candidate> {
    var candidate: Candidate
    /// Whether the user abbreviated the name, so that the command prints which device it found.
    var isAbbreviated: Bool
  }

  /// - Parameter text: in any case, also without accents and invisible characters.
  /// - Throws: if none or several match.
  static func select<Candidate: Selectable>(
    _ text: String, among all: [Candidate]
  ) throws(Failure) -> Selection<Candidate> {
    let wanted = FoldedText.folded(text)
    let words = words(wanted)
    let ways: [(Candidate) -> Bool] = [
      { $0.names.contains(text) }, { $0.names.contains { FoldedText.folded($0) == wanted } },
      { $0.identifiers.contains { isIdentifier(text, $0) } },
      { $0.names.contains { isAbbreviation(words, of: Self.words(FoldedText.folded($0))) } },
    ]
    for (number, way) in ways.enumerated() {
      let matches = all.filter(way)
      if matches.count == 1 { return Selection(candidate: matches[0], isAbbreviated: number == ways.count - 1) }
      if matches.count > 1 { throw .several(matches.map(\.label).sorted()) }
    }
    throw .none(nearest: suggestions(wanted, among: all.flatMap(\.names)))
  }

  /// Whether the text is this UDN, address or URL. `uuid:` may be left out.
  static func isIdentifier(_ text: String, _ identifier: String) -> Bool {
    let wanted = FoldedText.folded(text)
    return [wanted, "uuid:\(wanted)"].contains(identifier.lowercased())
  }

  private static func words(_ folded: String) -> [Substring] {
    folded.split { !$0.isLetter && !$0.isNumber }
  }

  private static func isAbbreviation(_ words: [Substring], of name: [Substring]) -> Bool {
    !words.isEmpty && words.count == name.count && zip(words, name).allSatisfy { $1.hasPrefix($0) }
  }

  /// Names that contain the text, otherwise those that resemble it.
  private static func suggestions(_ wanted: String, among names: [String]) -> [String] {
    var nearest = NearestNames(wanted)
    for name in names { nearest.consider(name) }
    let containing = names.filter { !wanted.isEmpty && FoldedText.folded($0).contains(wanted) }
    return containing.isEmpty ? nearest.names : Array(Set(containing).sorted().prefix(3))
  }
}
