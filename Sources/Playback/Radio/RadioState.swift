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

  // MARK: As a file

  /// Nil for a text that does not say it; keys of a later version are passed over.
  public init?(_ text: StateText) {
    guard let uri = text["uri"], let metadata = text["metadata"], let presetID = text.value("preset", as: UInt32.self)
    else { return nil }
    self.init(uri: uri, metadata: metadata, presetID: presetID)
  }

  public var text: StateText {
    var text = StateText()
    text.add("uri", uri)
    text.add("metadata", metadata)
    text.add("preset", presetID)
    return text
  }
}
