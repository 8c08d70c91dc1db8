/// One header line.
public struct Header: Sendable, Equatable {
  /// The name as it stands on the wire.
  public var name: String
  /// The value, without surrounding blanks.
  public var value: String

  /// A header line.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
