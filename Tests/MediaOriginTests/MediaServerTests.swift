import Glibc
import MediaOrigin
import Testing

/// Every manner over loopback, as it looks on the wire.
@Suite struct MediaServerTests {
  private static let sound = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// A server with `sound` at /a.flac and these manners.
  private func serving(_ change: (inout Manners) -> Void = { _ in }) async throws -> MediaServer {
    let server = try await MediaServer.start()
    server.put("/a.flac", .bytes(Self.sound), change: change)
    return server
  }

  @Test func wholeResource() async throws {
    let server = try await serving()
    let answer = try Exchange(server, "/a.flac")
    #expect(
      answer.head == """
        HTTP/1.1 200 OK\r
        Accept-Ranges: bytes\r
        Content-Type: audio/flac\r
        Content-Length: 5000\r
        Connection: close\r
        \r

        """)
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func headHasTheHeadersAndNoBody() async throws {
    let server = try await serving()
    let answer = try Exchange(server, "/a.flac", method: "HEAD")
    #expect(answer.head == (try Exchange(server, "/a.flac").head))
    #expect(answer.body.isEmpty)
    let part = try Exchange(server, "/a.flac", method: "HEAD", headers: ["Range: bytes=10-"])
    #expect(part.status == 206)
    #expect(part["Content-Length"] == "4990")
    #expect(part.body.isEmpty)
    await server.stop()
  }

  @Test func byteRange() async throws {
    let server = try await serving()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-1999"])
    #expect(answer.head.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
    #expect(answer["Content-Range"] == "bytes 1000-1999/5000")
    #expect(answer["Content-Length"] == "1000")
    #expect(answer.body == Array(Self.sound[1000..<2000]))
    await server.stop()
  }

  @Test func rangeBeyondTheEnd() async throws {
    let server = try await serving()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=5000-"])
    #expect(answer.status == 416)
    #expect(answer["Content-Range"] == "bytes */5000")
    await server.stop()
  }

