import Glibc
import MediaOrigin
import TestFixtures
import Testing

/// Requests, redirects, headers and the life cycle of the server, over loopback.
@Suite struct MediaServerTests {
  @Test func wholeResource() async throws {
    let server = try await serveSound()
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
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func headHasNoBody() async throws {
    let server = try await serveSound()
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
    let server = try await serveSound()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-1999"])
    #expect(answer.head.hasPrefix("HTTP/1.1 206 Partial Content\r\n"))
    #expect(answer["Content-Range"] == "bytes 1000-1999/5000")
    #expect(answer["Content-Length"] == "1000")
    #expect(answer.body == Array(sound[1000..<2000]))
    await server.stop()
  }

  @Test func rangeBeyondTheEnd() async throws {
    let server = try await serveSound()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=5000-"])
    #expect(answer.status == 416)
    #expect(answer["Content-Range"] == "bytes */5000")
    await server.stop()
  }

  @Test func otherPeersAreNotServed() async throws {
    let server = try await MediaServer.start(peer: "127.0.0.2")
    server.put("/a.flac", .bytes(sound))
    // The connection is closed or reset.
    let answer = try? Exchange(server, "/a.flac")
    #expect(answer?.head.isEmpty ?? true)
    #expect(server.requests.isEmpty)
    await server.stop()
  }

  @Test func conditionalRangeIsIgnored() async throws {
    let server = try await serveSound()
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=10-", "If-Range: \"x\""])
    #expect(answer.status == 200)
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func withoutRanges() async throws {
    let server = try await serveSound { $0.ranges = false }
    let answer = try Exchange(server, "/a.flac", headers: ["Range: bytes=1000-"])
    #expect(answer.status == 200)
    #expect(answer["Accept-Ranges"] == "none")
    #expect(answer["Content-Range"] == nil)
    #expect(answer.body == sound)
    await server.stop()
  }

  @Test func withoutHead() async throws {
    let server = try await serveSound { $0.head = false }
    let answer = try Exchange(server, "/a.flac", method: "HEAD")
    #expect(answer.status == 405)
    #expect(answer["Allow"] == "GET")
    #expect(answer.body.isEmpty)
    #expect(try Exchange(server, "/a.flac").status == 200)
    await server.stop()
  }

  @Test func redirectsTwice() async throws {
    let server = try await serveSound { $0.redirect = .hops(2) }
    let first = try Exchange(server, "/a.flac")
    #expect(first.status == 302)
    #expect(first["Location"] == "/a.flac?hop=1")
    #expect(try Exchange(server, "/a.flac?hop=1")["Location"] == "/a.flac?hop=2")
    #expect(try Exchange(server, "/a.flac?hop=2").body == sound)
    await server.stop()
  }

  @Test func redirectsForever() async throws {
    let server = try await serveSound { $0.redirect = .endless }
    #expect(try Exchange(server, "/a.flac")["Location"] == "/a.flac")
    await server.stop()
  }

  @Test func redirectsElsewhere() async throws {
    let server = try await serveSound {
      $0.redirect = .to("http://elsewhere.example/b.flac")
      $0.redirectStatus = 301
    }
    let answer = try Exchange(server, "/a.flac")
    #expect(answer.head.hasPrefix("HTTP/1.1 301 Moved Permanently\r\n"))
    #expect(answer["Location"] == "http://elsewhere.example/b.flac")
    await server.stop()
  }

  @Test func contentTypes() async throws {
    let server = try await serveSound { $0.type = .given("text/plain") }
    #expect(try Exchange(server, "/a.flac")["Content-Type"] == "text/plain")
    server.put("/a.flac", .bytes([1])) { $0.type = .missing }
    #expect(try Exchange(server, "/a.flac")["Content-Type"] == nil)
    server.put("/list.M3U", .text("x"))
    #expect(try Exchange(server, "/list.M3U")["Content-Type"] == "audio/x-mpegurl")
    server.put("/plain", .text("x"))
    #expect(try Exchange(server, "/plain")["Content-Type"] == "application/octet-stream")
    await server.stop()
  }

  @Test func additionalHeaders() async throws {
    let server = try await serveSound { $0.headers = [Header("transferMode.dlna.org", "Streaming")] }
    #expect(try Exchange(server, "/a.flac")["transferMode.dlna.org"] == "Streaming")
    await server.stop()
  }

  @Test func missingResource() async throws {
    let server = try await serveSound()
    #expect(try Exchange(server, "/b.flac").status == 404)
    #expect(try Exchange(server, "/a.flac", method: "DELETE").status == 405)
    server.put("/gone.flac", .file("/dev/null/file"))
    #expect(try Exchange(server, "/gone.flac").status == 404)
    await server.stop()
  }

  @Test func connectionServesRequestsInOrder() async throws {
    let server = try await serveSound { $0.openDelay = .milliseconds(20) }
    server.put("/b.txt", .text("second"))
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\nGET /b.txt HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nConnection: close\r\n\r\n")
    #expect(try wire.receiveHead().contains("Connection: keep-alive"))
    #expect(try wire.receive(exactly: 5000) == sound)
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 6) == Array("second".utf8))
    #expect(try wire.receiveHead().hasPrefix("HTTP/1.1 404"))
    _ = try wire.receiveAll()
    #expect(server.requests.map(\.connection).allSatisfy { $0 == server.requests[0].connection })
    await server.stop()
  }

  @Test func requestsAreRecorded() async throws {
    let server = try await serveSound()
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

  @Test func waitEndsByTimeoutOrStop() async throws {
    let server = try await serveSound()
    await #expect(throws: MediaServer.Failure.timeout) {
      try await server.waitForRequest("/a.flac", timeout: .milliseconds(10))
    }
    await server.stop()
    await #expect(throws: MediaServer.Failure.stopped) { try await server.waitForRequest("/a.flac") }
  }

  @Test func stopClosesConnections() async throws {
    let server = try await serveSound { $0.stall = .init(after: 10) }
    let wire = try Wire(port: server.port)
    wire.send("GET /a.flac HTTP/1.1\r\n\r\n")
    _ = try wire.receiveHead()
    #expect(try wire.receive(exactly: 10).count == 10)
    await server.stop()
    #expect(try wire.receiveAll().isEmpty)
  }

  @Test func closedPortRefuses() throws {
    let closed = try #require(ClosedPort())
    let error = #expect(throws: Wire.Failure.self) { try Wire(port: closed.port) }
    #expect(error?.code == ECONNREFUSED)
  }

  @Test func folderWithFaultsFromQuery() async throws {
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
    #expect(String(decoding: misspelt.body, as: UTF8.self) == "“colse-after” is unknown.\n")
    #expect(try Exchange(server, "/../stamp").status == 404)
    #expect(try Exchange(server, "/none.wav").status == 404)
    let list = String(decoding: try Exchange(server, "/").body, as: UTF8.self)
    #expect(list.contains("\(server.baseURL)/\(fixture.name)\n"))
    await server.stop()
  }
}
