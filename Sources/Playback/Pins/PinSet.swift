/// A row of places with a pin in each, or none. Every pin has an id that no other pin has had before.
public struct PinSet: Sendable, Equatable {
  /// How many places there are: as many as the keys on the front of the players that had pins first.
  public static let count = 6

  private struct Place: Sendable, Equatable {
    var id: UInt32
    var pin: Pin
  }

  private var places: [Place?] = Array(repeating: nil, count: count)
  private var nextID: UInt32 = 1

  public init() {}

  /// From the first place to the last; 0 for one without a pin.
  public var ids: [UInt32] { places.map { $0?.id ?? 0 } }

  public subscript(id: UInt32) -> Pin? { id == 0 ? nil : places.lazy.compactMap { $0 }.first { $0.id == id }?.pin }

  /// - Returns: nil for a place without a pin.
  public func pin(at index: UInt32) throws(PinError) -> Pin? { places[try checked(index)]?.pin }

  /// Puts a pin in a place, in place of what was there. The same one again is no change, and keeps its id.
  public mutating func set(_ pin: Pin, at index: UInt32) throws(PinError) {
    let index = try checked(index)
    guard places[index]?.pin != pin else { return }
    places[index] = Place(id: nextID, pin: pin)
    nextID = nextID == .max ? 1 : nextID + 1
    skipUsedIDs()
  }

  /// After four thousand million of them it begins again.
  private mutating func skipUsedIDs() {
    while self[nextID] != nil { nextID = nextID == .max ? 1 : nextID + 1 }
  }

  public mutating func clear(_ id: UInt32) throws(PinError) {
    guard id != 0, let index = ids.firstIndex(of: id) else { throw .idNotFound }
    places[index] = nil
  }

  public mutating func swap(_ first: UInt32, _ second: UInt32) throws(PinError) {
    places.swapAt(try checked(first), try checked(second))
  }

  private func checked(_ index: UInt32) throws(PinError) -> Int {
    guard index < places.count else { throw .indexOutOfRange }
    return Int(index)
  }
}

// MARK: As a file

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

  /// Whoever reads it goes on with ids that nobody has had, though some may have been given since.
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
