import CLinux
import Glibc
import NIOCore

/// Opens sockets on which the kernel reports changes of the network.
package enum NetlinkSocket {
  /// Opens a socket that does not block. The caller closes it.
  /// - Parameter groups: the changes to report, such as `RTMGRP_LINK`.
  /// - Throws: if the socket cannot be opened.
  package static func open(groups: CInt) throws(IOError) -> CInt {
    let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(AF_NETLINK, type, NETLINK_ROUTE)
    guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket(AF_NETLINK)") }
    // The kernel chooses the port.
    let address = sockaddr_nl(
      nl_family: UInt16(AF_NETLINK), nl_pad: 0, nl_pid: 0, nl_groups: UInt32(bitPattern: groups))
    let result = withUnsafeBytes(of: address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { bind(socket, $0.baseAddress, socklen_t(bytes.count)) }
    }
    guard result == 0 else {
      let error = IOError(errnoCode: errno, reason: "bind(AF_NETLINK)")
      close(socket)
      throw error
    }
    return socket
  }
}
