import Glibc

/// The Unix socket on which a running swiftlet sends its status, as JSON, to every client.
enum StatusSocket {
  private static let name = "/status"

  /// The default path for serving: systemd's RuntimeDirectory, else the system's folder for root, else the user's own (XDG
  /// Base Directory 0.8), else nil.
  static func place(_ environment: [String: String]) -> String? {
    if let folder = runtimeDirectory(environment) { return folder + name }
    return geteuid() == 0 ? system : user(environment)
  }

  /// The default paths for `swiftlet status`, in order. The server can run as another user.
  static func places(_ environment: [String: String]) -> [String] {
    [runtimeDirectory(environment).map { $0 + name }, user(environment), system].compactMap(\.self)
  }

  private static let system = "/run/swiftlet" + name

  private static func user(_ environment: [String: String]) -> String? {
    environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/swiftlet" + name : nil }
  }

  /// The first of the unit's folders (systemd.exec(5)).
  private static func runtimeDirectory(_ environment: [String: String]) -> String? {
    environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }

  /// The socket that unlocks the page for each client that connects.
  static func unlocking(beside path: String) -> String { path + ".unlock" }

  /// The socket that takes announcements.
  static func announcing(beside path: String) -> String { path + ".announce" }

  /// Sends bytes, and reads the answer to them; nil if nothing listens.
  /// - Parameters:
  ///   - send: writes to the descriptor.
  ///   - patience: limit for the answer, in seconds.
  static func exchange(_ path: String, patience: Int, _ send: (Int32) -> Void) -> [UInt8]? {
    guard let descriptor = connect(path) else { return nil }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // A service that refuses the file closes the socket before it has read it.
    signal(SIGPIPE, SIG_IGN)
    send(descriptor)
    shutdown(descriptor, Int32(SHUT_WR))
    return answer(descriptor)
  }

  /// Reads the answer; nil if nothing listens.
  static func read(_ path: String) -> [UInt8]? {
    guard let descriptor = connect(path) else { return nil }
    defer { close(descriptor) }
    return answer(descriptor)
  }

  private static func answer(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Whether a server listens.
  static func isTaken(_ path: String) -> Bool {
    guard let descriptor = connect(path) else { return false }
    close(descriptor)
    return true
  }

  private static func connect(_ path: String) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard fits, descriptor >= 0 else { return nil }
    // A server that does not answer in 5 s hangs.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// The answer of a swiftlet that was asked to unlock its page.
enum UnlockAnswer: String {
  case unlocked = "unlocked\n"
  case notLocked = "not locked\n"
  case noPage = "no page\n"
}
