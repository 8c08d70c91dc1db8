/// A shortcut to something playable, such as a station, a playlist or a source.
///
/// The meaning of `mode`, `type` and `uri` is defined by the service that plays pins.
public struct Pin: Sendable, Hashable {
  public var mode: String
  public var type: String
  public var uri: String
  public var title: String
  public var description: String
  /// Empty for none.
  public var artworkURI: String
  public var shuffles: Bool

  public init(
    mode: String, type: String, uri: String, title: String = "", description: String = "", artworkURI: String = "",
    shuffles: Bool = false
  ) {
    self.mode = mode
    self.type = type
    self.uri = uri
    self.title = title
    self.description = description
    self.artworkURI = artworkURI
    self.shuffles = shuffles
  }
}

/// The reason for refusing a change of the pins. A refused change leaves the pins unchanged.
public enum PinError: Error, Sendable, Equatable {
  case indexOutOfRange
  case idNotFound
}

/// A fixed number of places, each with a pin or empty. Every pin gets an id that no pin has had before.
public struct PinSet: Sendable, Equatable {
  /// Number of places: Linn's players, the first with pins, have six keys.
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

  /// The id in each place; 0 for an empty one.
  public var ids: [UInt32] { places.map { $0?.id ?? 0 } }

  public subscript(id: UInt32) -> Pin? { id == 0 ? nil : places.lazy.compactMap { $0 }.first { $0.id == id }?.pin }

  /// - Returns: nil for an empty place.
  public func pin(at index: UInt32) throws(PinError) -> Pin? { places[try checked(index)]?.pin }

  /// Replaces the pin at an index. Setting an equal pin changes nothing and keeps the id.
  public mutating func set(_ pin: Pin, at index: UInt32) throws(PinError) {
    let index = try checked(index)
    guard places[index]?.pin != pin else { return }
    places[index] = Place(id: nextID, pin: pin)
    nextID = nextID == .max ? 1 : nextID + 1
    skipUsedIDs()
  }

  /// Ids start again at 1 after 2³² − 1, and skip those in use.
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

/// The pins of this speaker with their observers. Lives on the player's executor.
public final class PinBoard {
  public private(set) var pins: PinSet
  private let save: (PinSet) -> Void
  private var observers: [() -> Void] = []

  /// - Parameter save: called after every change.
  public init(_ pins: PinSet = PinSet(), save: @escaping (PinSet) -> Void = { _ in }) {
    self.pins = pins
    self.save = save
  }

  /// Calls the body after every change.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// Performs a change. A step that leaves the pins equal is neither saved nor reported.
  public func change(_ step: (inout PinSet) throws(PinError) -> Void) throws(PinError) {
    let before = pins
    try step(&pins)
    guard pins != before else { return }
    save(pins)
    for observer in observers { observer() }
  }
}
