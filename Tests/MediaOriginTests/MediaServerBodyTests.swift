import Glibc
import MediaOrigin
import Testing

/// Framing, timing and faults of bodies, over loopback.
@Suite struct MediaServerBodyTests {
  @Test func chunked() async throws {
    let server = try await serveSound { $0.framing = .chunked }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Transfer-Encoding"] == "chunked")
    #expect(answer["Content-Length"] == nil)
    #expect(answer.body == Array("1388\r\n".utf8) + sound + Array("\r\n0\r\n\r\n".utf8))
    await server.stop()
  }

  @Test func http10IsNotChunked() async throws {
    let server = try await serveSound { $0.framing = .chunked }
    let answer = try Exchange(server, "/a.flac", version: "1.0")
    #expect(answer["Transfer-Encoding"] == nil)
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func withoutLength() async throws {
    let server = try await serveSound { $0.framing = .close }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Content-Length"] == nil)
    #expect(answer["Transfer-Encoding"] == nil)
    #expect(answer["Connection"] == "close")
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test(arguments: [-100, 100]) func wrongLength(difference: Int) async throws {
    let server = try await serveSound { $0.framing = .wrongLength(by: difference) }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Content-Length"] == "\(5000 + difference)")
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func slowToOpen() async throws {
    let server = try await serveSound { $0.openDelay = .milliseconds(300) }
    let start = ContinuousClock.now
    let answer = try Exchange(server, "/a.flac")
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func slow() async throws {
    let server = try await serveSound { $0.rate = 10_000 }
    let start = ContinuousClock.now
    let answer = try Exchange(server, "/a.flac")
    // Ten pieces, the first one at once.
    #expect(ContinuousClock.now - start >= .milliseconds(450))
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func stallsForATime() async throws {
    let server = try await serveSound { $0.stall = .init(after: 1000, for: .milliseconds(300)) }
    let wire = try Wire(port: server.port)
    let start = ContinuousClock.now
    wire.send("GET /a.flac HTTP/1.1\r\nConnection: close\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 1000) == Array(sound[..<1000]))
    #expect(try wire.receiveAll() == Array(sound[1000...]))
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    await server.stop()
  }

  @Test func stallsForever() async throws {
    let server = try await serveSound { $0.stall = .init(after: 1000, times: 1) }
    var wire: Wire? = try Wire(port: server.port)
    wire?.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire?.receiveHead()
    #expect(try wire?.receive(exactly: 1000).count == 1000)
    #expect(server.journal.openConnections == 1)
    try await server.wait { $0.bytesSent["/a.flac"] == 1000 }
    // The client closes the connection, and the second request succeeds.
    wire = nil
    try await server.wait { $0.openConnections == 0 }
    #expect(try Exchange(server, "/a.flac").body == sound)
    await server.stop()
  }

  @Test func closesEarlyEveryTime() async throws {
    let server = try await serveSound { $0.earlyClose = .init(after: 1000) }
    for start in [0, 1000] {
      let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=\(start)-"])
      #expect(answer["Content-Length"] == "\(5000 - start)")
      #expect(answer.body == Array(sound[start..<start + 1000]))
    }
    await server.stop()
  }

  @Test func resumeSucceedsAfterOneEarlyClose() async throws {
    let server = try await serveSound { $0.earlyClose = .init(after: 1000, times: 1) }
    let first = try Exchange(server, "/a.flac")
    let second = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-"])
    #expect(first.body.count == 1000)
    #expect(first.body + second.body == sound)
    await server.stop()
  }

  @Test func chunkedEarlyCloseHasNoLastChunk() async throws {
    let server = try await serveSound {
      $0.framing = .chunked
      $0.earlyClose = .init(after: 16)
    }
    #expect(try Exchange(server, "/a.flac").body == Array("10\r\n".utf8) + sound[..<16] + Array("\r\n".utf8))
    await server.stop()
  }

  @Test func resets() async throws {
    let server = try await serveSound { $0.earlyClose = .init(after: 10, reset: true) }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    let error = #expect(throws: Wire.Failure.self) {
      _ = try wire.receiveAll()
    }
    #expect(error?.code == ECONNRESET)
    await server.stop()
  }

  @Test func icyTitles() async throws {
    let server = try await serveSound {
      $0.icy = ICY(interval: 2000, name: "Radio & Co", titles: [.init(at: 0, "One"), .init(at: 3000, "Two")])
    }
    let answer = try Exchange(server, "/a.flac", headers: ["Icy-MetaData: 1"])
    #expect(answer["icy-metaint"] == "2000")
    #expect(answer["icy-name"] == "Radio & Co")
    let block = { (title: String) in
      let text = Array("StreamTitle='\(title)';".utf8)
      return [2] + text + [UInt8](repeating: 0, count: 32 - text.count)
    }
    var titled = sound
    titled.insert(contentsOf: block("Two"), at: 4000)
    titled.insert(contentsOf: block("One"), at: 2000)
    // Content-Length counts the audio only. Real ICY streams are live and have none.
    #expect(answer.body == titled)

    let plain = try Exchange(server, "/a.flac")
    #expect(plain["icy-metaint"] == nil)
    #expect(plain["icy-name"] == "Radio & Co")
    #expect(plain.body == sound)
    await server.stop()
  }

  @Test func icyStatusLine() async throws {
    let server = try await serveSound {
      $0.icy = ICY(statusLine: true)
      $0.endless = true
      $0.earlyClose = .init(after: 12_000)
      $0.type = .given("audio/mpeg")
    }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer.head == "ICY 200 OK\r\nAccept-Ranges: none\r\nContent-Type: audio/mpeg\r\nConnection: close\r\n\r\n")
    #expect(answer.body == Array((sound + sound + sound)[..<12_000]))
    await server.stop()
  }

  @Test func endlessIgnoresRanges() async throws {
    let server = try await serveSound { $0.endless = true }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\nRange: bytes=100-\r\n\r\n")
    let head = try wire.receiveHead()
    #expect(head.hasPrefix("HTTP/1.1 200 OK"))
    #expect(!head.contains("Content-Length"))
    let body = try wire.receive(exactly: 500_000)
    #expect(body == (0..<100).flatMap { _ in sound })
    await server.stop()
  }

  @Test func endlessSmallPiecesDoNotOverflowTheStack() async throws {
    let server = try await MediaServer.start()
    server.put("/a.flac", .bytes([1, 2, 3])) { $0.endless = true }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 300_000).count == 300_000)
    await server.stop()
  }

  @Test(arguments: [404, 401, 403, 410, 500, 503]) func status(code: Int) async throws {
    let server = try await serveSound { $0.status = .init(code) }
    for _ in 1...2 {
      let answer = try Exchange(server, "/a.flac")
      #expect(answer.status == code)
      #expect((answer["WWW-Authenticate"] != nil) == (code == 401))
      #expect(answer["Content-Length"] == "\(answer.body.count)")
    }
    await server.stop()
  }

  @Test func unavailableThenFine() async throws {
    let server = try await serveSound { $0.status = .init(503, times: 2) }
    let codes = try (1...3).map { _ in try Exchange(server, "/a.flac").status }
    #expect(codes == [503, 503, 200])
    await server.stop()
  }

  @Test func garbageIsDeterministic() async throws {
    let server = try await serveSound { $0.garbage = true }
    let whole = try Exchange(server, "/a.flac").body
    #expect(whole.count == 5000)
    #expect(whole != sound)
    #expect(Set(whole).count == 256)
    #expect(try Exchange(server, "/a.flac", headers: ["Range: bytes=4001-"]).body == Array(whole[4001...]))
    await server.stop()
  }
}
