/// What Product says of the speaker itself, beside its sources.
public struct ProductDescription: Sendable {
  /// What most controllers show: the room that it stands in. At most 40 bytes.
  public let room: String
  /// What it is called within the room. At most 20 bytes.
  public let name: String
  public var manufacturer: String
  public var model: String
  /// A few words for people.
  public var info: String
  /// The path of the icon on our HTTP server, from `/`.
  public var iconPath: String

  /// The sizes of OpenHome's own player, which some controllers have room for and no more.
  private static let roomBytes = 40
  private static let nameBytes = 20

  /// - Parameters: longer texts are cut after the last whole character that has room.
  public init(
    room: String, name: String, manufacturer: String, model: String, info: String, iconPath: String
  ) {
    self.room = room.cut(toBytes: Self.roomBytes)
    self.name = name.cut(toBytes: Self.nameBytes)
    self.manufacturer = manufacturer
    self.model = model
    self.info = info
    self.iconPath = iconPath
  }
}

extension String {
  /// As many whole characters as fit.
  fileprivate func cut(toBytes limit: Int) -> String {
    var bytes = 0
    return String(
      prefix {
        bytes += $0.utf8.count
        return bytes <= limit
      })
  }
}
