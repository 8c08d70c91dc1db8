/// An element of a small XML document, as much of XML as a service description needs: elements, attributes, text.
struct XMLElement: Equatable {
  var name: String
  /// Where it begins, from 1.
  var line: Int
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The text directly inside, without blanks at its ends.
  var text = ""

  func error(_ message: String) -> ServiceXMLError { ServiceXMLError(message, line: line) }

  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The text of a child that has to be there.
  func required(_ name: String) throws(ServiceXMLError) -> String {
    guard let text = child(name)?.text, !text.isEmpty else {
      throw error("<\(self.name)> has no <\(name)>")
    }
    return text
  }
}
