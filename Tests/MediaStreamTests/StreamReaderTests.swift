import MediaOrigin
import NIOCore
import PlaybackModel
import Testing

@testable import MediaStream

/// Reads streams from servers of all kinds, byte by byte. `RequestMachineTests` covers the rules.
@Suite(.timeLimit(.minutes(2))) struct StreamReaderTests {
  private struct Read: Sendable, Equatable {
    var bytes: [UInt8] = []
    var titles: [String] = []
    var end: StreamReader.Arrival
  }

  /// Not a multiple of any buffer's size.
  private static let file = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  private func open(_ url: String, _ change: (inout StreamRequest) -> Void = { _ in }) throws -> StreamReader {
    var request = StreamRequest(url: try #require(StreamURL(url)), userAgent: "test")
    change(&request)
    return StreamReader(request)
  }

  private func read(_ stream: StreamReader, from offset: Int = 0, to end: Int? = nil) async -> Read {
    await withCheckedContinuation { continuation in
      NamedThread.start("reader") {
        stream.start(at: offset, end: end)
        var read = Read(end: .interrupted)
        while true {
          switch stream.next() {
          case .bytes:
            let piece = stream.take()
            withExtendedLifetime(piece.owner) { read.bytes += piece.bytes }
          case .title(let title): read.titles.append("\(read.bytes.count) \(title)")
          case let end:
            read.end = end
            return continuation.resume(returning: read)
          }
        }
      }
    }
  }

  private func serve(
    _ bytes: [UInt8] = file, _ change: (inout Manners) -> Void = { _ in }
  ) async throws -> (MediaServer, String) {
    let server = try await MediaServer.start()
    server.put("/a", .bytes(bytes), manners: Manners(change))
    return (server, server.url("/a"))
  }

  @Test(arguments: [.length, .chunked, .close] as [Manners.Framing])
  func aFileArrivesWhole(_ framing: Manners.Framing) async throws {
    let (server, url) = try await serve { $0.framing = framing }
    let stream = try open(url)
    let read = await read(stream)
    #expect(read == Read(bytes: Self.file, end: .end))
    #expect(stream.answer?.size == (framing == .length ? Self.file.count : nil))
    #expect(stream.answer?.isSeekable == (framing == .length))
    #expect(server.requests.count == 1)
    await server.stop()
  }

  @Test func partsOfAFile() async throws {
    let (server, url) = try await serve()
    let stream = try open(url)
    for part in [5..<9, 0..<400_000, 699_999..<700_001] {
      #expect(
        await read(stream, from: part.lowerBound, to: part.upperBound) == Read(bytes: Array(Self.file[part]), end: .end)
      )
    }
    #expect(await read(stream, from: 600_000) == Read(bytes: Array(Self.file[600_000...]), end: .end))
    #expect(await read(stream, from: 700_001).end == .end)
    #expect(stream.answer == nil)
    await server.stop()
  }

  @Test(arguments: [false, true]) func aBrokenConnectionIsResumed(_ reset: Bool) async throws {
    let (server, _) = try await serve { $0.earlyClose = .init(after: 200_001, times: 2, reset: reset) }
    server.put("/b", .bytes([])) { $0.redirect = .to("/a") }
    let read = await read(try open(server.url("/b")))
    #expect(read == Read(bytes: Self.file, end: .end))
    #expect(server.requests.map(\.path) == ["/b", "/a", "/b", "/a", "/b", "/a"])
    // A reset discards bytes that are still in transit.
    if !reset { #expect(server.requests.last?["Range"] == "bytes=400002-") }
    await server.stop()
  }

  @Test func aLengthThatIsTooLargeIsFoundOut() async throws {
    let (server, url) = try await serve { $0.framing = .wrongLength(by: 5_000) }
    #expect(await read(try open(url)) == Read(bytes: Self.file, end: .end))
    #expect(server.requests.map { $0["Range"] } == [nil, "bytes=700001-"])
    await server.stop()
  }

  @Test func bytesArriveBeforeTheFailure() async throws {
    let (server, url) = try await serve {
      $0.framing = .chunked
      $0.earlyClose = .init(after: 300_000)
    }
    #expect(await read(try open(url)) == Read(bytes: Array(Self.file[..<300_000]), end: .failed(.endedEarly)))
    await server.stop()
  }

  @Test func titlesArriveInTheirPlaces() async throws {
    let (server, url) = try await serve {
      $0.endless = true
      $0.earlyClose = .init(after: 50_000, times: 1)
      $0.icy = ICY(interval: 1_000, titles: [.init(at: 0, "One"), .init(at: 3_500, "It's 'Two'")], statusLine: true)
    }
    let stream = try open(url)
    let read = await read(stream)
    #expect(read.end == .end)
    #expect(read.bytes.count > 40_000)
    #expect(read.bytes == Array(Self.file.prefix(read.bytes.count)))
    #expect(read.titles == ["1000 One", "4000 It's 'Two'"])
    #expect(stream.answer?.isTitled == true)
    #expect(stream.answer?.size == nil)
    await server.stop()
  }

  @Test(
    arguments: [
      (Manners { $0.status = .init(404) }, .status(404)), (Manners { $0.redirect = .endless }, .redirects),
      (Manners { $0.redirect = .hops(11) }, .redirects), (Manners { $0.openDelay = .seconds(60) }, .timedOut),
      (Manners { $0.stall = .init(after: 0) }, .endedEarly),
    ] as [(Manners, StreamFailure)])
  func failures(_ manners: Manners, failure: StreamFailure) async throws {
    let (server, url) = try await serve { $0 = manners }
    let stream = try open(url) { $0.timeout = .milliseconds(300) }
    #expect(await read(stream).end == .failed(failure))
    await server.stop()
  }

  @Test func tenRedirectsAreFollowed() async throws {
    let (server, url) = try await serve { $0.redirect = .hops(10) }
    #expect(await read(try open(url)) == Read(bytes: Self.file, end: .end))
    await server.stop()
  }

  @Test func serversThatCannotBeReached() async throws {
    let closed = try #require(ClosedPort())
    #expect(await read(try open("http://127.0.0.1:\(closed.port)/")).end == .failed(.refused))
    #expect(await read(try open("http://nowhere.invalid/")).end == .failed(.unknownHost))
    // The kernel refuses to connect to the broadcast address, on every network.
    #expect(await read(try open("http://255.255.255.255/")).end == .failed(.unreachable))
  }

  @Test func names() async throws {
    let (server, _) = try await serve()
    #expect(await read(try open("http://localhost:\(server.port)/a")) == Read(bytes: Self.file, end: .end))
    #expect(server.requests.first?["Host"] == "localhost:\(server.port)")
    await server.stop()
  }

  /// The request goes to the proxy instead of the server.
  @Test func aProxyGetsTheWholeAddress() async throws {
    let (server, url) = try await serve()
    let stream = try open("http://somewhere.example/a?b") { $0.proxy = StreamURL(url) }
    #expect(await read(stream).end == .failed(.status(404)))
    #expect(server.requests.map(\.target) == ["http://somewhere.example/a?b"])
    #expect(server.requests.first?["Host"] == "somewhere.example")
    await server.stop()
  }

  /// A stream that is not read holds back the server (backpressure), and arrives completely afterwards.
  @Test func aFullBufferHoldsBackTheServer() async throws {
    let count = 40 << 20
    let server = try await MediaServer.start()
    server.put("/large", .bytes([UInt8](repeating: 7, count: count)))
    let stream = try open(server.url("/large"))
    stream.start()
    try await server.wait { $0.bytesSent["/large", default: 0] > StreamBuffer.limit }
    var sent = -1
    // Waits until nothing more is sent.
    while sent != server.journal.bytesSent["/large", default: 0] {
      sent = server.journal.bytesSent["/large", default: 0]
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(sent < count / 2)
    #expect(await read(stream).bytes.count == count)
    await server.stop()
  }

  /// Regression: only the bytes between the titles counted, so that the titles had no limit.
  @Test func titlesFillTheBuffer() {
    let buffer = StreamBuffer()
    let generation = buffer.restart()
    let title = String(repeating: "x", count: 1 << 10)
    let sound = [UInt8](repeating: 0, count: StreamBuffer.titleDistance)
    buffer.update(generation) { state in
      for _ in 0..<StreamBuffer.limit / (title.utf8.count + sound.count) + 1 {
        state.write(ByteBuffer(bytes: sound))
        state.write(title: title)
      }
    }
    #expect(!buffer.pauseIfFull(generation))
    var resumptions = 0
    while buffer.wait(timeout: .zero) == .bytes {
      if buffer.take().resumes { resumptions += 1 }
      #expect(buffer.wait(timeout: .zero) == .title(title))
    }
    #expect(resumptions == 1)
  }

  /// Regression: a title before each byte made a buffer of each byte.
  @Test func titlesThatComeTooFastAreDropped() {
    let buffer = StreamBuffer()
    let generation = buffer.restart()
    let sound = ByteBuffer(repeating: 0, count: 100_000)
    buffer.update(generation) { state in
      for index in 0..<sound.readableBytes {
        state.write(title: "\(index)")
        if let byte = sound.getSlice(at: index, length: 1) { state.write(byte) }
      }
    }
    var (reads, count, titles) = (0, 0, [String]())
    while true {
      switch buffer.wait(timeout: .zero) {
      case .bytes: (reads, count) = (reads + 1, count + buffer.take().bytes.readableBytes)
      case .title(let title): titles.append(title)
      default:
        #expect(count == 100_000 && reads < 1_000 && titles.count < 500, "\(reads) reads, \(titles.count) titles")
        #expect(titles.last == "99999" && buffer.state.withLock(\.size) == 0)
        return
      }
    }
  }

  @Test func anInterruptionWakesTheReader() async throws {
    let (server, url) = try await serve { $0.openDelay = .seconds(100) }
    let stream = try open(url)
    async let first = read(stream)
    try await server.waitForRequest("/a")
    stream.interrupt()
    #expect(await first.end == .interrupted)
    stream.endInterruption()
    stream.close()
    try await server.wait { $0.openConnections == 0 }
    await server.stop()
  }

  /// Starts, restarts and closes at random moments. Nothing may crash, block or mix up two requests.
  @Test func restartsAtRandomMoments() async throws {
    let (server, url) = try await serve {
      $0.rate = 4_000_000
      $0.earlyClose = .init(after: 150_000, times: 40)
    }
    for round in 0..<60 {
      let stream = try open(url)
      for step in 0..<4 {
        stream.start(at: (round * 4 + step) * 2_000)
        try await Task.sleep(for: .milliseconds((round + step) % 7))
      }
      if round % 3 == 0 {
        #expect(await read(stream, from: 600_000) == Read(bytes: Array(Self.file[600_000...]), end: .end))
      }
      stream.close()
    }
    try await server.wait { $0.openConnections == 0 }
    await server.stop()
  }
}
