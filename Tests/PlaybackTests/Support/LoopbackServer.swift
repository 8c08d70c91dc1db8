import Glibc

@testable import Playback

/// A web server on the loopback for one test, with the bad manners that the test asks for.
final class LoopbackServer: Sendable {
  struct Resource: Sendable {
    var body: [UInt8]
    var contentType = "application/octet-stream"
    var acceptsRanges = true
    /// How long it takes to answer.
    var delay: Duration = .zero
    /// After so many bytes of the body it goes silent, or closes.
    var stopsAfter: Int?
    var closesThen = false
    /// How often it misbehaves so before it mends its ways.
    var timesStopping = Int.max
    /// Whether requests for what comes after `stopsAfter` are cut off too, without a byte of the body.
    var stopsEverywhere = false
    var status = "200 OK"
    var location: String?
    /// Bytes a second; nil for as fast as can be.
    var pace: Int?

    init(_ body: [UInt8]) { self.body = body }
  }

  private struct State {
    var resources: [String: Resource] = [:]
    var requests: [String] = []
    var stops: [String: Int] = [:]
    var isClosed = false
  }

  let port: Int
  private let socket: Int32
  private let state = Monitor(State())

  init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SetupError("socket: \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 64) == 0 && getsockname(socket, address, &length) == 0
      }
    }
    guard status else { throw SetupError("bind: \(errno)") }
    self.socket = socket
    port = Int(UInt16(bigEndian: address.sin_port))
    NamedThread.start("loopback") { [self] in accept() }
  }

  deinit { close(socket) }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  @discardableResult
  func serve(_ path: String, _ resource: Resource) -> String {
    state.update { $0.resources["/" + path] = resource }
    return url(path)
  }

  @discardableResult
  func serve(_ path: String, _ body: [UInt8]) -> String { serve(path, Resource(body)) }

  /// The heads of the requests so far.
  var requests: [String] { state.withLock(\.requests) }

  func stop() {
    state.update { $0.isClosed = true }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func accept() {
    while true {
      let connection = Glibc.accept(socket, nil, nil)
      if connection < 0 { return }
      NamedThread.start("connection") { [self] in
        talk(connection)
        close(connection)
      }
    }
  }

  private func talk(_ connection: Int32) {
    var pending: [UInt8] = []
    while let head = Self.readHead(connection, &pending) {
      let words = head.split(separator: " ")
      guard words.count > 1 else { return }
      let path = String(words[1])
      let resource = state.update { state in
        state.requests.append(head)
        return state.resources[path]
      }
      guard answer(connection, head, path, resource, isHead: words[0] == "HEAD") else { return }
    }
  }

  private func answer(_ connection: Int32, _ head: String, _ path: String, _ resource: Resource?, isHead: Bool) -> Bool
  {
    guard let resource else {
      return Self.send(connection, Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    if resource.delay > .zero {
      _ = state.wait(timeout: resource.delay) { $0.isClosed ? true : nil }
    }
    var start = 0
    if resource.acceptsRanges, let range = head.firstRange(of: "\r\nrange: bytes=") {
      start = Int(head[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }
    let total = resource.body.count
    guard start < total || start == 0 else {
      return Self.send(
        connection, Array("HTTP/1.1 416 Out\r\nContent-Range: bytes */\(total)\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    var lines = [
      start > 0 ? "HTTP/1.1 206 Partial Content" : "HTTP/1.1 \(resource.status)",
      "Content-Type: \(resource.contentType)",
      "Content-Length: \(total - start)",
    ]
    if resource.acceptsRanges { lines.append("Accept-Ranges: bytes") }
    if start > 0 { lines.append("Content-Range: bytes \(start)-\(total - 1)/\(total)") }
    if let location = resource.location { lines.append("Location: \(location)") }
    guard Self.send(connection, Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) else { return false }
    if isHead { return true }
    var end = total
    if let stopsAfter = resource.stopsAfter,
      start < stopsAfter || resource.stopsEverywhere || resource.timesStopping == .max
    {
      let stops = state.update { state in
        state.stops[path, default: 0] += 1
        return state.stops[path, default: 0] <= resource.timesStopping
      }
      if stops { end = min(total, max(start, stopsAfter)) }
    }
    guard sendBody(connection, resource.body[start..<end], pace: resource.pace) else { return false }
    if end < total {
      if !resource.closesThen { _ = state.wait(timeout: .seconds(60)) { $0.isClosed ? true : nil } }
      return false
    }
    return true
  }

  private func sendBody(_ connection: Int32, _ body: ArraySlice<UInt8>, pace: Int?) -> Bool {
    guard let pace else { return Self.send(connection, Array(body)) }
    var rest = body
    while !rest.isEmpty {
      guard Self.send(connection, Array(rest.prefix(pace / 20))) else { return false }
      rest = rest.dropFirst(pace / 20)
      _ = state.wait(timeout: .milliseconds(50)) { $0.isClosed ? true : nil }
    }
    return true
  }

  private static func readHead(_ connection: Int32, _ pending: inout [UInt8]) -> String? {
    let end: [UInt8] = [13, 10, 13, 10]
    while true {
      if let range = pending.firstRange(of: end) {
        let head = String(decoding: pending[..<range.upperBound], as: UTF8.self)
        pending.removeSubrange(..<range.upperBound)
        let lines = head.split(separator: "\r\n")
        return lines.enumerated().map { index, line in
          guard index > 0, let colon = line.firstIndex(of: ":") else { return String(line) }
          return line[..<colon].lowercased() + line[colon...]
        }.joined(separator: "\r\n") + "\r\n"
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      pending += chunk[..<count]
    }
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

struct SetupError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
