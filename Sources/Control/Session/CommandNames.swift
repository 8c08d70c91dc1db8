import ControlPoint

/// Suggests a command for a misspelt one, which the argument parser would report only as an unexpected argument.
enum CommandNames {
  /// Commands by the words that other programs have for them.
  private static let synonyms = [
    "list": "devices", "ls": "browse", "discover": "devices", "scan": "devices", "skip": "next", "status": "now",
    "vol": "volume", "resume": "play", "timer": "sleep", "eq": "equalizer", "playlist": "queue",
  ]

  /// - Parameters:
  ///   - word: the first argument.
  ///   - names: of all commands.
  /// - Returns: nil if the word is a command or an option.
  static func message(for word: String, among names: [String]) -> String? {
    guard !word.hasPrefix("-"), !names.contains(word) else { return nil }
    let lowered = word.lowercased()
    var nearest = NearestNames(lowered)
    for name in names { nearest.consider(name) }
    let beginning = names.filter { $0.hasPrefix(lowered) || lowered.hasPrefix($0) }
    let alike = Self.synonyms[lowered].map { [$0] } ?? (beginning.isEmpty ? nearest.names : beginning)
    let found = Array(alike.filter(names.contains).prefix(3))
    let hint = NearestNames.question(found) ?? "`swiftlet-control --help` lists all."
    return "There is no command \"\(word)\". \(hint)"
  }
}
