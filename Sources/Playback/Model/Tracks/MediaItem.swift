/// What somebody asked to hear: an address, and what they said about it.
public struct MediaItem: Sendable, Equatable {
  /// The address of the sound, byte for byte as it was given.
  public var uri: String
  /// What the giver wrote about the item (DIDL-Lite, as a rule). Kept and handed back, never read here.
  public var metadata: String
  /// How long the giver says it is (`res@duration`): used where the stream itself does not tell.
  public var duration: Duration?
  /// What the giver knows it by, such as the id of a playlist's track; never read here.
  public var tag: UInt32

  public init(uri: String, metadata: String = "", duration: Duration? = nil, tag: UInt32 = 0) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration
    self.tag = tag
  }
}
