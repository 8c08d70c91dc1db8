/// Named values, in order: one section of the settings in the state database.
///
/// A name may occur more than once. Values may hold any text.
public struct StateText: Sendable, Equatable {
  struct Line: Sendable, Equatable {
    var key: String
    var value: String
  }

  private(set) var lines: [Line] = []

  public init() {}

  public mutating func add(_ key: String, _ value: some LosslessStringConvertible) {
    lines.append(Line(key: key, value: value.description))
  }

  /// The first value with the name; nil if there is none.
  public subscript(key: String) -> String? { lines.first { $0.key == key }?.value }

  /// The first value with the name, as a number or a Bool; nil if there is none or it is not one.
  public func value<T: LosslessStringConvertible>(_ key: String, as type: T.Type = T.self) -> T? {
    self[key].flatMap(T.init)
  }

  /// All values with the name, in order.
  public func values(_ key: String) -> [String] { lines.filter { $0.key == key }.map(\.value) }
}
