import UPnP

/// A parsed XML document.
enum XMLText {
  struct Malformed: Error { var text: String }

  /// An element without child elements: the local names on its path, and its text.
  typealias Leaf = (path: [String], text: String)

  static func leaves(of document: String) throws -> [Leaf] {
    var leaves: [Leaf] = []
    var path: [String] = []
    var text = ""
    var isLeaf = false
    try read(document) { reader, node in
      switch node {
      case .start(let isEmpty):
        path.append(reader.localName)
        (text, isLeaf) = ("", true)
        if !isEmpty { break }
        fallthrough
      case .end:
        if isLeaf { leaves.append((path, text)) }
        path.removeLast()
        isLeaf = false
      case .text: text += reader.text
      }
    }
    return leaves
  }

  /// Every element with its local name, namespace and attributes.
  static func elements(
    of document: String
  ) throws -> [(name: String, namespace: String, attributes: [String: String])] {
    var elements: [(String, String, [String: String])] = []
    try read(document) { reader, node in
      guard case .start = node else { return }
      let attributes = Dictionary(reader.attributes.map { ($0.name, $0.value) }) { first, _ in first }
      elements.append((reader.localName, reader.namespace, attributes))
    }
    return elements
  }

  private static func read(
    _ document: String, _ body: (borrowing XMLPullReader, XMLPullReader.Node) -> Void
  ) throws {
    var text = document
    try text.withUTF8 { bytes in
      guard let reader = XMLPullReader(UnsafeRawBufferPointer(bytes)) else { throw Malformed(text: document) }
      while let node = try reader.next() { body(reader, node) }
    }
  }
}
