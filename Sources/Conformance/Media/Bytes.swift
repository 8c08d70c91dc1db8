extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func append(littleEndian value: some FixedWidthInteger) { append(bigEndian: value.byteSwapped) }
}

/// Collects values of any number of bits.
struct BitWriter {
  enum Order {
    /// The first bit is the most significant one of its byte, as in MPEG audio and FLAC.
    case mostSignificantFirst
    /// The first bit is the least significant one of its byte, as in Vorbis.
    case leastSignificantFirst
  }

  private let order: Order
  private(set) var bytes: [UInt8] = []
  /// Free bits of the last byte.
  private var free = 0

  init(_ order: Order) { self.order = order }

  mutating func write(_ value: Int, bits: Int) {
    for position in 0..<bits {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      switch order {
      case .mostSignificantFirst:
        bytes[bytes.count - 1] |= UInt8(value >> (bits - 1 - position) & 1) << UInt8(free - 1)
      case .leastSignificantFirst:
        bytes[bytes.count - 1] |= UInt8(value >> position & 1) << UInt8(8 - free)
      }
      free -= 1
    }
  }

  /// The next value begins a byte.
  mutating func align() { free = 0 }
}

/// A cyclic redundancy check, most significant bit first, that starts with 0.
struct CRC<Value: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private let table: [Value]

  init(polynomial: Value) {
    table = (0..<256).map { index in
      (0..<8).reduce(Value(index) << Value(Value.bitWidth - 8)) { value, _ in
        value.leadingZeroBitCount == 0 ? value << 1 ^ polynomial : value << 1
      }
    }
  }

  func callAsFunction(_ bytes: some Sequence<UInt8>) -> Value {
    bytes.reduce(0) { value, byte in
      table[Int(UInt8(truncatingIfNeeded: value >> Value(Value.bitWidth - 8)) ^ byte)] ^ (value << 8)
    }
  }
}
