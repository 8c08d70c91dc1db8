import UPnP

/// An XML element with all its content. Descriptions and answers are small enough to be held in memory.
package struct XMLElement: Sendable, Hashable {
  /// The local name.
  package var name: String
  /// The namespace; empty for none, and if the prefix is not declared.
  package var namespace: String
  /// The attributes by name as written, without namespace declarations.
  package var attributes: [String: String]
  /// The text directly in the element, verbatim.
  package var content: String
  package var children: [XMLElement]

  /// The first such child.
  package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The text directly in the element, without blanks around it.
  package var text: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    let bytes = content.utf8
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(content[start...end])
  }

  /// The text of the first child of that name, without blanks around it; nil if there is none.
  package func text(_ name: String) -> String? { self[name]?.text }

  package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Reads documents into elements.
package enum XMLDocument {
  /// More elements in one document are refused.
  static let maximumElements = 50_000

  package struct Reading: Sendable {
    package var root: XMLElement
    /// The repairs that made the document readable, one sentence each.
    package var repairs: [String] = []
    /// The document after the repairs; nil if there were none.
    var repaired: [UInt8]?
  }

  /// Reads a document. One that is not well-formed only because of unescaped or forbidden characters is repaired.
  /// - Throws: when it cannot be read, has a document type, or is nested more than 64 deep.
  package static func read(_ bytes: [UInt8]) throws(XMLReadingError) -> Reading {
    do throws(XMLReadingError) {
      return Reading(root: try element(bytes))
    } catch {
      guard error == .malformed, let repair = XMLRepair(bytes) else { throw error }
      guard let root = try? element(repair.bytes) else { throw error }
      return Reading(root: root, repairs: repair.sentences, repaired: repair.bytes)
    }
  }

  private static func element(_ bytes: [UInt8]) throws(XMLReadingError) -> XMLElement {
    let result = bytes.withUnsafeBytes { bytes -> Result<XMLElement, XMLReadingError> in
      do throws(XMLReadingError) {
        guard let reader = XMLPullReader(bytes) else { throw .malformed }
        return .success(try root(reader))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func root(_ reader: borrowing XMLPullReader) throws(XMLReadingError) -> XMLElement {
    var open: [XMLElement] = []
    var root: XMLElement?
    var count = 0
    func close() {
      guard let element = open.popLast() else { return }
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
    while let node = try reader.next() {
      switch node {
      case .start(let isEmpty):
        count += 1
        guard count <= maximumElements else { throw .tooComplex }
        let attributes = reader.attributes.filter { $0.name != "xmlns" && !$0.name.hasPrefix("xmlns:") }
        open.append(
          XMLElement(
            name: reader.localName, namespace: reader.namespace,
            attributes: Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first }, content: "",
            children: []))
        if isEmpty { close() }
      case .end: close()
      case .text: if !open.isEmpty { open[open.count - 1].content += reader.text }
      }
    }
    guard let root else { throw .malformed }
    return root
  }
}
