/// A service as DNS-SD announces it (RFC 6763).
public struct DNSSDService: Sendable, Hashable {
  /// The instance's name, for people to read. Cut to 63 bytes, the longest that DNS can hold.
  public var name: String
  /// `_openhome._tcp`
  public var type: String
  public var port: UInt16
  /// The TXT record, each entry `key=value`, at most 255 bytes.
  public var txt: [String]
  /// The index of the only interface that it is announced on; nil for all. A TXT record that holds an address of ours is
  /// right on one interface only.
  public var interfaceIndex: Int?

  public init(name: String, type: String, port: UInt16, txt: [String], interfaceIndex: Int? = nil) {
    self.name = name
    self.type = type
    self.port = port
    self.txt = txt
    self.interfaceIndex = interfaceIndex
  }
}
