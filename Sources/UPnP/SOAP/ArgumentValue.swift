/// A UPnP data type as a Swift type (UDA 1.1 §2.5, table 2-3).
public protocol ArgumentValue: Sendable {
  /// Reads a value as it stands in a request.
  static func read(_ text: String) -> ArgumentReading<Self>
  /// The value as it stands in answers and events, before escaping.
  var upnpText: String { get }
}

/// An enum of a variable's allowed values. Case counts: `play` is not `Play`.
public protocol AllowedValue: RawRepresentable<String>, ArgumentValue, CaseIterable, Hashable {}

extension AllowedValue {
  public static func read(_ text: String) -> ArgumentReading<Self> {
    Self(rawValue: String(text.trimmingBlanks)).map { .value($0) } ?? .notAllowed
  }

  public var upnpText: String { rawValue }
}

extension String: ArgumentValue {
  /// Verbatim: blanks in a URI or in metadata are the controller's business.
  public static func read(_ text: String) -> ArgumentReading<String> { .value(text) }
  public var upnpText: String { self }
}

extension Bool: ArgumentValue {
  /// The three spellings of each that UDA allows, in any case because some controllers send `True`.
  public static func read(_ text: String) -> ArgumentReading<Bool> {
    switch text.trimmingBlanks.lowercased() {
    case "1", "true", "yes": .value(true)
    case "0", "false", "no": .value(false)
    default: .wrongType
    }
  }

  public var upnpText: String { self ? "1" : "0" }
}

extension ArgumentValue where Self: FixedWidthInteger {
  public static func read(_ text: String) -> ArgumentReading<Self> {
    let text = text.trimmingBlanks
    if let value = Self(text) { return .value(value) }
    var digits = text.utf8[...]
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    // A number that the type cannot hold is out of range, not of another type.
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) } ? .notAllowed : .wrongType
  }

  public var upnpText: String { String(self) }
}

extension UInt8: ArgumentValue {}
extension UInt16: ArgumentValue {}
extension UInt32: ArgumentValue {}
extension Int8: ArgumentValue {}
extension Int16: ArgumentValue {}
extension Int32: ArgumentValue {}

extension [UInt8]: ArgumentValue {
  public static func read(_ text: String) -> ArgumentReading<[UInt8]> {
    Base64.decode(text.utf8).map { .value($0) } ?? .wrongType
  }

  public var upnpText: String { Base64.encode(self) }
}

extension String {
  /// Without the blanks of XML at its ends.
  package var trimmingBlanks: Substring {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
