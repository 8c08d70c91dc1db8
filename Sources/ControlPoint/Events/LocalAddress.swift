import Glibc
import NIOCore
import UPnP

/// This machine's addresses.
package enum LocalAddress {
  /// The address that the kernel would send from to reach another host; nil without a route. Sends nothing.
  package static func reaching(_ address: IPAddress) -> IPAddress? {
    let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Any port will do.
    let result = address.socketAddress(port: 9).withSockAddr { connect(descriptor, $0, socklen_t($1)) }
    guard result == 0 else { return nil }
    var local = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &local) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return named == 0 ? IPAddress(SocketAddress(local)) : nil
  }
}
