/// A row of places with a pin in each, or none. Every pin has an id that no other pin has had before.
public struct PinSet: Sendable, Equatable {
  /// How many places there are: as many as the keys on the front of the players that had pins first.
  public static let count = 6

  package struct Place: Sendable, Equatable {
    package var id: UInt32
    package var pin: Pin

    package init(id: UInt32, pin: Pin) {
      self.id = id
      self.pin = pin
    }
  }

  package var places: [Place?] = Array(repeating: nil, count: count)
  package var nextID: UInt32 = 1

  public init() {}

  /// From the first place to the last; 0 for one without a pin.
  public var ids: [UInt32] { places.map { $0?.id ?? 0 } }

  public subscript(id: UInt32) -> Pin? { id == 0 ? nil : places.lazy.compactMap { $0 }.first { $0.id == id }?.pin }

  /// - Returns: nil for a place without a pin.
  public func pin(at index: UInt32) throws(PinError) -> Pin? { places[try checked(index)]?.pin }

  /// Replaces the pin at an index. An equal pin is no change and keeps its id.
  public mutating func set(_ pin: Pin, at index: UInt32) throws(PinError) {
    let index = try checked(index)
    guard places[index]?.pin != pin else { return }
    places[index] = Place(id: nextID, pin: pin)
    nextID = nextID == .max ? 1 : nextID + 1
    skipUsedIDs()
  }

  /// After four thousand million of them it begins again.
  package mutating func skipUsedIDs() {
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
