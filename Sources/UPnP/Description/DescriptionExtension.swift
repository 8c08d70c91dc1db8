/// An element from another schema in a device description.
public struct DescriptionExtension: Sendable, Hashable {
  /// The prefix that controllers expect, although XML would allow any.
  public var prefix: String
  public var namespace: String
  public var name: String
  public var text: String

  public init(prefix: String, namespace: String, name: String, text: String) {
    self.prefix = prefix
    self.namespace = namespace
    self.name = name
    self.text = text
  }
}
