/// UPnP's names as Swift's.
enum SwiftName {
  /// `AVTransportURI` to `avTransportURI`, `PAUSED_PLAYBACK` to `pausedPlayback`, `TAPE-INDEX` to `tapeIndex`.
  static func member(_ name: String) -> String {
    var words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if words.count > 1 || name.allSatisfy({ !$0.isLowercase }) {
      words = words.enumerated().map { index, word in
        let word = word.contains(where: \.isLowercase) ? word : word.lowercased()
        return index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
      }
    }
    var result = lowerFirstRun(words.joined())
    if result.isEmpty { result = "empty" }
    if result.first?.isNumber ?? false { result = "_" + result }
    return keywords.contains(result) ? "`\(result)`" : result
  }

  /// The name of the type that holds a variable's allowed values: without the prefix of argument types.
  static func type(_ variable: Service.Variable) -> String {
    guard !variable.allowedValues.isEmpty else { return variable.type.swiftName }
    let name =
      variable.isArgumentType
      ? String(variable.name.dropFirst(Service.Variable.argumentTypePrefix.count)) : variable.name
    return name.split { !$0.isLetter && !$0.isNumber }.joined()
  }

  private static func lowerFirstRun(_ name: String) -> String {
    let run = name.prefix(while: \.isUppercase)
    guard run.count > 1, run.count < name.count else { return run.lowercased() + name.dropFirst(run.count) }
    // The last capital of a run begins the next word: AVTransport is `av` and `Transport`.
    let following = name[run.endIndex]
    let lowered = following.isLowercase ? run.dropLast() : run
    return lowered.lowercased() + name.dropFirst(lowered.count)
  }

  private static let keywords: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
