/// Something to play that one has put within reach: a station, a list, a source.
///
/// Which kind of thing it is, and how its address is written, is the business of whoever plays it.
public struct Pin: Sendable, Hashable {
  public var mode: String
  public var type: String
  public var uri: String
  public var title: String
  public var description: String
  /// The address of a picture; empty for none.
  public var artworkURI: String
  public var shuffles: Bool

  public init(
    mode: String, type: String, uri: String, title: String = "", description: String = "", artworkURI: String = "",
    shuffles: Bool = false
  ) {
    self.mode = mode
    self.type = type
    self.uri = uri
    self.title = title
    self.description = description
    self.artworkURI = artworkURI
    self.shuffles = shuffles
  }
}
