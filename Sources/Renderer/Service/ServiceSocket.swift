import Glibc

/// The datagram socket that NOTIFY_SOCKET names, in the file system or in Linux's abstract namespace (sd_notify(3)).
struct ServiceSocket: Sendable, Equatable {
  /// Seconds to wait for a manager that does not read.
  private static let patience = 10

  private let path: String

  /// - Parameter path: absolute, or `@` and an abstract name. nil for anything else, and for names that are too long.
  init?(_ path: String) {
    let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    guard (2...longest).contains(path.utf8.count), path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
    self.path = path
  }

  /// Sends the notices in one datagram. Blocks while the manager's queue is full, as can happen at boot.
  /// - Returns: 0, else errno. Callers ignore it: the manager itself reports missing notices.
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
    // The length ends an abstract name; a zero ends a path.
    let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let length = socklen_t(header + name.count + (isAbstract ? 0 : 1))
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
