import PlaybackModel

/// The JSON of Pins:1, with the member names of OpenHome's own player.
enum PinJSON {
  /// Upper limit of ids per ReadList: more than IdArray ever has.
  private static let mostIDs = 64

  /// The pins with these ids: an empty pin for each 0, since controllers ask for the whole IdArray and expect as many
  /// answers; unknown ids are skipped.
  /// - Parameter ids: a JSON array of numbers.
  /// - Returns: nil if `ids` is anything else.
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
