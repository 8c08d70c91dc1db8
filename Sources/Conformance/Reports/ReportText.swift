/// Makes text from a device safe to show.
enum ReportText {
  /// The text with escapes such as `\u{202E}` for characters that are invisible, reorder others, or are not allowed in
  /// XML.
  /// - Parameter keepsLines: whether line feeds and tabs stay.
  static func visible(_ text: some StringProtocol, keepsLines: Bool = false) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSafe(scalar) || (keepsLines && (scalar == "\n" || scalar == "\t")) {
        visible.append(scalar)
      } else {
        visible += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
      }
    }
    return String(visible)
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // Joiners belong to emoji and to several scripts.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: !scalar.properties.isNoncharacterCodePoint
    }
  }

  /// One line of at most this many characters.
  static func short(_ text: String, _ limit: Int = 2000) -> String {
    let line = visible(text)
    return line.count > limit ? line.prefix(limit) + "…" : line
  }

  /// A duration in seconds with three decimals.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = (duration.inSeconds * 1000).rounded()
    let whole = Int(milliseconds) / 1000
    let rest = "\(Int(milliseconds) % 1000)"
    return "\(whole).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
  }
}

extension String {
  fileprivate var trimmingLineFeeds: Substring {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return text
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension WireMessage {
  /// Number of bytes of binary data to show.
  static let binaryPrefix = 16
  private static let separator: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

  /// The bytes up to and with the empty line, and those after it.
  var parts: (head: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
    guard let end = bytes.firstRange(of: Self.separator) else { return (bytes[...], []) }
    return (bytes[..<end.upperBound], bytes[end.upperBound...])
  }

  /// The message as text without invisible characters. A binary body is described.
  var text: String {
    let (head, body) = parts
    let cut = isCut ? "\n[\(length - bytes.count) more bytes]" : ""
    let lines = Self.lines(String(decoding: head, as: UTF8.self))
    guard !body.isEmpty else { return lines.trimmingLineFeeds + cut }
    return lines + (Self.text(of: body, isCut: isCut) ?? Self.description(of: body)) + cut
  }

  /// The first line, and the name of the action that the message calls.
  var title: String {
    let lines = String(decoding: parts.head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let action = lines.first { $0.lowercased().hasPrefix("soapaction:") }?.split(separator: "#").last
    let name = action.map { " (\($0.filter { $0 != "\"" }))" } ?? ""
    return ReportText.short(String(lines.first ?? ""), 100) + ReportText.short(name, 60)
  }

  /// The lines of a head. A line feed without a carriage return stays recognizable.
  private static func lines(_ head: String) -> String {
    head.replacing("\r\n", with: "\u{0}").unicodeScalars.split(separator: "\u{0}", omittingEmptySubsequences: false)
      .map { ReportText.visible(String($0)).replacing("\\u{A}", with: "\\u{A}\n") }.joined(separator: "\n")
  }

  /// Nil if the bytes are not text.
  private static func text(of bytes: ArraySlice<UInt8>, isCut: Bool) -> String? {
    // The cut can be inside a character of up to four bytes.
    for missing in 0...(isCut ? 3 : 0) {
      guard let text = String(validating: bytes.dropLast(missing), as: UTF8.self) else { continue }
      let isBinary = text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\r" && $0 != "\t" }
      return isBinary ? nil : ReportText.visible(text.replacing("\r\n", with: "\n"), keepsLines: true)
    }
    return nil
  }

  private static func description(of bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.prefix(binaryPrefix).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "[binary data that begins with \(start.joined(separator: " "))]"
  }
}
