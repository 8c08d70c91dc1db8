/// The source of a requirement, with links to public issues and advisories.
enum HTMLSource {
  static func links(_ source: String) -> Markup {
    let words = source.split(separator: " ", omittingEmptySubsequences: false).enumerated().map {
      index, word -> Markup in
      let blank = index == 0 ? "" : " "
      let text = word.prefix { !",;)".contains($0) }
      guard let url = url(String(text)) else { return "\(blank)\(String(word))" }
      return "\(blank)<a href=\"\(url)\">\(String(text))</a>\(String(word.dropFirst(text.count)))"
    }
    return "\(words)"
  }

  /// The address of `owner/name#1` or `CVE-2020-1`; nil for other words.
  private static func url(_ word: String) -> String? {
    if word.hasPrefix("CVE-") { return "https://nvd.nist.gov/vuln/detail/\(word)" }
    let parts = word.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, Int(parts[1]) != nil, parts[0].split(separator: "/").count == 2 else { return nil }
    return "https://github.com/\(parts[0])/issues/\(parts[1])"
  }
}
