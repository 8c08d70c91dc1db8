import Glibc

struct SetupError: Error {
  let call: String
  let code = errno
}

/// A folder with files and links that is deleted on deinit.
final class FileTree {
  let path: String
  private var made: [String] = []

  init() throws {
    var template = Array("/tmp/swiftlet-serving-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SetupError(call: "mkdtemp") }
    path = String(cString: made)
  }

  deinit {
    for path in made.reversed() { remove(path) }
    rmdir(path)
  }

  /// Writes a file in the folders that its name contains.
  /// - Returns: its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8] = [0]) throws -> String {
    let file = try makeParents(name)
    guard let stream = fopen(file, "w") else { throw SetupError(call: "fopen") }
    defer { fclose(stream) }
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw SetupError(call: "fwrite") }
    return file
  }

  @discardableResult
  func write(_ name: String, text: String) throws -> String { try write(name, Array(text.utf8)) }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, try makeParents(name)) == 0 else { throw SetupError(call: "symlink") }
  }

  private func makeParents(_ name: String) throws -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      if mkdir(folder, 0o755) == 0 { made.append(folder) }
    }
    made.append("\(path)/\(name)")
    return "\(path)/\(name)"
  }
}

func readFile(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw SetupError(call: "fopen") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: size) { $1 = fread($0.baseAddress, 1, size, file) }
}

/// A plain HTTP connection, to see every byte. Reads time out after 10 s, before the server would close an idle connection.
final class Client {
  private let descriptor: Int32

  /// - Parameter receiveBuffer: bytes that the kernel takes without being read; 0 for its default.
  init(port: Int, receiveBuffer: Int32 = 0) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if receiveBuffer > 0 {
      var size = receiveBuffer
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw SetupError(call: "connect") }
  }

  deinit { close(descriptor) }

  func send(_ target: String, method: String = "GET", headers: [String] = []) {
    sendText((["\(method) \(target) HTTP/1.1", "Host: test"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
  }

  func sendText(_ text: String) {
    _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// Reads `count` bytes, or fewer if the connection ends or fails.
  func receive(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let more = recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
        guard more > 0 else { return }
        filled += more
      }
    }
  }

  /// Whether the server has closed the connection. Waits for bytes or the end.
  var isClosed: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  /// Reads the head of a response, byte by byte so that the body stays unread.
  func receiveHead() -> Head {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let next = receive(1)
      if next.isEmpty { break }
      bytes += next
    }
    return Head(text: String(decoding: bytes, as: UTF8.self))
  }

  struct Head {
    let text: String

    /// 0 if the connection was closed.
    var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var length: Int { Int(self["Content-Length"] ?? "") ?? 0 }

    subscript(name: String) -> String? {
      text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
        .map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    }
  }
}

/// The target of a URL of the server.
func target(_ url: String?) -> String {
  "/" + (url ?? "").split(separator: "/", omittingEmptySubsequences: true).dropFirst(2).joined(separator: "/")
}

/// Runs a body without root's right to read everything. For other users, nothing changes.
func withoutRoot<Result>(_ body: () throws -> Result) throws -> Result {
  // Swift's Glibc lacks it. It concerns only the calling thread.
  guard let symbol = dlsym(nil, "setfsuid") else { throw SetupError(call: "setfsuid") }
  let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
  let (user, nobody) = (geteuid(), uid_t(65534))
  _ = setUser(user == 0 ? nobody : user)
  defer { _ = setUser(user) }
  return try body()
}
