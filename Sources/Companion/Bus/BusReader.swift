import CSystemd
import Glibc

/// Decodes the arguments of a message. Limits how many values, how much text and how much nesting another program can
/// send.
struct BusReader {
  private let message: OpaquePointer
  private var valuesLeft = 65_536
  private var textLeft = 1 << 20
  private static let maximumDepth = 32

  init(_ message: OpaquePointer) { self.message = message }

  /// Decodes all arguments.
  static func arguments(of message: OpaquePointer) throws(BusError) -> [BusValue] {
    var reader = BusReader(message)
    return try reader.values(depth: 0)
  }

  /// Reads the values up to the end of the container.
  private mutating func values(depth: Int) throws(BusError) -> [BusValue] {
    guard depth <= Self.maximumDepth else { throw .tooLarge }
    var values: [BusValue] = []
    while let value = try value(depth: depth) { values.append(value) }
    return values
  }

  /// Reads the next value; nil at the end of the container.
  private mutating func value(depth: Int) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let result = sd_bus_message_peek_type(message, &type, &contents)
    guard result >= 0 else { throw .unexpectedReply }
    guard result > 0 else { return nil }
    // Copied, since the next peek frees it.
    let signature = contents.map { String(cString: $0) } ?? ""
    try spend(1)
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"): return try array(type, signature, depth)
    case UInt8(ascii: "r"):
      return .structure(try inside(type, signature) { reader throws(BusError) in try reader.values(depth: depth + 1) })
    case UInt8(ascii: "v"):
      let values = try inside(type, signature) { reader throws(BusError) in try reader.values(depth: depth + 1) }
      guard let value = values.first else { throw .unexpectedReply }
      return .variant(value)
    default: return try basic(type)
    }
  }

  private mutating func array(_ type: CChar, _ signature: String, _ depth: Int) throws(BusError) -> BusValue {
    if signature == "y" { return .bytes(try bytes()) }
    guard signature.hasPrefix("{"), signature.hasSuffix("}"), signature.utf8.count >= 4 else {
      let values = try inside(type, signature) { reader throws(BusError) in try reader.values(depth: depth + 1) }
      return .array(of: signature, values)
    }
    let entry = String(signature.dropFirst().dropLast())
    var values: [BusValue: BusValue] = [:]
    try inside(type, signature) { reader throws(BusError) in
      while try reader.isAtEnd == false {
        let pair = try reader.inside(CChar(UInt8(ascii: "e")), entry) { reader throws(BusError) in
          try reader.values(depth: depth + 2)
        }
        guard pair.count == 2 else { throw .unexpectedReply }
        values[pair[0]] = pair[1]
      }
    }
    return .dictionary(key: String(entry.prefix(1)), value: String(entry.dropFirst()), values)
  }

  private mutating func bytes() throws(BusError) -> [UInt8] {
    var start: UnsafeRawPointer?
    var count = 0
    guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count) >= 0 else {
      throw .unexpectedReply
    }
    try spend(count)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private mutating func basic(_ type: CChar) throws(BusError) -> BusValue {
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): .byte(try number(type, 0))
    case UInt8(ascii: "b"): .bool(try number(type, Int32(0)) != 0)
    case UInt8(ascii: "n"): .int16(try number(type, 0))
    case UInt8(ascii: "q"): .uint16(try number(type, 0))
    case UInt8(ascii: "i"): .int32(try number(type, 0))
    case UInt8(ascii: "u"): .uint32(try number(type, 0))
    case UInt8(ascii: "x"): .int64(try number(type, 0))
    case UInt8(ascii: "t"): .uint64(try number(type, 0))
    case UInt8(ascii: "d"): .double(try number(type, 0))
    case UInt8(ascii: "s"): .string(try text(type))
    case UInt8(ascii: "o"): .path(try text(type))
    case UInt8(ascii: "g"): .signature(try text(type))
    case UInt8(ascii: "h"): .descriptor(try descriptor(type))
    default: throw .unexpectedReply
    }
  }

  private func number<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) throws(BusError) -> Value {
    var value = zero
    guard sd_bus_message_read_basic(message, type, &value) > 0 else { throw .unexpectedReply }
    return value
  }

  private mutating func text(_ type: CChar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, type, &text) > 0, let text else { throw .unexpectedReply }
    textLeft -= strlen(text)
    guard textLeft >= 0 else { throw .tooLarge }
    return String(cString: text)
  }

  private func descriptor(_ type: CChar) throws(BusError) -> BusDescriptor {
    // Duplicate it, because the message closes its own.
    guard let descriptor = BusDescriptor(duplicating: try number(type, Int32(-1))) else { throw .unexpectedReply }
    return descriptor
  }

  // MARK: Containers

  private mutating func inside<Value>(
    _ type: CChar, _ signature: String, _ body: (inout BusReader) throws(BusError) -> Value
  ) throws(BusError) -> Value {
    guard sd_bus_message_enter_container(message, type, signature) > 0 else { throw .unexpectedReply }
    let value = try body(&self)
    guard sd_bus_message_exit_container(message) > 0 else { throw .unexpectedReply }
    return value
  }

  private var isAtEnd: Bool {
    get throws(BusError) {
      let result = sd_bus_message_at_end(message, 0)
      guard result >= 0 else { throw .unexpectedReply }
      return result > 0
    }
  }

  private mutating func spend(_ count: Int) throws(BusError) {
    valuesLeft -= count
    guard valuesLeft >= 0 else { throw .tooLarge }
  }
}
