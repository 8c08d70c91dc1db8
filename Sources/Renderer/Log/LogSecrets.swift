extension LogLine {
  /// The text without queries, fragments and user information of addresses: they may contain passwords and tokens, and the page
  /// shows the log to everybody at home.
  var withoutSecrets: String { Self.withoutSecrets(text) }

  static func withoutSecrets(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "/") }) else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { cleaned($0) }.joined(separator: " ")
  }

  /// A word that may contain an address, or the target of a request.
  private static func cleaned(_ word: Substring) -> String {
    guard let slash = word.firstIndex(of: "/") else { return String(word) }
    var result = String(word[..<slash])
    var rest = word[slash...]
    if result.hasSuffix(":"), rest.hasPrefix("//") {
      // User information ends at the last @ of the authority (RFC 3986 §3.2.1; several are a mistake that clients accept).
      let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
      if let at = authority.lastIndex(of: "@") { rest = "//" + rest[rest.index(after: at)...] }
    }
    guard let end = rest.firstIndex(where: { "?#".contains($0) }), rest.index(after: end) != rest.endIndex else {
      return result + rest
    }
    result += rest[..<end] + "?…"
    // Keep the punctuation of the surrounding sentence.
    return result + rest.reversed().prefix { "”\"'>).,:;".contains($0) }.reversed()
  }
}
