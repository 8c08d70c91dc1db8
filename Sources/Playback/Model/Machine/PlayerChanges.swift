/// What has changed since the last notice.
public struct PlayerChanges: OptionSet, Sendable, CustomStringConvertible {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let state = PlayerChanges(rawValue: 1 << 0)
  /// The current item, or the current track of it, is another one; or its tracks have become known.
  public static let item = PlayerChanges(rawValue: 1 << 1)
  /// The item to follow is another one, or none.
  public static let next = PlayerChanges(rawValue: 1 << 2)
  public static let duration = PlayerChanges(rawValue: 1 << 3)
  /// The position jumped: a seek, the start of a track, a stop. Its steady advance is not told.
  public static let position = PlayerChanges(rawValue: 1 << 4)
  public static let volume = PlayerChanges(rawValue: 1 << 5)
  public static let mute = PlayerChanges(rawValue: 1 << 6)
  public static let streamInfo = PlayerChanges(rawValue: 1 << 7)
  /// A live stream told another title, or a play list calls the track something else.
  public static let title = PlayerChanges(rawValue: 1 << 8)
  public static let error = PlayerChanges(rawValue: 1 << 9)
  /// `canPause` or `canSeek`.
  public static let capabilities = PlayerChanges(rawValue: 1 << 10)
  /// Whether the current item is repeated.
  public static let repeatsOne = PlayerChanges(rawValue: 1 << 11)
  /// It stopped by itself: heard to the end, or nothing is left that can be heard. A failure of the device is none.
  public static let finished = PlayerChanges(rawValue: 1 << 12)
  /// Another source is the current one.
  public static let source = PlayerChanges(rawValue: 1 << 13)
  /// Standby began or ended.
  public static let standby = PlayerChanges(rawValue: 1 << 14)
  public static let balance = PlayerChanges(rawValue: 1 << 15)
  public static let volumeLimit = PlayerChanges(rawValue: 1 << 16)
  /// What was asked for with `readList` is known.
  public static let list = PlayerChanges(rawValue: 1 << 17)
  /// The audio device was found, or is gone.
  public static let output = PlayerChanges(rawValue: 1 << 18)

  /// What `SpeakerState` is made of.
  public static let ofSpeaker: PlayerChanges = [.volume, .mute, .balance, .source, .standby]
  /// What a source has of its own: all of it may differ when another one becomes current.
  package static let ofDeck: PlayerChanges = [
    .state, .item, .next, .duration, .position, .streamInfo, .title, .error, .capabilities, .repeatsOne,
  ]

  public var description: String {
    let names = [
      "state", "item", "next", "duration", "position", "volume", "mute", "streamInfo", "title", "error", "capabilities",
      "repeatsOne", "finished", "source", "standby", "balance",
      "volumeLimit", "list", "output",
    ]
    return names.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: "+")
  }
}
