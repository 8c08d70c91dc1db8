/// Checks a document before it is parsed. The parser's time grows with the square of an element's attributes and with the
/// namespaces in scope, so that a body within all other limits could block it for minutes.
///
/// Recognises only where comments, sections and tags end. In a malformed document it may be wrong, but the parser stops
/// there.
enum XMLPreflight {
  /// Attributes of one element, including namespace declarations. UPnP uses about ten.
  static let maximumAttributes = 64
  /// Namespace declarations of one document.
  static let maximumNamespaces = 256

  /// - Parameter document: in an encoding with ASCII markup; see `XMLEncoding`.
  /// - Returns: why the document is refused; nil if it may be parsed.
  static func refusal(of document: UnsafeRawBufferPointer) -> XMLReadingError? {
    var namespaces = 0
    var rest = document[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let close = terminatorOfNonElement(rest) {
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

  private static func terminatorOfNonElement(_ rest: Slice<UnsafeRawBufferPointer>) -> StaticString? {
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

  /// - Returns: whether the tag is within the limits.
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
