/// One output argument as text, before escaping.
public struct ActionResult: Sendable, Hashable {
  public var name: String
  public var text: String

  public init(_ name: String, _ value: some ArgumentValue) {
    self.name = name
    text = value.upnpText
  }
}
