import CLibXML2

/// libxml2's pull reader, hardened: no network, no document types, only the five predefined entities, limited depth.
///
/// `next()` advances through the document. The other properties describe the current node.
package struct XMLPullReader: ~Copyable {
  /// The kind of the current node.
  package enum Node: Sendable, Equatable {
    case start(isEmpty: Bool)
    case end
    case text
  }

  /// The deepest nesting of elements.
  package static let maximumDepth = 64

  private let reader: xmlTextReaderPtr
  /// The UTF-8 copy of a document in UTF-16.
  private let converted: UnsafeMutableRawBufferPointer?
  private let refusal: XMLReadingError?

  /// Ignores blanks before the XML declaration, although XML forbids them.
  /// - Parameter bytes: the document; must stay valid while it is read.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    let document = UnsafeRawBufferPointer(rebasing: Self.withoutLeadingBlanks(bytes))
    guard let encoding = XMLEncoding(document) else { return nil }
    let copy = Self.converted(document, encoding)
    let readable = copy.map { UnsafeRawBufferPointer($0) } ?? document
    guard let reader = Self.open(readable, encoding) else {
      copy?.deallocate()
      return nil
    }
    self.reader = reader
    converted = copy
    refusal = XMLPreflight.refusal(of: readable)
  }

  private static func converted(
    _ document: UnsafeRawBufferPointer, _ encoding: XMLEncoding
  ) -> UnsafeMutableRawBufferPointer? {
    guard case .utf16(let isBigEndian) = encoding else { return nil }
    var text = XMLEncoding.utf8(ofUTF16: document, isBigEndian: isBigEndian)
    return text.withUTF8 { utf8 in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: utf8.count, alignment: 1)
      copy.copyBytes(from: utf8)
      return copy
    }
  }

  private static func open(_ document: UnsafeRawBufferPointer, _ encoding: XMLEncoding) -> xmlTextReaderPtr? {
    let name = if case .named(let name) = encoding { name } else { "utf-8" }
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    guard let base = document.baseAddress?.assumingMemoryBound(to: CChar.self),
      let count = Int32(exactly: document.count)
    else { return nil }
    swiftlet_silence_libxml2()
    return xmlReaderForMemory(base, count, nil, name, Int32(bitPattern: options))
  }

  /// Also removes a byte order mark.
  private static func withoutLeadingBlanks(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let rest = bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { return rest.dropFirst(3) }
    // Other bytes may be half of a UTF-16 character.
    return rest.first == UInt8(ascii: "<") && rest.dropFirst().first != 0 ? rest : bytes[...]
  }

  deinit {
    xmlFreeTextReader(reader)
    converted?.deallocate()
  }

  /// The start or end of the next element, or text; nil at the end of the document.
  package func next() throws(XMLReadingError) -> Node? {
    if let refusal { throw refusal }
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

  /// The nesting depth of the current node; 0 for the root element.
  package var depth: Int { Int(xmlTextReaderDepth(reader)) }

  /// The name without its prefix, declared or not.
  package var localName: String {
    let name = string(xmlTextReaderConstLocalName(reader))
    return name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
  }

  /// The name with its prefix, as written.
  package var qualifiedName: String { string(xmlTextReaderConstName(reader)) }

  /// The namespace of the element; empty for none.
  package var namespace: String { string(xmlTextReaderConstNamespaceUri(reader)) }

  /// The text of the current node, with its entities resolved.
  package var text: String { string(xmlTextReaderConstValue(reader)) }

  /// The attributes of the current element, including namespace declarations, as written.
  package var attributes: [(name: String, value: String)] {
    var result: [(String, String)] = []
    while xmlTextReaderMoveToNextAttribute(reader) == 1 { result.append((qualifiedName, text)) }
    xmlTextReaderMoveToElement(reader)
    return result
  }

  private func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}

/// Why a document is refused.
package enum XMLReadingError: Error, Sendable, Hashable, CustomStringConvertible {
  case malformed
  /// A document type declaration or a custom entity. UPnP uses neither, and entities can expand to huge documents.
  case documentType
  case tooDeep
  /// Far more elements, attributes or namespaces than UPnP uses.
  case tooComplex

  package var description: String {
    switch self {
    case .malformed: "not well-formed XML"
    case .documentType: "XML with a document type declaration"
    case .tooDeep: "XML nested too deeply"
    case .tooComplex: "XML with too many elements, attributes or namespaces"
    }
  }
}
