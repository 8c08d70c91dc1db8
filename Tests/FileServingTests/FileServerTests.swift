import Glibc
import Testing
import UPnP

@testable import FileServing

@Suite struct FileServerTests {
  private static let sound = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  private static let loopback = IPAddress("127.0.0.1")

  private let tree: FileTree
  private let path: String

  init() throws {
    tree = try FileTree()
    path = try tree.write("A b&ü.flac", Self.sound)
  }

  /// Starts a server, runs the body and stops the server.
  private func serve(
    limits: FileServer.Limits = .init(), allows: @escaping @Sendable (IPAddress) -> Bool = { _ in true },
    _ body: (FileServer) async throws -> Void
  ) async throws {
    let server = try await FileServer.start(on: #require(Self.loopback), limits: limits, allows: allows)
    do { try await body(server) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// The first activity that meets a condition.
  private func activity(
    of server: FileServer, where condition: (ServingActivity) -> Bool
  ) async throws -> ServingActivity {
    for await activity in server.activities() where condition(activity) { return activity }
    throw SetupError(call: "activities")
  }

  @Test func aFileAndARangeOnOneConnection() async throws {
    try await serve { server in
      let url = try #require(server.url(ofFile: path))
      #expect(url.hasSuffix("/A%20b%26%C3%BC.flac"))
      #expect(server.url(ofFile: path) == url)
      let client = try Client(port: server.port)
      client.send(target(url))
      let head = client.receiveHead()
      #expect(head.status == 200)
      #expect(head["Content-Type"] == "audio/x-flac")
      #expect(head["Connection"] == "keep-alive")
      #expect(client.receive(head.length) == Self.sound)
      client.send(target(url), headers: ["Range: bytes=70000-"])
      let part = client.receiveHead()
      #expect(part.status == 206)
      #expect(part["ETag"] == head["ETag"])
      #expect(client.receive(part.length) == Array(Self.sound[70_000...]))
      client.send(target(url), headers: ["Range: bytes=300000-"])
      #expect(client.receiveHead().status == 416)
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    try await serve { server in
      let client = try Client(port: server.port)
      let target = target(server.url(ofFile: path))
      client.send(target, method: "HEAD")
      client.send(target, headers: ["Range: bytes=0-9"])
      client.send(target, headers: ["Connection: close"])
      #expect(client.receiveHead().length == 300_000)
      let part = client.receiveHead()
      #expect(client.receive(part.length) == Array(Self.sound[..<10]))
      let whole = client.receiveHead()
      #expect(client.receive(whole.length) == Self.sound)
      #expect(client.isClosed)
    }
  }

  @Test func onlyKnownPathsAreServed() async throws {
    try tree.write("secret.flac")
    try await serve { server in
      let url = target(server.url(ofFile: path))
      let folder = url.split(separator: "/")[0]
      let others = [
        "/", "/\(folder)", "/\(folder)/../secret.flac", "/\(folder)/x/../../secret.flac", "/..\(path)", path,
        "//\(folder)/a", "/\(folder)x/a", "/%2e%2e/%2e%2e/etc/passwd", "/../../etc/passwd", "*",
      ]
      for other in others {
        let client = try Client(port: server.port)
        client.send(other)
        // NIO refuses targets that are no paths.
        #expect([400, 404].contains(client.receiveHead().status), "\(other)")
      }
    }
  }

  @Test func otherMethodsAndBodiesAreRefused() async throws {
    try await serve { server in
      let target = target(server.url(ofFile: path))
      let deleting = try Client(port: server.port)
      deleting.send(target, method: "DELETE")
      let refusal = deleting.receiveHead()
      #expect(refusal.status == 405)
      #expect(refusal["Allow"] == "GET, HEAD")
      #expect(deleting.isClosed)
      let nonsense = try Client(port: server.port)
      nonsense.sendText("\u{1}\u{2}\r\n\r\n")
      #expect(nonsense.receiveHead().status == 400)
      #expect(nonsense.isClosed)
    }
  }

  @Test func otherAddressesAreDisconnected() async throws {
    let allows: @Sendable (IPAddress) -> Bool = { $0 != Self.loopback }
    try await serve(allows: allows) { server in
      let client = try Client(port: server.port)
      client.send(target(server.url(ofFile: path)))
      #expect(client.receiveHead().status == 0)
    }
  }

  @Test func aVanishedFile() async throws {
    try await serve { server in
      let target = target(server.url(ofFile: path))
      let early = try Client(port: server.port, receiveBuffer: 4096)
      early.send(target)
      let head = early.receiveHead()
      unlink(path)
      let late = try Client(port: server.port)
      late.send(target)
      #expect(late.receiveHead().status == 404)
      // A file that is open stays readable.
      #expect(early.receive(head.length) == Self.sound)
    }
  }

  @Test func aTruncatedFileEndsTheConnection() async throws {
    let path = try tree.write("long.wav", [UInt8](repeating: 7, count: 40_000_000))
    try await serve { server in
      let client = try Client(port: server.port, receiveBuffer: 4096)
      client.send(target(server.url(ofFile: path)))
      let head = client.receiveHead()
      #expect(head.length == 40_000_000)
      truncate(path, 1000)
      #expect(client.receive(head.length).count < head.length)
      #expect(client.isClosed)
      let activity = try await activity(of: server) { $0.idleSince != nil }
      #expect(activity.delivered.isEmpty)
    }
  }

  @Test func aFolderInPlaceOfTheFile() async throws {
    unlink(path)
    mkdir(path, 0o755)
    defer { rmdir(path) }
    try await serve { server in
      let client = try Client(port: server.port)
      client.send(target(server.url(ofFile: path)))
      #expect(client.receiveHead().status == 404)
    }
  }

  @Test func twoReadersAndTheActivity() async throws {
    let other = try tree.write("other.mp3", [UInt8](repeating: 7, count: 40_000_000))
    try await serve { server in
      #expect(server.activity.reading.isEmpty)
      #expect(server.activity.idleSince != nil)
      let slow = try Client(port: server.port, receiveBuffer: 4096)
      slow.send(target(server.url(ofFile: other)))
      let slowHead = slow.receiveHead()
      let fast = try Client(port: server.port)
      fast.send(target(server.url(ofFile: path)))
      let fastHead = fast.receiveHead()
      #expect(fast.receive(fastHead.length) == Self.sound)
      // The first file is still being sent.
      var now = try await activity(of: server) { $0.delivered == [path] && $0.reading == [other] }
      #expect(now.idleSince == nil)
      #expect(slow.receive(slowHead.length).count == 40_000_000)
      now = try await activity(of: server) { $0.reading.isEmpty }
      #expect(now.idleSince != nil)
      #expect(now.delivered == [path, other])
    }
  }

  @Test func aFileIsDeliveredInParts() async throws {
    try await serve { server in
      let client = try Client(port: server.port)
      // A player first looks for tags at the end.
      for (range, isDelivered) in [("-128", false), ("0-199999", false), ("200000-", true)] {
        client.send(target(server.url(ofFile: path)), headers: ["Range: bytes=\(range)"])
        #expect(!client.receive(client.receiveHead().length).isEmpty)
        // The server records the end of a response before the next one begins.
        client.send(target(server.url(ofFile: path)), method: "HEAD")
        #expect(client.receiveHead().status == 200)
        #expect(server.activity.delivered.contains(path) == isDelivered, "\(range)")
      }
    }
  }

  @Test func theQuietestOfTooManyConnectionsIsClosed() async throws {
    var limits = FileServer.Limits()
    limits.connections = 2
    try await serve(limits: limits) { server in
      let target = target(server.url(ofFile: path))
      let clients = try (0..<2).map { _ in try Client(port: server.port) }
      for client in clients {
        client.send(target, method: "HEAD")
        #expect(client.receiveHead().status == 200)
      }
      clients[0].send(target, method: "HEAD")
      #expect(clients[0].receiveHead().status == 200)
      let third = try Client(port: server.port)
      third.send(target, method: "HEAD")
      #expect(third.receiveHead().status == 200)
      #expect(clients[1].isClosed)
      clients[0].send(target, method: "HEAD")
      #expect(clients[0].receiveHead().status == 200)
    }
  }

  @Test func silentAndStalledClientsAreDisconnected() async throws {
    let long = try tree.write("long.wav", [UInt8](repeating: 7, count: 40_000_000))
    var limits = FileServer.Limits()
    limits.idle = .seconds(1)
    limits.stalled = .seconds(1)
    try await serve(limits: limits) { server in
      let silent = try Client(port: server.port)
      silent.sendText("GET / HTTP/1.1\r\n")
      #expect(silent.isClosed)
      let stalled = try Client(port: server.port, receiveBuffer: 4096)
      stalled.send(target(server.url(ofFile: long)))
      _ = try await activity(of: server) { $0.reading == [long] }
      _ = try await activity(of: server) { $0.reading.isEmpty }
      #expect(server.activity.delivered.isEmpty)
    }
  }

  @Test func stoppingEndsConnectionsAndStreams() async throws {
    let server = try await FileServer.start(on: #require(Self.loopback)) { _ in true }
    let client = try Client(port: server.port)
    client.send(target(server.url(ofFile: path)), method: "HEAD")
    #expect(client.receiveHead().status == 200)
    let activities = server.activities()
    await server.stop()
    #expect(client.isClosed)
    for await _ in activities {}
    for await _ in server.activities() {}
  }

  @Test func onlyAudioAndPicturesAreServed() async throws {
    try await serve { server in
      #expect(server.url(ofFile: "/etc/passwd") == nil)
      #expect(server.url(ofFile: "/music/cover.JPG") != nil)
    }
  }
}