  @Test func aConditionalRangeWithoutValidatorIsIgnored() async throws {
    let server = try await serving()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=10-", "If-Range: \"x\""])
    #expect(answer.status == 200)
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func withoutRanges() async throws {
    let server = try await serving { $0.ranges = false }
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-"])
    #expect(answer.status == 200)
    #expect(answer["Accept-Ranges"] == "none")
    #expect(answer["Content-Range"] == nil)
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func withoutHead() async throws {
    let server = try await serving { $0.head = false }
    let answer = try Exchange(server, "/a.flac", method: "HEAD")
    #expect(answer.status == 405)
    #expect(answer["Allow"] == "GET")
    #expect(answer.body.isEmpty)
    #expect(try Exchange(server, "/a.flac").status == 200)
    await server.stop()
  }

  @Test func redirectsAsOftenAsAsked() async throws {
    let server = try await serving { $0.redirect = .hops(2) }
    let first = try Exchange(server, "/a.flac")
    #expect(first.status == 302)
    #expect(first["Location"] == "/a.flac?hop=1")
    #expect(try Exchange(server, "/a.flac?hop=1")["Location"] == "/a.flac?hop=2")
    #expect(try Exchange(server, "/a.flac?hop=2").body == Self.sound)
    await server.stop()
  }

  @Test func redirectsForEver() async throws {
    let server = try await serving { $0.redirect = .endless }
    #expect(try Exchange(server, "/a.flac")["Location"] == "/a.flac")
    await server.stop()
  }

  @Test func redirectsElsewhere() async throws {
    let server = try await serving {
      $0.redirect = .to("http://elsewhere.example/b.flac")
      $0.redirectStatus = 301
    }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer.head.hasPrefix("HTTP/1.1 301 Moved Permanently\r\n"))
    #expect(answer["Location"] == "http://elsewhere.example/b.flac")
    await server.stop()
  }

  @Test func chunked() async throws {
    let server = try await serving { $0.framing = .chunked }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Transfer-Encoding"] == "chunked")
    #expect(answer["Content-Length"] == nil)
    #expect(answer.body == Array("1388\r\n".utf8) + Self.sound + Array("\r\n0\r\n\r\n".utf8))
    await server.stop()
  }

  @Test func http10GetsNoChunks() async throws {
    let server = try await serving { $0.framing = .chunked }
    let answer = try Exchange(server, "/a.flac", version: "1.0")
    #expect(answer["Transfer-Encoding"] == nil)
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func withoutLength() async throws {
    let server = try await serving { $0.framing = .close }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Content-Length"] == nil)
    #expect(answer["Transfer-Encoding"] == nil)
    #expect(answer["Connection"] == "close")
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test(arguments: [-100, 100]) func wrongLength(difference: Int) async throws {
    let server = try await serving { $0.framing = .wrongLength(by: difference) }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer["Content-Length"] == "\(5000 + difference)")
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func slowToOpen() async throws {
    let server = try await serving { $0.openDelay = .milliseconds(300) }
    let start = ContinuousClock.now
    let answer = try Exchange(server, "/a.flac")
    #expect(ContinuousClock.now - start >= .milliseconds(300))
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func slow() async throws {
    let server = try await serving { $0.rate = 10_000 }
    let start = ContinuousClock.now
    let answer = try Exchange(server, "/a.flac")
    // Ten pieces, the first of them at once.
    #expect(ContinuousClock.now - start >= .milliseconds(450))
    #expect(answer.body == Self.sound)
    await server.stop()
  }

  @Test func stallsForATime() async throws {
    let server = try await serving { $0.stall = .init(after: 1000, for: .milliseconds(300)) }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\nConnection: close\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 1000) == Array(Self.sound[..<1000]))
    let start = ContinuousClock.now
    #expect(try wire.receiveAll() == Array(Self.sound[1000...]))
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    await server.stop()
  }

  @Test func stallsForEver() async throws {
    let server = try await serving { $0.stall = .init(after: 1000, times: 1) }
    var wire: Wire? = try Wire(port: server.port)
    wire?.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire?.receiveHead()
    #expect(try wire?.receive(exactly: 1000).count == 1000)
    #expect(server.journal.openConnections == 1)
    try await server.wait { $0.bytesSent["/a.flac"] == 1000 }
    // The client gives up, and the second one fares better.
    wire = nil
    try await server.wait { $0.openConnections == 0 }
    #expect(try Exchange(server, "/a.flac").body == Self.sound)
    await server.stop()
  }

  @Test func closesEarlyEveryTime() async throws {
    let server = try await serving { $0.earlyClose = .init(after: 1000) }
    for start in [0, 1000] {
      let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=\(start)-"])
      #expect(answer["Content-Length"] == "\(5000 - start)")
      #expect(answer.body == Array(Self.sound[start..<start + 1000]))
    }
    await server.stop()
  }

  @Test func closesEarlyOnceSoThatAResumeSucceeds() async throws {
    let server = try await serving { $0.earlyClose = .init(after: 1000, times: 1) }
    let first = try Exchange(server, "/a.flac")
    let second = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-"])
    #expect(first.body.count == 1000)
    #expect(first.body + second.body == Self.sound)
    await server.stop()
  }

  @Test func aChunkedBodyThatClosesEarlyHasNoLastChunk() async throws {
    let server = try await serving {
      $0.framing = .chunked
      $0.earlyClose = .init(after: 16)
    }
    #expect(try Exchange(server, "/a.flac").body == Array("10\r\n".utf8) + Self.sound[..<16] + Array("\r\n".utf8))
    await server.stop()
  }

  @Test func resets() async throws {
    let server = try await serving { $0.earlyClose = .init(after: 10, reset: true) }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    let error = #expect(throws: Wire.Failure.self) {
      _ = try wire.receiveAll()
    }
    #expect(error?.code == ECONNRESET)
    await server.stop()
  }

  @Test func titlesForThoseWhoAsk() async throws {
    let server = try await serving {
      $0.icy = ICY(interval: 2000, name: "Radio & Co", titles: [.init(at: 0, "One"), .init(at: 3000, "Two")])
    }
    let answer = try Exchange(server, "/a.flac", headers: ["Icy-MetaData: 1"])
    #expect(answer["icy-metaint"] == "2000")
    #expect(answer["icy-name"] == "Radio & Co")
    let block = { (title: String) in
      let text = Array("StreamTitle='\(title)';".utf8)
      return [2] + text + [UInt8](repeating: 0, count: 32 - text.count)
    }
    let titled = Self.sound[..<2000] + block("One") + Self.sound[2000..<4000] + block("Two") + Self.sound[4000...]
    // The length told is the sound's; ICY streams are live as a rule and have none.
    #expect(answer.body == Array(titled))

    let plain = try Exchange(server, "/a.flac")
    #expect(plain["icy-metaint"] == nil)
    #expect(plain["icy-name"] == "Radio & Co")
    #expect(plain.body == Self.sound)
    await server.stop()
  }

  @Test func theFirstShoutcastsStatusLine() async throws {
    let server = try await serving {
      $0.icy = ICY(statusLine: true)
      $0.endless = true
      $0.earlyClose = .init(after: 12_000)
      $0.type = .given("audio/mpeg")
    }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer.head == "ICY 200 OK\r\nAccept-Ranges: none\r\nContent-Type: audio/mpeg\r\nConnection: close\r\n\r\n")
    #expect(answer.body == Array((Self.sound + Self.sound + Self.sound)[..<12_000]))
    await server.stop()
  }

  @Test func endlessIgnoresRanges() async throws {
    let server = try await serving { $0.endless = true }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\nRange: bytes=100-\r\n\r\n")
    let head = try wire.receiveHead()
    #expect(head.hasPrefix("HTTP/1.1 200 OK"))
    #expect(!head.contains("Content-Length"))
    let body = try wire.receive(exactly: 500_000)
    #expect(body == (0..<100).flatMap { _ in Self.sound })
    await server.stop()
  }

  @Test func endlessInManySmallPiecesDoesNotEndTheServer() async throws {
    let server = try await MediaServer.start()
    server.put("/a.flac", .bytes([1, 2, 3])) { $0.endless = true }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 300_000).count == 300_000)
    await server.stop()
  }

  @Test func contentTypes() async throws {
    let server = try await serving { $0.type = .given("text/plain") }
    #expect(try Exchange(server, "/a.flac")["Content-Type"] == "text/plain")
    server.put("/a.flac", .bytes([1])) { $0.type = .missing }
    #expect(try Exchange(server, "/a.flac")["Content-Type"] == nil)
    server.put("/list.M3U", .text("x"))
    #expect(try Exchange(server, "/list.M3U")["Content-Type"] == "audio/x-mpegurl")
    server.put("/plain", .text("x"))
    #expect(try Exchange(server, "/plain")["Content-Type"] == "application/octet-stream")
    await server.stop()
  }

  @Test(arguments: [404, 401, 403, 410, 500, 503]) func status(code: Int) async throws {
    let server = try await serving { $0.status = .init(code) }
    for _ in 1...2 {
      let answer = try Exchange(server, "/a.flac")
      #expect(answer.status == code)
      #expect((answer["WWW-Authenticate"] != nil) == (code == 401))
      #expect(answer["Content-Length"] == "\(answer.body.count)")
    }
    await server.stop()
  }

  @Test func unavailableThenFine() async throws {
    let server = try await serving { $0.status = .init(503, times: 2) }
    let codes = try (1...3).map { _ in try Exchange(server, "/a.flac").status }
    #expect(codes == [503, 503, 200])
    await server.stop()
  }

  @Test func garbageIsTheSameEachTime() async throws {
    let server = try await serving { $0.garbage = true }
    let whole = try Exchange(server, "/a.flac").body
    #expect(whole.count == 5000)
    #expect(whole != Self.sound)
    #expect(Set(whole).count == 256)
    #expect(try Exchange(server, "/a.flac", headers: ["Range: bytes=4001-"]).body == Array(whole[4001...]))
    await server.stop()
  }

  @Test func furtherHeaders() async throws {
    let server = try await serving { $0.headers = [Header("transferMode.dlna.org", "Streaming")] }
    #expect(try Exchange(server, "/a.flac")["transferMode.dlna.org"] == "Streaming")
    await server.stop()
  }

  @Test func whatIsNotThere() async throws {
    let server = try await serving()
    #expect(try Exchange(server, "/b.flac").status == 404)
    #expect(try Exchange(server, "/a.flac", method: "DELETE").status == 405)
    server.put("/gone.flac", .file("/nonexistent"))
    #expect(try Exchange(server, "/gone.flac").status == 404)
    await server.stop()
  }

  @Test func aConnectionServesRequestsInTurn() async throws {
    let server = try await serving { $0.openDelay = .milliseconds(20) }
    server.put("/b.txt", .text("second"))
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\nGET /b.txt HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nConnection: close\r\n\r\n")
    #expect(try wire.receiveHead().contains("Connection: keep-alive"))
    #expect(try wire.receive(exactly: 5000) == Self.sound)
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 6) == Array("second".utf8))
    #expect(try wire.receiveHead().hasPrefix("HTTP/1.1 404"))
    _ = try wire.receiveAll()
    #expect(server.requests.map(\.connection).allSatisfy { $0 == server.requests[0].connection })
    await server.stop()
  }

  @Test func requestsAreRecorded() async throws {
    let server = try await serving()
    async let awaited = server.waitForRequest("/a.flac", count: 2)
    _ = try Exchange(server, "/a.flac?x=1", headers: ["User-Agent: test/1"])
    _ = try Exchange(server, "/a.flac", method: "HEAD")
    let second = try await awaited
    #expect(second.method == "HEAD")
    let first = try #require(server.requests.first)
    #expect(first.method == "GET")
    #expect(first.path == "/a.flac")
    #expect(first.target == "/a.flac?x=1")
    #expect(first["user-agent"] == "test/1")
    #expect(first.connection != second.connection)
    try await server.wait { $0.bytesSent == ["/a.flac": 5000] }
    await server.stop()
  }

  @Test func waitingEndsWithTheTimeOrTheServer() async throws {
    let server = try await serving()
    await #expect(throws: MediaServer.Failure.timeout) {
      try await server.waitForRequest("/a.flac", timeout: .milliseconds(10))
    }
    await server.stop()
    await #expect(throws: MediaServer.Failure.stopped) { try await server.waitForRequest("/a.flac") }
  }

  @Test func stoppingBreaksConnectionsOff() async throws {
    let server = try await serving { $0.stall = .init(after: 10) }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 10).count == 10)
    await server.stop()
    #expect(try wire.receiveAll().isEmpty)
  }

  @Test func aClosedPortRefuses() throws {
    let closed = try #require(ClosedPort())
    let error = #expect(throws: Wire.Failure.self) { try Wire(port: closed.port) }
    #expect(error?.code == ECONNREFUSED)
  }

  @Test func aFolderWithMannersFromTheQuery() async throws {
    let server = try await MediaServer.start(folder: Fixtures.folder())
    let fixture = try Fixtures.named("noise3-44100-16-2-0.2s.wav")
    let sound = try fixture.pcm(.s16LE)
    let whole = try Exchange(server, "/\(fixture.name)")
    #expect(whole.body.dropFirst(44) == sound[...])
    #expect(try Exchange(server, "/\(fixture.name)?close-after=100&close-times=1").body == Array(whole.body[..<100]))
    #expect(try Exchange(server, "/\(fixture.name)?close-after=100&close-times=1").body == whole.body)
    #expect(try Exchange(server, "/\(fixture.name)?redirect=1")["Location"] == "/\(fixture.name)?redirect=1&hop=1")
    #expect(try Exchange(server, "/\(fixture.name)?redirect=1&hop=1").body == whole.body)
    let misspelt = try Exchange(server, "/\(fixture.name)?colse-after=100")
    #expect(misspelt.status == 400)
    #expect(String(decoding: misspelt.body, as: UTF8.self) == "There is no manner named “colse-after”.\n")
    #expect(try Exchange(server, "/../stamp").status == 404)
    #expect(try Exchange(server, "/none.wav").status == 404)
    let list = String(decoding: try Exchange(server, "/").body, as: UTF8.self)
    #expect(list.contains("\(server.baseURL)/\(fixture.name)\n"))
    await server.stop()
  }
}
