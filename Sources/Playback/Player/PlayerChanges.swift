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
  /// A live stream told another title.
  public static let title = PlayerChanges(rawValue: 1 << 8)
  public static let error = PlayerChanges(rawValue: 1 << 9)
  /// `canPause` or `canSeek`.
  public static let capabilities = PlayerChanges(rawValue: 1 << 10)
  /// Whether the current item is repeated.
  public static let repeatsOne = PlayerChanges(rawValue: 1 << 11)

  public var description: String {
    let names = [
      "state", "item", "next", "duration", "position", "volume", "mute", "streamInfo", "title", "error", "capabilities",
      "repeatsOne",
    ]
    return names.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: "+")
  }
}
