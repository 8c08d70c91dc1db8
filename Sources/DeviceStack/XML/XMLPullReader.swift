import CLibXML2

/// libxml2's pull reader, hardened: no network, no document types, no entities beyond the five, limited depth.
///
/// A document is read front to back through `next()`; names and text are asked of the reader where it stands.
public struct XMLPullReader: ~Copyable {
  /// What the reader stands at.
  public enum Node: Sendable, Equatable {
    case start(isEmpty: Bool)
    case end
    case text
  }

  /// Elements within elements beyond this are refused.
  public static let maximumDepth = 64

  private let reader: xmlTextReaderPtr

  /// - Parameter bytes: the document; they have to stay where they are while it is read.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self), let count = Int32(exactly: bytes.count),
      let reader = xmlReaderForMemory(base, count, nil, nil, Int32(bitPattern: options))
    else { return nil }
    self.reader = reader
  }

  deinit { xmlFreeTextReader(reader) }

  /// The next element's start or end, or text; nil at the end of the document.
  public func next() throws(XMLReadingError) -> Node? {
    while true {
      let result = xmlTextReaderRead(reader)
      guard result >= 0 else { throw .malformed }
      guard result == 1 else { return nil }
      guard depth < Self.maximumDepth else { throw .tooDeep }
      switch UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
      case XML_READER_TYPE_ELEMENT.rawValue: return .start(isEmpty: xmlTextReaderIsEmptyElement(reader) == 1)
      case XML_READER_TYPE_END_ELEMENT.rawValue: return .end
      case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue, XML_READER_TYPE_WHITESPACE.rawValue,
        XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue:
        return .text
      case XML_READER_TYPE_DOCUMENT_TYPE.rawValue, XML_READER_TYPE_ENTITY_REFERENCE.rawValue: throw .documentType
      default: continue
      }
    }
  }

  /// 0 for the document's own element.
  public var depth: Int { Int(xmlTextReaderDepth(reader)) }

  /// The name without its prefix.
  public var localName: String { string(xmlTextReaderConstLocalName(reader)) }

  /// With its prefix, as written.
  public var qualifiedName: String { string(xmlTextReaderConstName(reader)) }

  /// The namespace of the element; empty for none.
  public var namespace: String { string(xmlTextReaderConstNamespaceUri(reader)) }

  /// The text where the reader stands, its entities resolved.
  public var text: String { string(xmlTextReaderConstValue(reader)) }

  /// The attributes of the element where the reader stands, namespace declarations among them, as written.
  public var attributes: [(name: String, value: String)] {
    var result: [(String, String)] = []
    while xmlTextReaderMoveToNextAttribute(reader) == 1 { result.append((qualifiedName, text)) }
    xmlTextReaderMoveToElement(reader)
    return result
  }

  private func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
