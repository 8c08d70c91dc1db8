import PlaybackModel

extension PinSet {
  /// How many ids may have been given in a second that the disk has not heard of, when the power goes.
  private static let reserve: UInt32 = 100

  /// What a pin has of each, in this order.
  private static let keys = ["place", "id", "mode", "type", "uri", "title", "description", "artwork", "shuffle"]

  /// Nil for a text that does not say it; keys of a later version are passed over.
  public init?(_ text: StateText) {
    guard let nextID = text.value("next", as: UInt32.self), nextID > 0 else { return nil }
    let columns = Self.keys.map(text.values)
    guard let count = columns.first?.count, columns.allSatisfy({ $0.count == count }) else { return nil }
    self.init()
    for row in 0..<count {
      let values = columns.map { $0[row] }
      guard let index = Int(values[0]), places.indices.contains(index), places[index] == nil,
        let id = UInt32(values[1]), id > 0, self[id] == nil, let shuffles = Bool(values[8])
      else { return nil }
      let pin = Pin(
        mode: values[2], type: values[3], uri: values[4], title: values[5], description: values[6],
        artworkURI: values[7], shuffles: shuffles)
      places[index] = Place(id: id, pin: pin)
    }
    self.nextID = nextID
    skipUsedIDs()
  }

  /// The next id is saved with a margin: ids of the last second before a kill must not be given away again.
  public var text: StateText {
    var text = StateText()
    text.add("next", nextID > .max - Self.reserve ? 1 : nextID + Self.reserve)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      let pin = place.pin
      let values = [
        "\(index)", "\(place.id)", pin.mode, pin.type, pin.uri, pin.title, pin.description, pin.artworkURI,
        "\(pin.shuffles)",
      ]
      for (key, value) in zip(Self.keys, values) { text.add(key, value) }
    }
    return text
  }
}
