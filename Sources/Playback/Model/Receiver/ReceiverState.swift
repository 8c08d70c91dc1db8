/// The sender of the source Songcast, which survives a restart.
public struct ReceiverState: Sendable, Equatable {
  /// Address of the sender's zone or stream; empty for none.
  public var uri: String
  /// DIDL-Lite of the sender.
  public var metadata: String
  /// Whether it is received, or waited for: a member of a group belongs to it again after a restart.
  public var isJoined: Bool

  public init(uri: String = "", metadata: String = "", isJoined: Bool = false) {
    self.uri = uri
    self.metadata = metadata
    self.isJoined = isJoined
  }
}
