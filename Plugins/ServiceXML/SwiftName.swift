/// Converts UPnP names to Swift names.
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

  /// The Swift type of an action's results: `GetMediaInfo_Ext` to `GetMediaInfoExtOutput`.
  static func output(_ action: Service.Action) -> String {
    action.name.split { !$0.isLetter && !$0.isNumber }.joined() + "Output"
  }

  /// Refuses names that collide in Swift though they differ in the SCPD.
  static func check(_ what: String, _ names: [String]) throws(ServiceXMLError) {
    if let name = names.duplicate { throw ServiceXMLError("two \(what) have the name \(name) in Swift") }
  }

  /// The Swift type of a variable. The enum of allowed values is named after the variable, without `A_ARG_TYPE_`.
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
    // The last capital of a run starts the next word: AVTransport is `av` and `Transport`.
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

/// Writes Swift literals.
enum SwiftLiteral {
  static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// A multi-line raw literal. Swift drops its last line end, so one more is written.
  static func raw(_ text: String) -> String {
    var pounds = "#"
    while text.contains("\"\"\"" + pounds) || text.contains("\\" + pounds) { pounds += "#" }
    return "\(pounds)\"\"\"\n\(text)\n\"\"\"\(pounds)"
  }

  /// A default value of an SCPD.
  /// - Precondition: `ServiceReader` has checked that the text is a value of the variable.
  static func value(_ text: String, of variable: Service.Variable) -> String {
    if !variable.allowedValues.isEmpty { return ".\(SwiftName.member(text))" }
    return switch variable.type {
    case .ui1, .ui2, .ui4, .i1, .i2, .i4: text
    case .string, .uri: quoted(text)
    case .boolean: ["1", "true", "yes"].contains(text) ? "true" : "false"
    case .base64: "[]"
    }
  }
}
