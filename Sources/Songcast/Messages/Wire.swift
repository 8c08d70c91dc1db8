import NIOCore

/// Why a datagram is not a valid Songcast message.
package enum WireError: Error, Hashable, CustomStringConvertible {
  /// Neither OHM nor OHZ, or the other one of them.
  case foreign
  case version(UInt8)
  case type(UInt8)
  /// The header announces another size than the datagram has.
  case size(announced: Int, actual: Int)
  /// The datagram ends within a field.
  case truncated(WireField)
  case tooLong(WireField, count: Int, limit: Int)
  case invalid(WireField, value: Int)
  /// Bytes follow the last field.
  case trailing(count: Int)

  package var description: String {
    switch self {
    case .foreign: "not a Songcast message of this kind"
    case .version(let version): "version \(version), only 1 is known"
    case .type(let type): "unknown type \(type)"
    case .size(let announced, let actual): "the header announces \(announced) bytes, the datagram has \(actual)"
    case .truncated(let field): "the datagram ends within \(field.rawValue)"
    case .tooLong(let field, let count, let limit): "\(field.rawValue): \(count) bytes, at most \(limit) are allowed"
    case .invalid(let field, let value): "\(field.rawValue): \(value) is not allowed"
    case .trailing(let count): "\(count) bytes follow the last field"
    }
  }
}

/// A field that a decoder may complain about.
package enum WireField: String, Sendable, Hashable {
  case header
  case audioHeader = "audio header"
  case sampleRate = "sample rate"
  case bitDepth = "bit depth"
  case channels
  case codec = "codec name"
  case audio, sequence
  case uri = "URI"
  case metadata, metatext, slaves, frames, zone, preset
}

/// Limits of the reference implementation, in bytes.
package enum WireLimits {
  package static let messageURI = 60
  package static let zone = 256
  package static let trackURI = 1024
  package static let codec = 29
  package static let audio = 5760
  /// Channels of a frame. The reference sends at most two.
  package static let channels: UInt8 = 8
  /// The largest payload of a UDP datagram over IPv4.
  package static let datagram = 65507
}

/// The header that OHM and OHZ share: magic, version 1, type, size of the datagram.
enum WireHeader {
  static let size = 8

  static func write(magic: UInt32, type: UInt8, into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(magic, UInt8(1), type, UInt16(0))
  }

  /// Sets the size, once the message is complete.
  static func seal(_ buffer: inout ByteBuffer) {
    buffer.setInteger(UInt16(truncatingIfNeeded: buffer.readableBytes), at: buffer.readerIndex + 6)
  }
}

/// Reads the fields of one datagram.
struct WireReader {
  private var buffer: ByteBuffer
  private(set) var type: UInt8

  init(_ datagram: ByteBuffer, magic: UInt32) throws(WireError) {
    buffer = datagram
    guard let (found, version, type, size) = buffer.readMultipleIntegers(as: (UInt32, UInt8, UInt8, UInt16).self) else {
      throw .truncated(.header)
    }
    guard found == magic else { throw .foreign }
    guard version == 1 else { throw .version(version) }
    guard Int(size) == datagram.readableBytes else {
      throw .size(announced: Int(size), actual: datagram.readableBytes)
    }
    self.type = type
  }

  mutating func integer<Value: FixedWidthInteger>(
    _ field: WireField, as type: Value.Type = Value.self
  ) throws(WireError) -> Value {
    guard let value = buffer.readInteger(as: type) else { throw .truncated(field) }
    return value
  }

  mutating func bytes(_ field: WireField, _ count: Int, limit: Int) throws(WireError) -> ByteBuffer {
    guard count <= limit else { throw .tooLong(field, count: count, limit: limit) }
    guard let slice = buffer.readSlice(length: count) else { throw .truncated(field) }
    return slice
  }

  /// Text, with invalid UTF-8 repaired.
  mutating func text(_ field: WireField, _ count: UInt32, limit: Int = WireLimits.datagram) throws(WireError) -> String
  {
    String(buffer: try bytes(field, Int(count), limit: limit))
  }

  /// The number of entries of a list, which must fit into the datagram.
  mutating func count(_ field: WireField, entrySize: Int) throws(WireError) -> Int {
    let count = try integer(field, as: UInt32.self)
    guard Int(count) * entrySize <= buffer.readableBytes else { throw .truncated(field) }
    return Int(count)
  }

  func end() throws(WireError) {
    guard buffer.readableBytes == 0 else { throw .trailing(count: buffer.readableBytes) }
  }
}
