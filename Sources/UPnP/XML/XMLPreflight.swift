/// What is looked at in a document before it is parsed: in how many steps the parser reads an element grows with the
/// square of its attributes, and with the namespaces around it, so that a body within all other limits could keep it busy
/// for minutes.
///
/// Knows no more of XML than where comments, sections and tags end. Where a document is not well-formed that may be
/// wrong; but there the parser stops.
enum XMLPreflight {
  /// In one element, namespace declarations among them. What UPnP sends has about ten.
  static let maximumAttributes = 64
  /// Namespace declarations in one document.
  static let maximumNamespaces = 256

  /// - Parameter document: in an encoding in which markup is as in ASCII, see `XMLEncoding`.
  /// - Returns: why it is not to be parsed; nil if it may be.
  static func refusal(of document: UnsafeRawBufferPointer) -> XMLReadingError? {
    var namespaces = 0
    var rest = document[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let close = endOfWhatIsNoElement(rest) {
        guard let end = behind(close, in: rest) else { return nil }
        rest = rest[end...]
      } else if rest.starts(with: "<!".utf8) {
        return .documentType
      } else {
        guard skipTag(&rest, &namespaces) else { return .tooComplex }
      }
    }
    return nil
  }

  private static func endOfWhatIsNoElement(_ rest: Slice<UnsafeRawBufferPointer>) -> StaticString? {
    if rest.starts(with: "<?".utf8) { return "?>" }
    if rest.starts(with: "<!--".utf8) { return "-->" }
    return rest.starts(with: "<![CDATA[".utf8) ? "]]>" : nil
  }

  private static func behind(_ text: StaticString, in rest: Slice<UnsafeRawBufferPointer>) -> Int? {
    text.withUTF8Buffer { text in
      guard let first = text.first else { return nil }
      var rest = rest
      while let index = rest.firstIndex(of: first) {
        if rest[index...].starts(with: text) { return index + text.count }
        rest = rest[(index + 1)...]
      }
      return nil
    }
  }

  /// - Returns: whether it has no more attributes than it may have.
  private static func skipTag(_ rest: inout Slice<UnsafeRawBufferPointer>, _ namespaces: inout Int) -> Bool {
    var attributes = 0
    var quote: UInt8?
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: "=") where quote == nil:
        attributes += 1
        if attributes > maximumAttributes { return false }
      case UInt8(ascii: "x") where quote == nil && rest.starts(with: "mlns".utf8):
        namespaces += 1
        if namespaces > maximumNamespaces { return false }
      case UInt8(ascii: ">") where quote == nil: return true
      default: break
      }
    }
    return true
  }
}
