/// The arguments of one action as they came, by local name and in any order.
public struct ActionArguments: Sendable, Hashable {
  private var values: [String: String] = [:]
  private var repeated: Set<String> = []

  public init(_ pairs: some Sequence<(name: String, text: String)>) {
    for (name, text) in pairs where values.updateValue(text, forKey: name) != nil { repeated.insert(name) }
  }

  /// Every argument is there, and once; ones that the action has not are passed over, since some controllers send more.
  /// - Throws: 402.
  public func expect(_ names: [String]) throws(ActionFault) {
    for name in names where values[name] == nil || repeated.contains(name) { throw .invalidArgs }
  }

  /// The instance is 0, the only one that we have.
  /// - Throws: 402 for what is no number, `fault` for another instance.
  public func checkInstance(_ name: String, fault: ActionFault) throws(ActionFault) {
    let _: UInt32 = try value(name, in: 0...0, fault: fault)
  }

  /// One argument as its type.
  /// - Parameters:
  ///   - range: the SCPD's allowedValueRange.
  ///   - fault: for a value outside the allowed list or range.
  /// - Throws: 402 for a missing argument or one of the wrong type.
  public func value<Value: ArgumentValue>(
    _ name: String, in range: ClosedRange<Int>? = nil, fault: ActionFault = .argumentValueOutOfRange
  ) throws(ActionFault) -> Value {
    guard let text = values[name] else { throw .invalidArgs }
    switch Value.read(text) {
    case .value(let value):
      if let range, let number = value as? any BinaryInteger, !range.contains(Int(number)) { break }
      return value
    case .notAllowed: break
    case .wrongType: throw .invalidArgs
    }
    throw fault
  }
}
