import PlaybackModel

extension RadioState {
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
