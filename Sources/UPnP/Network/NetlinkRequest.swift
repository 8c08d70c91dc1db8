import CLinux
import Glibc
import NIOCore

/// A request for all links or all IPv4 addresses (rtnetlink(7)).
enum NetlinkRequest: Sendable, Hashable {
  case links(sequence: UInt32)
  case addresses(sequence: UInt32)

  /// The request as written to the socket.
  var bytes: ByteBuffer {
    switch self {
    case .links(let sequence):
      Self.message(type: RTM_GETLINK, sequence: sequence, family: AF_UNSPEC, bodySize: MemoryLayout<ifinfomsg>.size)
    case .addresses(let sequence):
      Self.message(type: RTM_GETADDR, sequence: sequence, family: AF_INET, bodySize: MemoryLayout<ifaddrmsg>.size)
    }
  }

  /// - Parameter bodySize: of the message's own header, which begins with the family and is otherwise zero.
  private static func message(type: Int, sequence: UInt32, family: CInt, bodySize: Int) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(
      UInt32(MemoryLayout<nlmsghdr>.size + bodySize), UInt16(type), UInt16(NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH),
      sequence, UInt32(0), endianness: .host)
    buffer.writeInteger(UInt8(family))
    buffer.writeRepeatingByte(0, count: bodySize - 1)
    return buffer
  }
}
