import NIOCore

@testable import UPnP

/// A datagram of the kernel's.
enum NetlinkTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let messages = NetlinkMessage.read(ByteBuffer(bytes: input))
    check(messages.count <= input.count / 16 + 1, "\(messages.count) messages in \(input.count) bytes")
  }
}
