/// Parses the XML of service descriptions: elements, attributes and text. Strict, since all input files are ours.
///
/// The generator uses no XML library: a cross build would need that library for the host as well.
struct XMLReader {
  private var rest: Substring
  private let text: String
  /// An earlier position, so that counting lines takes linear time.
  private var mark: (line: Int, index: String.Index)

  static func read(_ text: String) throws(ServiceXMLError) -> XMLElement {
    var reader = XMLReader(text)
    try reader.skipMisc()
    let root = try reader.element()
    try reader.skipMisc()
    guard reader.rest.isEmpty else { throw reader.error("text after the end of the document") }
    return root
  }

  private init(_ text: String) {
    self.text = text
    rest = text[...]
    mark = (1, text.startIndex)
  }

  /// The current line, from 1.
  private var line: Int { mark.line + text[mark.index..<rest.startIndex].count { $0.isNewline } }

  private func error(_ message: String) -> ServiceXMLError {
    ServiceXMLError(message, line: line)
  }

  private mutating func skip(_ prefix: String) -> Bool {
    guard rest.hasPrefix(prefix) else { return false }
    rest.removeFirst(prefix.count)
    return true
  }

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  /// Skips whitespace, comments and the XML declaration.
  private mutating func skipMisc() throws(ServiceXMLError) {
    while true {
      skipBlanks()
      if skip("<?") {
        _ = try upTo("?>")
      } else if skip("<!--") {
        _ = try upTo("-->")
      } else {
        return
      }
    }
  }

  private mutating func upTo(_ end: String) throws(ServiceXMLError) -> Substring {
    guard let range = rest.firstRange(of: end) else { throw error("no \(end)") }
    defer { rest = rest[range.upperBound...] }
    return rest[..<range.lowerBound]
  }

  private mutating func name() throws(ServiceXMLError) -> String {
    let name = rest.prefix { $0.isLetter || $0.isNumber || "_:-.".contains($0) }
    guard !name.isEmpty else { throw error("a name is expected") }
    rest = rest[name.endIndex...]
    return String(name)
  }

  private mutating func element() throws(ServiceXMLError) -> XMLElement {
    let line = line
    mark = (line, rest.startIndex)
    guard skip("<") else { throw error("an element is expected") }
    var element = XMLElement(name: try name(), line: line)
    while true {
      skipBlanks()
      if skip("/>") { return element }
      if skip(">") { break }
      let attribute = try name()
      guard skip("=\"") else { throw error("\(attribute) has no value in double quotes") }
      guard element.attributes.updateValue(try unescape(try upTo("\"")), forKey: attribute) == nil else {
        throw error("the attribute \(attribute) occurs twice")
      }
    }
    while true {
      element.text += try unescape(rest.prefix { $0 != "<" })
      rest = rest.drop { $0 != "<" }
      if skip("<!--") {
        _ = try upTo("-->")
      } else if skip("</") {
        guard try name() == element.name else {
          throw error("the end tag does not match <\(element.name)> in line \(line)")
        }
        skipBlanks()
        guard skip(">") else { throw error("no > after </\(element.name)") }
        break
      } else {
        element.children.append(try self.element())
      }
    }
    element.text = String(element.text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    return element
  }

  private func unescape(_ text: Substring) throws(ServiceXMLError) -> String {
    guard text.contains("&") else { return String(text) }
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      guard let end = rest[start...].firstIndex(of: ";"),
        let character = Self.entities[String(rest[start...end])]
      else { throw error("an entity other than the five predefined ones") }
      result += character
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static let entities = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'"]
}

/// An element of a service description.
struct XMLElement: Equatable {
  var name: String
  /// The line of the start tag, from 1.
  var line: Int
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The text directly inside, without surrounding whitespace.
  var text = ""

  func error(_ message: String) -> ServiceXMLError { ServiceXMLError(message, line: line) }

  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The text of a required child.
  func required(_ name: String) throws(ServiceXMLError) -> String {
    guard let text = child(name)?.text, !text.isEmpty else {
      throw error("<\(self.name)> has no <\(name)>")
    }
    return text
  }
}
