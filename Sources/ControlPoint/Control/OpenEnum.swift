import UPnP

/// An enum of the values that a specification lists for a variable. Any other text of a device is preserved.
/// Two values are equal if their texts are.
public protocol OpenEnum: RawRepresentable<String>, ArgumentValue, Hashable {
  /// The values of the specification, in its order.
  static var specified: [Self] { get }
  /// A value that the specification does not list.
  static func other(_ text: String) -> Self
}

extension OpenEnum {
  public init(rawValue: String) {
    self = Self.specified.first { $0.rawValue == rawValue } ?? .other(rawValue)
  }

  /// Specified values may have blanks around them; all others are verbatim.
  public static func read(_ text: String) -> ArgumentReading<Self> {
    let trimmed = text.trimmingBlanks
    return .value(specified.first { $0.rawValue == trimmed } ?? .other(text))
  }

  public var upnpText: String { rawValue }
}
