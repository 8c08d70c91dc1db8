/// Addresses in commands: only `http` and `https`.
package enum WebAddress {
  private static let maximumBytes = 8192

  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    let rest = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }.map { text.dropFirst($0.count) }
    return rest.map { !$0.isEmpty && $0.first != "/" } ?? false
  }

  /// - Throws: 400, with the name of the field.
  package static func check(_ text: String, _ field: String) throws(Problem) {
    guard isValid(text) else { throw .wrong(field, "must be an http or https address") }
  }
}
