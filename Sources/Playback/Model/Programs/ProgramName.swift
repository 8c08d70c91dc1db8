/// The name of a program as a source. Names with the same word are equal.
public struct ProgramName: Sendable, Hashable {
  /// Maximum characters, as in other OpenHome players.
  private static let longest = 20
  /// The scheme of addresses of programs. Controllers cannot play them.
  private static let scheme = "program:"

  /// As users see it.
  public let text: String
  /// In lower case, with dashes between the words.
  public let word: String

  /// Nil unless the text has 1 to 20 characters, all of them letters of the English alphabet, digits, blanks, dots or dashes, and
  /// begins with a letter.
  public init?(_ text: String) {
    let isValid = text.unicodeScalars.allSatisfy { Self.characters.contains($0) }
    guard isValid, text.count <= Self.longest, let first = text.first, first.isLetter else { return nil }
    self.text = text
    word = text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  private static let characters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .-".unicodeScalars)

  public static func == (first: Self, second: Self) -> Bool { first.word == second.word }
  public func hash(into hasher: inout Hasher) { hasher.combine(word) }

  /// The address of its sound.
  package var address: String { Self.scheme + word }

  /// Nil if the address is not that of a program.
  package init?(address: String) {
    guard address.hasPrefix(Self.scheme) else { return nil }
    self.init(String(address.dropFirst(Self.scheme.count)))
  }
}
