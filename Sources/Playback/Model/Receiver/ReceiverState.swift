/// The sender of the source Songcast, which survives a restart.
public struct ReceiverState: Sendable, Equatable {
  /// Address of the sender's zone or stream; empty for none.
  public var uri: String
  /// DIDL-Lite of the sender.
  public var metadata: String

  public init(uri: String = "", metadata: String = "") {
    self.uri = uri
    self.metadata = metadata
  }
}
