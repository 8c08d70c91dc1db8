import NIOCore

/// What the kernel is asked: to tell all that it has, rtnetlink(7).
enum NetlinkRequest: Sendable, Hashable {
  case links(sequence: UInt32)
  case addresses(sequence: UInt32)

  /// As it is written to the socket.
  var bytes: ByteBuffer {
    switch self {
    case .links(let sequence):
      // ifinfomsg of no family in particular: family, type, index, flags, change.
      Self.message(type: 18, sequence: sequence, body: [UInt8](repeating: 0, count: 16))
    case .addresses(let sequence):
      // ifaddrmsg for AF_INET: family, prefix length, flags, scope, index.
      Self.message(type: 22, sequence: sequence, body: [2] + [UInt8](repeating: 0, count: 7))
    }
  }

  private static func message(type: UInt16, sequence: UInt32, body: [UInt8]) -> ByteBuffer {
    let isRequestForAll: UInt16 = 0x301  // NLM_F_REQUEST, NLM_F_DUMP
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(
      UInt32(16 + body.count), type, isRequestForAll, sequence, UInt32(0),
      endianness: .host)
    buffer.writeBytes(body)
    return buffer
  }
}
