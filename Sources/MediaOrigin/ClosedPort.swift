import Glibc

/// A TCP port of 127.0.0.1 that refuses connections. It is bound without listening, so that no other server can get it,
/// and released on deinit.
public final class ClosedPort: Sendable {
  public let port: Int
  private let descriptor: Int32

  /// Binds a free port; nil if there is none.
  public init?() {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard bound else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    port = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(Target.encode(path: path))" }
}
