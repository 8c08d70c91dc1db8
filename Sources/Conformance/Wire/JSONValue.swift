/// A JSON text (RFC 8259), as some OpenHome variables contain it.
indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Nil if the text is not JSON.
  init?(_ text: String) {
    var reader = JSONReader(text)
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// A whole number.
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

  subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
}

private struct JSONReader {
  private static let maximumDepth = 20

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  var isAtEnd: Bool { rest.allSatisfy(Self.isSpace) }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { [" ", "\t", "\r", "\n"].contains(scalar) }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth < Self.maximumDepth else { return nil }
    skipSpaces()
    switch rest.first {
    case "[": return array(depth)
    case "{": return object(depth)
    case "\"": return string().map { .string($0) }
    case "t": return word("true", .bool(true))
    case "f": return word("false", .bool(false))
    case "n": return word("null", .null)
    default: return number()
    }
  }

  private mutating func skipSpaces() { rest = rest.drop(while: Self.isSpace) }

  private mutating func word(_ word: String, _ value: JSONValue) -> JSONValue? {
    guard rest.starts(with: word.unicodeScalars) else { return nil }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return value
  }

  /// Skips spaces and this character; false if another one follows.
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == scalar else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func array(_ depth: Int) -> JSONValue? {
    guard skip("[") else { return nil }
    if skip("]") { return .array([]) }
    var elements: [JSONValue] = []
    repeat {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
    } while skip(",")
    return skip("]") ? .array(elements) : nil
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    guard skip("{") else { return nil }
    if skip("}") { return .object([:]) }
    var members: [String: JSONValue] = [:]
    repeat {
      skipSpaces()
      guard let name = string(), skip(":"), let member = value(depth: depth + 1) else { return nil }
      members[name] = member
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func number() -> JSONValue? {
    let text = String(rest.prefix { "+-.eE".unicodeScalars.contains($0) || ("0"..."9").contains($0) })
    rest = rest.dropFirst(text.unicodeScalars.count)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard digits.first?.isNumber == true, digits.first != "0" || digits.dropFirst().first?.isNumber != true else {
      return nil
    }
    return Double(text).map { .number($0) }
  }

  private mutating func string() -> String? {
    guard rest.first == "\"" else { return nil }
    rest = rest.dropFirst()
    var units: [UInt16] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(validating: units, as: UTF16.self)
      case "\\":
        guard let unit = escaped() else { return nil }
        units.append(unit)
      case "\0"..<" ": return nil
      default: units += Array(String(scalar).utf16)
      }
    }
    return nil
  }

  /// The UTF-16 code unit after a backslash.
  private mutating func escaped() -> UInt16? {
    guard let scalar = rest.popFirst() else { return nil }
    switch scalar {
    case "\"", "\\", "/": return UInt16(scalar.value)
    case "b": return 8
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "u":
      let digits = String(rest.prefix(4))
      rest = rest.dropFirst(4)
      return digits.count == 4 ? UInt16(digits, radix: 16) : nil
    default: return nil
    }
  }
}
