extension String {
  /// The text without spaces, tabs and line ends around it.
  package func trimmingSpaces() -> String {
    let isSpace = { (character: Character) in character.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}
