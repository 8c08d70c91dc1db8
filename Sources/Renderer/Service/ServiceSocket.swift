import Glibc

/// Where the service manager listens, as NOTIFY_SOCKET names it: a datagram socket in the file system, or in Linux's
/// abstract name space (sd_notify(3)).
struct ServiceSocket: Sendable, Equatable {
  /// How long a notice may wait for a manager that does not read, in seconds.
  private static let patience = 10

  private let path: String

  /// - Parameter path: absolute, or `@` and an abstract name. Nil for what is neither, or longer than an address can be.
  init?(_ path: String) {
    let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    guard (2...longest).contains(path.utf8.count), path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
    self.path = path
  }

  /// Sends the notices in one datagram. Waits where the manager has many to read, as at boot.
  /// - Returns: 0, else errno: there is nobody to complain to.
  @discardableResult
  func send(_ notices: [ServiceNotice]) -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
    let text = Array(notices.map(\.text).joined().utf8)
    let sent = withAddress { sendto(descriptor, text, text.count, CInt(MSG_NOSIGNAL), $0, $1) }
    return sent < 0 ? errno : 0
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int) -> Int {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = path.hasPrefix("@")
    let name = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
      field.copyBytes(from: name)
      if isAbstract { field[0] = 0 }
    }
    // An abstract name ends with the address, a path with a zero.
    let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let length = socklen_t(header + name.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
