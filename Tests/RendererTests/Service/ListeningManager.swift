import Glibc

/// A service manager: a datagram socket.
final class ListeningManager {
  /// The value of NOTIFY_SOCKET.
  let path: String
  private let descriptor: CInt

  struct SetupError: Error { let reason: CInt }

  /// - Parameter path: a path, or `@` and a name in the abstract namespace.
  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { field in
      field.copyBytes(from: Array(path.utf8))
      if path.hasPrefix("@") { field[0] = 0 }
    }
    // The length ends an abstract name. For a path, one byte more makes no difference.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard descriptor >= 0, result == 0 else { throw SetupError(reason: errno) }
  }

  deinit { close(descriptor) }

  /// The next datagram; nil after 30 s. Blocks no thread: the sender may need one of the few that run tasks.
  func next() async -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count >= 0 { return String(decoding: buffer[..<count], as: UTF8.self) }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }
}
