import Glibc

/// Checks a document before it is parsed. The parser's time grows with the square of an element's attributes and with the
/// namespaces in scope, so a body within all other limits could block it for minutes.
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
    var index = 0
    while true {
      index = position(of: UInt8(ascii: "<"), in: document, from: index)
      guard index < document.count else { return nil }
      if let close = terminatorOfNonElement(document, at: index) {
        guard let end = end(of: close, in: document, from: index) else { return nil }
        index = end
      } else if has("<!", document, at: index) {
        return .documentType
      } else {
        guard skipTag(document, &index, &namespaces) else { return .tooComplex }
      }
    }
  }

  /// The index of the next such byte; the end of the document if there is none.
  private static func position(of byte: UInt8, in document: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard start < document.count, let base = document.baseAddress,
      let found = memchr(base + start, Int32(byte), document.count - start)
    else { return document.count }
    return UnsafeRawPointer(found) - base
  }

  private static func terminatorOfNonElement(_ document: UnsafeRawBufferPointer, at index: Int) -> StaticString? {
    if has("<?", document, at: index) { return "?>" }
    if has("<!--", document, at: index) { return "-->" }
    return has("<![CDATA[", document, at: index) ? "]]>" : nil
  }

  private static func has(_ text: StaticString, _ document: UnsafeRawBufferPointer, at index: Int) -> Bool {
    guard document.count - index >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      for offset in 0..<text.count where document[index + offset] != text[offset] { return false }
      return true
    }
  }

  /// The index after the text; nil if it does not occur.
  private static func end(of text: StaticString, in document: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index < document.count {
      if has(text, document, at: index) { return index + text.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }

  /// Moves `index` past the tag.
  /// - Returns: whether the tag is within the limits.
  private static func skipTag(_ document: UnsafeRawBufferPointer, _ index: inout Int, _ namespaces: inout Int) -> Bool {
    var attributes = 0
    while index < document.count {
      let byte = document[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = position(of: byte, in: document, from: index) + 1
      case UInt8(ascii: "="):
        attributes += 1
        if attributes > maximumAttributes { return false }
      case UInt8(ascii: "x") where has("mlns", document, at: index):
        namespaces += 1
        if namespaces > maximumNamespaces { return false }
      case UInt8(ascii: ">"): return true
      default: break
      }
    }
    return true
  }
}
