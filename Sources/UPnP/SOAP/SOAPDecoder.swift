/// Reads SOAP requests as controllers really send them: any prefixes, a byte order mark, no declaration, other
/// encodings where declared, arguments in any order, metadata that somebody forgot to escape.
package enum SOAPDecoder {
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(SOAPDecodingError) -> SOAPRequest {
    let request: SOAPRequest?
    do throws(XMLReadingError) {
      guard let reader = XMLPullReader(bytes) else { throw .malformed }
      request = try read(reader)
      // What follows has to be well-formed too: half a request is none.
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

  /// Into the next child element of this local name, past others (a SOAP Header); whether there is one with contents.
  private static func descend(to name: String, in reader: borrowing XMLPullReader) throws(XMLReadingError) -> Bool {
    while let (found, isEmpty) = try nextElement(in: reader) {
      if found == name { return !isEmpty }
      if !isEmpty { try skipElement(in: reader) }
    }
    return false
  }

  /// The next element before the end of the one around it; nil at that end.
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

  /// The text of the argument whose start has been read, up to its end. Elements inside it are put back as they were
  /// written, for the sake of controllers that do not escape their DIDL-Lite.
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
