import Glibc
import MediaOrigin

/// A plain socket to a server, to see every byte.
final class Wire {
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1. Reads time out after 20 s.
  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      defer { close(descriptor) }
      throw Failure(call: "connect", code: errno)
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// Reads at most `limit` bytes; none at the end.
  func receive(limit: Int = 65_536) throws -> [UInt8] {
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      let received = recv(descriptor, buffer.baseAddress, limit, 0)
      error = received < 0 ? errno : 0
      count = max(0, received)
    }
    guard error == 0 else { throw Failure(call: "recv", code: error) }
    return bytes
  }

  /// Reads `count` bytes, or fewer if the connection ends.
  func receive(exactly count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try receive(limit: min(65_536, count - bytes.count))
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// Reads until the connection ends.
  func receiveAll() throws -> [UInt8] { try receive(exactly: .max) }

  /// Reads a response head with its empty line, byte by byte so that the body stays unread.
  func receiveHead() throws -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let next = try receive(limit: 1)
      if next.isEmpty { break }
      bytes += next
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A request and its response on a new connection.
struct Exchange {
  let head: String
  let body: [UInt8]

  var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  subscript(name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
      .map { String($0.drop { $0 != ":" }.dropFirst(2)) }
  }

  init(
    _ server: MediaServer, _ target: String, method: String = "GET", version: String = "1.1", headers: [String] = []
  ) throws {
    let wire = try Wire(port: server.port)
    let lines = ["\(method) \(target) HTTP/\(version)", "Host: 127.0.0.1", "Connection: close"] + headers
    wire.send(lines.map { "\($0)\r\n" }.joined() + "\r\n")
    head = try wire.receiveHead()
    body = try wire.receiveAll()
  }
}

let sound = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

/// Starts a server with `sound` at /a.flac.
func serveSound(_ change: (inout Manners) -> Void = { _ in }) async throws -> MediaServer {
  let server = try await MediaServer.start()
  server.put("/a.flac", .bytes(sound), change: change)
  return server
}
