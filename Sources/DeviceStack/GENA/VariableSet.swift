/// A set of a service's variables by their index in the `VariableStore`; at most 64, which no service comes near.
public struct VariableSet: OptionSet, Sendable, Hashable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public init(index: Int) { self.init(rawValue: 1 << UInt64(index)) }

  /// The indices 0 ..< count.
  public static func all(_ count: Int) -> VariableSet {
    VariableSet(rawValue: count >= 64 ? .max : (1 << UInt64(count)) - 1)
  }

  /// The members in ascending order.
  public var indices: some Sequence<Int> {
    sequence(state: rawValue) { rest in
      guard rest != 0 else { return nil }
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      return index
    }
  }
}
