/// Lists of text separated by commas; a comma within an entry is written `\,` (ContentDirectory:1 §2.3.1).
package enum CSVList {
  /// The entries, unescaped. Those beyond the limit are ignored.
  package static func entries(_ text: String, limit: Int = 4096) -> [String] {
    guard !text.isEmpty else { return [] }
    var entries = [""]
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        entries[entries.count - 1].unicodeScalars.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        guard entries.count < limit else { break }
        entries.append("")
      } else {
        entries[entries.count - 1].unicodeScalars.append(character)
      }
    }
    return entries
  }
}
