/// A word of a command line as a shell passes it to a completion.
enum ShellWord {
  /// The text without the quotes and backslashes of a shell. The last quote may be open.
  static func unquoted(_ word: String) -> String {
    var result = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        result.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        result.append(character)
      }
    }
    return result
  }
}
