/// A track of the playlist, as it was given.
public struct PlaylistTrack: Sendable, Equatable {
  /// The address of the sound, byte for byte.
  public let uri: String
  /// What the giver wrote about the track (DIDL-Lite, as a rule), byte for byte.
  public let metadata: String

  public init(uri: String, metadata: String) {
    self.init(packedURI: Self.packed(uri), metadata: Self.packed(metadata))
  }

  /// - Parameter packedURI: takes no more memory than it needs, and neither does the metadata.
  package init(packedURI: String, metadata: String) {
    uri = packedURI
    self.metadata = metadata
  }

  /// Of the address and the metadata.
  package var bytes: Int { uri.utf8.count + metadata.utf8.count }

  /// The same text in no more memory than it takes. Text that was put together from pieces has room to grow, as much
  /// again at worst, and a list holds thousands of them.
  private static func packed(_ text: String) -> String {
    var text = text
    return text.withUTF8 { String(decoding: $0, as: UTF8.self) }
  }
}
