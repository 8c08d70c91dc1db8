/// A station that the configuration names.
public struct RadioPreset: Sendable, Hashable {
  public var title: String
  /// The address of the stream, or of a play list that leads to it.
  public var uri: String
  /// The address of a picture; nil for none.
  public var artwork: String?

  public init(title: String, uri: String, artwork: String? = nil) {
    self.title = title
    self.uri = uri
    self.artwork = artwork
  }
}
