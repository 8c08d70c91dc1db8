/// A UPnP data type as a Swift type (UDA 1.1 §2.5, table 2-3).
public protocol ArgumentValue: Sendable {
  /// Parses the text of an argument in a request.
  static func read(_ text: String) -> ArgumentReading<Self>
  /// The text in answers and events, before escaping.
  var upnpText: String { get }
}

/// An enum of a variable's allowed values. Case-sensitive: `play` is not `Play`.
public protocol AllowedValue: RawRepresentable<String>, ArgumentValue, CaseIterable, Hashable {}

extension AllowedValue {
  public static func read(_ text: String) -> ArgumentReading<Self> {
    Self(rawValue: String(text.trimmingBlanks)).map { .value($0) } ?? .notAllowed
  }

  public var upnpText: String { rawValue }
}

extension String: ArgumentValue {
  /// Takes the text verbatim, including blanks at the ends.
  public static func read(_ text: String) -> ArgumentReading<String> { .value(text) }
  public var upnpText: String { self }
}

extension Bool: ArgumentValue {
  /// Accepts the three spellings of each value in UDA 1.1, in any case, since some control points send `True`.
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
    // A number that does not fit the type is out of range, not of the wrong type.
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
  /// The text without XML white space at its ends.
  package var trimmingBlanks: Substring {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

/// The result of parsing an argument.
public enum ArgumentReading<Value: Sendable>: Sendable {
  case value(Value)
  /// The right type, but not an allowed value.
  case notAllowed
  /// The text is not of the type.
  case wrongType
}

/// Base64 (RFC 4648 §4), for the data type bin.base64.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
      bytes.withUnsafeBufferPointer { bytes in
        alphabet.withUnsafeBufferPointer { alphabet in
          var written = 0
          var start = 0
          while start < bytes.count {
            let count = min(3, bytes.count - start)
            var bits = Int(bytes[start]) << 16
            if count > 1 { bits |= Int(bytes[start + 1]) << 8 }
            if count > 2 { bits |= Int(bytes[start + 2]) }
            output[written] = alphabet[bits >> 18]
            output[written + 1] = alphabet[bits >> 12 & 63]
            output[written + 2] = count > 1 ? alphabet[bits >> 6 & 63] : UInt8(ascii: "=")
            output[written + 3] = count > 2 ? alphabet[bits & 63] : UInt8(ascii: "=")
            written += 4
            start += 3
          }
          return written
        }
      }
    }
  }

  /// Ignores white space between characters, as XML Schema requires. Returns nil for invalid base64.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var characters = 0
    var padding = 0
    for character in text where character != 0x20 && !(0x09...0x0D).contains(character) {
      characters += 1
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: character) else { return nil }
      bits = (bits << 6 | value) & 0xFF_FFFF
      switch characters % 4 {
      case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
      case 3: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
      case 0: bytes.append(UInt8(truncatingIfNeeded: bits))
      default: break
      }
    }
    return characters % 4 == 0 && padding <= 2 ? bytes : nil
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
