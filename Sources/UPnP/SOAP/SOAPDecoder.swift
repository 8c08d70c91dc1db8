/// Reads SOAP requests as tolerantly as real control points require: any prefixes, a byte order mark, a missing declaration,
/// other declared encodings, arguments in any order, unescaped metadata.
package enum SOAPDecoder {
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(SOAPDecodingError) -> SOAPRequest {
    let request: SOAPRequest?
    do throws(XMLReadingError) {
      guard let reader = XMLPullReader(bytes) else { throw .malformed }
      request = try read(reader)
      // The rest must be well-formed, too: the request may be truncated.
      while try reader.next() != nil {}
    } catch {
      throw .unreadable(error)
    }
    guard let request else { throw .noAction }
    return request
  }

  private static func read(_ reader: borrowing XMLPullReader) throws(XMLReadingError) -> SOAPRequest? {
    guard try descend(to: "Envelope", in: reader), try descend(to: "Body", in: reader),
      let (action, isEmpty) = try nextElement(in: reader)
    else { return nil }
    let namespace = reader.namespace
    let arguments = isEmpty ? [] : try self.arguments(in: reader)
    return SOAPRequest(action: action, namespace: namespace, arguments: ActionArguments(arguments))
  }

  /// Enters the next child element with this local name, skipping others such as a SOAP Header.
  /// - Returns: whether there is one with content.
  private static func descend(to name: String, in reader: borrowing XMLPullReader) throws(XMLReadingError) -> Bool {
    while let (found, isEmpty) = try nextElement(in: reader) {
      if found == name { return !isEmpty }
      if !isEmpty { try skipElement(in: reader) }
    }
    return false
  }

  /// The next child element; nil at the end of the parent.
  private static func nextElement(
    in reader: borrowing XMLPullReader
  ) throws(XMLReadingError) -> (name: String, isEmpty: Bool)? {
    while let node = try reader.next() {
      switch node {
      case .start(let isEmpty): return (reader.localName, isEmpty)
      case .end: return nil
      case .text: continue
      }
    }
    return nil
  }

  private static func skipElement(in reader: borrowing XMLPullReader) throws(XMLReadingError) {
    let depth = reader.depth
    while let node = try reader.next() {
      if node == .end, reader.depth == depth { return }
    }
  }

  private static func arguments(
    in reader: borrowing XMLPullReader
  ) throws(XMLReadingError) -> [(String, String)] {
    var arguments: [(String, String)] = []
    while let (name, isEmpty) = try nextElement(in: reader) {
      arguments.append((name, isEmpty ? "" : try value(in: reader)))
    }
    return arguments
  }

  /// The text of the current argument. Elements in it are restored as text, for control points that do not escape their
  /// DIDL-Lite.
  private static func value(in reader: borrowing XMLPullReader) throws(XMLReadingError) -> String {
    let depth = reader.depth
    var text = ""
    var hasElements = false
    while let node = try reader.next() {
      switch node {
      case .text: text += hasElements ? XMLEscape.text(reader.text) : reader.text
      case .start(let isEmpty):
        if !hasElements {
          text = XMLEscape.text(text)
          hasElements = true
        }
        text += "<" + reader.qualifiedName
        for (name, value) in reader.attributes { text += " \(name)=\"\(XMLEscape.attribute(value))\"" }
        text += isEmpty ? "/>" : ">"
      case .end where reader.depth == depth: return text
      case .end: text += "</\(reader.qualifiedName)>"
      }
    }
    throw .malformed
  }
}

/// The action in a SOAP body (UDA 1.1 §3.2.1).
package struct SOAPRequest: Sendable, Hashable {
  /// The local name of the element in the body: the action.
  package var action: String
  /// The element's namespace: the service type, although some control points send something else.
  package var namespace: String
  package var arguments: ActionArguments
}

/// Why a body is not a SOAP request.
package enum SOAPDecodingError: Error, Hashable, CustomStringConvertible {
  case unreadable(XMLReadingError)
  /// Well-formed XML without an action in an envelope's body.
  case noAction

  package var description: String {
    switch self {
    case .unreadable(let error): "the body is \(error)"
    case .noAction: "the body is not a SOAP envelope with an action"
    }
  }
}

/// The SOAPACTION header: `"urn:…:service:…#Action"`, with or without its quotes (UDA 1.1 §3.2.1 wants them).
package struct SOAPAction: Hashable {
  package var serviceType: URN
  package var action: String

  package init?(_ header: String) {
    var header = header
    guard let parsed = header.withUTF8({ SOAPAction(utf8: $0) }) else { return nil }
    self = parsed
  }

  private init?(utf8 header: UnsafeBufferPointer<UInt8>) {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var text = header[...]
    while let byte = text.first, isBlank(byte) { text.removeFirst() }
    while let byte = text.last, isBlank(byte) { text.removeLast() }
    if text.first == UInt8(ascii: "\"") { text = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") } }
    guard let hash = text.lastIndex(of: UInt8(ascii: "#")), hash + 1 < text.endIndex,
      let type = URN(utf8: UnsafeBufferPointer(rebasing: text[..<hash])), type.kind == .service
    else { return nil }
    serviceType = type
    action = String(decoding: UnsafeBufferPointer(rebasing: text[(hash + 1)...]), as: UTF8.self)
  }
}
