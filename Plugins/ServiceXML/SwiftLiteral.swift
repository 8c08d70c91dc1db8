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
    case .string: quoted(text)
    case .boolean: ["1", "true", "yes"].contains(text) ? "true" : "false"
    case .base64: "[]"
    }
  }
}
