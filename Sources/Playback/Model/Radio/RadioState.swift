/// The channel that the radio was on: kept over restarts.
public struct RadioState: Sendable, Equatable {
  /// Empty for none.
  public var uri: String
  public var metadata: String
  /// The id of the preset that was chosen; 0 for a channel that was not chosen as one.
  public var presetID: UInt32

  public init(uri: String = "", metadata: String = "", presetID: UInt32 = 0) {
    self.uri = uri
    self.metadata = metadata
    self.presetID = presetID
  }
}
