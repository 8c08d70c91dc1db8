/// A source of items for the player. One source is current.
public enum Source: Sendable, Hashable {
  /// The speaker's own list of tracks.
  case playlist
  /// A station or another single stream.
  case radio
  /// Items that a UPnP AV controller sets one by one.
  case upnpAV
  /// The stream of another speaker or program on the network: OpenHome's Songcast.
  case receiver
  /// A program of the configuration that writes sound, such as an AirPlay receiver.
  case program(ProgramName)

  /// The sources that every speaker has.
  public static let builtIn: [Source] = [.playlist, .radio, .upnpAV, .receiver]

  /// The name of the source for programs.
  public var word: String {
    switch self {
    case .playlist: "playlist"
    case .radio: "radio"
    case .upnpAV: "upnp"
    case .receiver: "receiver"
    case .program(let name): name.word
    }
  }

  /// Any other word is that of a program, which the speaker need not have. Nil for a text that is no word.
  public init?(word: String) {
    if let source = Self.builtIn.first(where: { $0.word == word }) {
      self = source
    } else {
      guard let name = ProgramName(word), name.word == word else { return nil }
      self = .program(name)
    }
  }

  /// The name that controllers and the page show. Controllers recognise sources by those of OpenHome's own player.
  public var name: String {
    switch self {
    case .playlist: "Playlist"
    case .radio: "Radio"
    case .upnpAV: "UPnP AV"
    case .receiver: "Songcast"
    case .program(let name): name.text
    }
  }
}

/// In documents, a source is its word.
extension Source: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let source = Self(word: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "No such source.")
    }
    self = source
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}
