/// Validates the names of phones, which other people see.
enum PhoneName {
  /// Maximum characters, as for other texts that are set on the page.
  private static let longest = 100
  /// Characters that change the direction of the text after them (Unicode Standard Annex 9).
  private static let directions: Set<Unicode.Scalar> = [
    "\u{200E}", "\u{200F}", "\u{061C}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}",
    "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
  ]

  /// The name without surrounding blanks.
  /// - Throws: 400.
  static func checked(_ text: String) throws(Problem) -> String {
    // Limit the bytes, too, because a character may have any number of combining marks.
    guard text.utf8.count <= 4 * longest, text.count <= longest else {
      throw .wrong("name", "must not be longer than \(longest) characters")
    }
    guard text.unicodeScalars.allSatisfy({ !isControl($0) }) else {
      throw .wrong("name", "must not contain control characters")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let last = words.last else { throw .wrong("name", "must not be empty") }
    return String(text[first.startIndex..<last.endIndex])
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
    default: directions.contains(scalar)
    }
  }
}

/// Validates the pages that phones are asked to open.
enum LaunchAddress {
  private static let longest = 2048
  private static let longestSession = 64

  /// Checks that the address is `http` or `https`, or a path on the speaker.
  /// - Throws: 400.
  static func checked(_ url: String) throws(Problem) -> String {
    guard url.utf8.count <= longest else { throw .wrong("url", "must not be longer than \(longest) bytes") }
    // Browsers read // and /\ as the beginning of a host.
    let second = url.utf8.dropFirst().first
    let isPath =
      url.utf8.first == UInt8(ascii: "/") && second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
      && url.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    guard isPath || WebAddress.isValid(url) else {
      throw .wrong("url", "must be an http or https address, or a path on the speaker")
    }
    return url
  }

  /// Checks that the session has only unreserved characters (RFC 3986 §2.3).
  /// - Throws: 400.
  static func checked(session: String) throws(Problem) -> String {
    let isAllowed = { (character: Character) in
      character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
    }
    guard !session.isEmpty, session.utf8.count <= longestSession, session.allSatisfy(isAllowed) else {
      throw .wrong("session", "must have 1 to \(longestSession) letters, digits, dots, dashes, tildes and underscores")
    }
    return session
  }
}

/// The address of the companion page, which a phone must be able to reach.
enum PageAddress {
  /// - Parameters:
  ///   - host: the Host header, already checked against the names of the speaker.
  ///   - network: the page's address on a network, for clients on the speaker's own machine.
  static func companion(host: String?, network: String?, uuid: String?) -> String {
    let own = host.flatMap { $0.isEmpty || isLoopback($0) ? nil : "http://\($0)/" }
    let base = own ?? network ?? "http://\(host ?? "localhost")/"
    return base + "companion" + (uuid.map { "?uuid=\($0)" } ?? "")
  }

  private static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    return host.hasPrefix("127.") || host.hasPrefix("[::1]") || host == "localhost" || host.hasPrefix("localhost:")
  }
}
