/// One output argument.
public struct ActionResult: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// Before escaping.
    case text(String)
    case nested(NestedXML)
  }

  var name: String
  var content: Content

  public init(_ name: String, _ value: some ArgumentValue) {
    self.name = name
    content = .text(value.upnpText)
  }

  public init(_ name: String, _ value: NestedXML) {
    self.name = name
    content = .nested(value)
  }
}
