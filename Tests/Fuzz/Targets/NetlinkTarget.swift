import NIOCore

@testable import Network

/// A netlink datagram from the kernel.
enum NetlinkTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let messages = NetlinkMessage.read(ByteBuffer(bytes: input))
    check(messages.count <= input.count / 16 + 1, "\(messages.count) messages in \(input.count) bytes")
  }
}
