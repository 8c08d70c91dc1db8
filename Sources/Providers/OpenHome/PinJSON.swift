import Playback

/// Pins as Pins:1 writes them, with the names that OpenHome's own player gives their members.
enum PinJSON {
  /// More than any array of ids that we have given out.
  private static let mostIDs = 64

  /// The pins with these ids: an empty one for every 0, since controllers ask for the whole IdArray and count on as
  /// many answers; none for an id that no pin has any more.
  /// - Parameter ids: an array of numbers, as JSON.
  /// - Returns: nil if the ids are no such array.
  static func list(ids: String, of pins: PinSet) -> String? {
    guard let ids = JSONText.numbers(ids, limit: mostIDs) else { return nil }
    return JSONText.array(ids.compactMap { id in id == 0 ? object(0, nil) : pins[id].map { object(id, $0) } })
  }

  static func ids(of pins: PinSet) -> String { JSONText.array(pins.ids.map { "\($0)" }) }

  private static func object(_ id: UInt32, _ pin: Pin?) -> String {
    JSONText.object([
      "id": "\(id)", "mode": JSONText.string(pin?.mode ?? ""), "type": JSONText.string(pin?.type ?? ""),
      "uri": JSONText.string(pin?.uri ?? ""), "title": JSONText.string(pin?.title ?? ""),
      "description": JSONText.string(pin?.description ?? ""),
      "artworkUri": JSONText.string(pin?.artworkURI ?? ""), "shuffle": "\(pin?.shuffles ?? false)",
    ])
  }
}
