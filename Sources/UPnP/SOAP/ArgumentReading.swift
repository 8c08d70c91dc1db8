/// What came of reading an argument's text.
public enum ArgumentReading<Value: Sendable>: Sendable {
  case value(Value)
  /// Of the right type, but none of the values that there are.
  case notAllowed
  /// Not of the type at all.
  case wrongType
}
