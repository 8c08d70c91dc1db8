import ControlPoint

/// Suggests a command for a misspelt one, which the argument parser would report only as an unexpected argument.
enum CommandNames {
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
    let found = (beginning.isEmpty ? nearest.names : beginning).prefix(3)
    let hint =
      found.isEmpty
      ? "`swiftlet-control --help` lists all." : "Did you mean \(found.map { "\"\($0)\"" }.joined(separator: " or "))?"
    return "There is no command \"\(word)\". \(hint)"
  }
}
