import Glibc

/// A D-Bus value.
package indirect enum BusValue: Sendable, Hashable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Sent up to its first NUL.
  case string(String)
  case path(String)
  case signature(String)
  case descriptor(BusDescriptor)
  /// Elements that all have this signature.
  case array(of: String, [BusValue])
  case dictionary(key: String, value: String, [BusValue: BusValue])
  case structure([BusValue])
  case variant(BusValue)

  package var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{\(key)\(value)}"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .variant: "v"
    }
  }
}

/// A file descriptor that came with a message. Closed when it is released.
package final class BusDescriptor: Sendable, Hashable {
  package let number: Int32

  /// Duplicates the descriptor. Nil if that fails.
  init?(duplicating descriptor: Int32) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    number = copy
  }

  deinit { close(number) }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// MARK: Building

extension BusValue {
  /// `a{sv}`, the usual form of options and properties.
  package static func options(_ values: [String: BusValue]) -> BusValue {
    .dictionary(
      key: "s", value: "v",
      Dictionary(uniqueKeysWithValues: values.map { (.string($0.key), .variant($0.value)) }))
  }

  package static func strings(_ strings: [String]) -> BusValue { .array(of: "s", strings.map { .string($0) }) }

  package static func bytes(_ bytes: [UInt8]) -> BusValue { .array(of: "y", bytes.map { .byte($0) }) }
}

// MARK: Reading. Nil for a value of another type; variants are opened.

extension BusValue {
  /// The value inside a variant; any other value itself.
  package var content: BusValue { if case .variant(let value) = self { value.content } else { self } }

  package var string: String? { if case .string(let value) = content { value } else { nil } }
  package var path: String? { if case .path(let value) = content { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = content { value } else { nil } }
  package var double: Double? { if case .double(let value) = content { value } else { nil } }
  package var descriptor: BusDescriptor? { if case .descriptor(let value) = content { value } else { nil } }

  /// The value of any integer type; nil if it exceeds `Int`.
  package var integer: Int? {
    switch content {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  package var array: [BusValue]? { if case .array(_, let values) = content { values } else { nil } }

  package var bytes: [UInt8]? {
    guard case .array("y", let values) = content else { return nil }
    return values.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
  }

  package var strings: [String]? {
    guard case .array("s", let values) = content else { return nil }
    return values.compactMap(\.string)
  }

  package var dictionary: [BusValue: BusValue]? {
    if case .dictionary(_, _, let values) = content { values } else { nil }
  }

  /// The entries of an `a{sv}`, without their variants.
  package var options: [String: BusValue]? {
    guard case .dictionary("s", "v", let values) = content else { return nil }
    return Dictionary(
      values.compactMap { key, value in key.string.map { ($0, value.content) } },
      uniquingKeysWith: { first, _ in first })
  }
}
