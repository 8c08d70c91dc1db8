/// The arguments of a request, by local name, unparsed.
public struct ActionArguments: Sendable, Hashable {
  private var values: [String: String] = [:]
  private var repeated: Set<String> = []

  /// - Parameter pairs: names and texts.
  public init(_ pairs: some Sequence<(String, String)>) {
    for (name, text) in pairs where values.updateValue(text, forKey: name) != nil { repeated.insert(name) }
  }

  /// Checks that every argument is present once and of its type. Unknown arguments are ignored, since some control points
  /// send more.
  /// - Throws: 402 (Invalid Args).
  public func expect(_ arguments: KeyValuePairs<String, any ArgumentValue.Type>) throws(ActionFault) {
    for (name, type) in arguments {
      guard let text = values[name], !repeated.contains(name), Self.isOfType(type, text) else { throw .invalidArgs }
    }
  }

  /// Checks that the instance is 0, the only one that exists.
  /// - Throws: 402 if it is not a number, `fault` for another instance.
  public func checkInstance(_ name: String, fault: ActionFault) throws(ActionFault) {
    let _: UInt32 = try value(name, in: 0...0, fault: fault)
  }

  /// Parses an argument.
  /// - Parameter fault: thrown for a value that is not allowed.
  /// - Throws: 402 for a missing argument or one of the wrong type.
  public func value<Value: ArgumentValue>(
    _ name: String, fault: ActionFault = .argumentValueOutOfRange
  ) throws(ActionFault) -> Value {
    guard let text = values[name] else { throw .invalidArgs }
    switch Value.read(text) {
    case .value(let value): return value
    case .notAllowed: throw fault
    case .wrongType: throw .invalidArgs
    }
  }

  /// Parses a number within the SCPD's allowedValueRange.
  /// - Parameter fault: thrown for a value outside the range.
  /// - Throws: 402 for a missing argument or one of the wrong type.
  public func value<Value: ArgumentValue & FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Value>, fault: ActionFault = .argumentValueOutOfRange
  ) throws(ActionFault) -> Value {
    let value: Value = try value(name, fault: fault)
    guard range.contains(value) else { throw fault }
    return value
  }

  private static func isOfType<Value: ArgumentValue>(_ type: Value.Type, _ text: String) -> Bool {
    if case .wrongType = type.read(text) { false } else { true }
  }
}
