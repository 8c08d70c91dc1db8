import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DeviceStack
@testable import Page

/// The event stream, without connections.
@Suite(.timeLimit(.minutes(1))) struct PageStateTests {
  /// Collects what a stream writes.
  private final class Sink: HTTPStreamSink {
    let texts: AsyncStream<String>
    private let text: AsyncStream<String>.Continuation

    init() { (texts, text) = AsyncStream.makeStream(of: String.self) }

    func streamed(_ piece: ByteBuffer) { text.yield(String(buffer: piece)) }
    func streamFinished() { text.finish() }
  }

  /// A state with one section, on a loop.
  private final class Harness {
    /// nil for a value that JSON cannot represent.
    var value: Int? = 1
    let list: ShownList
    let state: PageState
    var watched: [Bool] = []
    var sinks: [(HTTPStream, Sink)] = []

    init(_ eventLoop: any EventLoop, limit: Int, comments: Duration) {
      let box = Box()
      list = ShownList("library", event: "servers") { box.harness?.value.map { _ in Array("[]".utf8) } }
      state = PageState(
        eventLoop: eventLoop,
        sections: [
          StateSection(name: "a", encode: { box.harness?.value.map { Array("\($0)".utf8) } })
        ],
        lists: [list], bootID: 7, streamLimit: limit, commentInterval: comments)
      // Set after the initialization, because the section and the list read this object.
      box.harness = self
      list.onWatched = { [weak self] in self?.watched.append($0) }
    }

    private final class Box { weak var harness: Harness? }

    /// Connects a client.
    func open(
      _ shown: [Substring] = [], lastID: String? = nil, from address: String = "a"
    ) throws(Problem) -> AsyncStream<String> {
      let stream = try state.open(for: .init(address: address), shown: shown, lastID: lastID)
      let sink = Sink()
      stream.open(sink)
      sinks.append((stream, sink))
      return sink.texts
    }

    func set(_ value: Int?) {
      self.value = value
      state.touch("a")
    }
  }

  /// Runs steps on the loop.
  private struct Loop: Sendable {
    let eventLoop: any EventLoop
    let harness: NIOLoopBound<Harness>

    init(limit: Int = 2, comments: Duration = .seconds(3600)) async throws {
      let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
      self.eventLoop = eventLoop
      harness = try await eventLoop.submit {
        NIOLoopBound(Harness(eventLoop, limit: limit, comments: comments), eventLoop: eventLoop)
      }.get()
    }

    @discardableResult
    func run<T: Sendable>(_ body: @escaping @Sendable (Harness) throws -> T) async throws -> T {
      try await eventLoop.submit { [harness] in try body(harness.value) }.get()
    }
  }

  @Test func changesFollowTheState() async throws {
    let loop = try await Loop()
    var texts = try await loop.run { try $0.open() }.makeAsyncIterator()
    #expect(await texts.next() == "retry: 1000\n\n")
    #expect(await texts.next() == "event: state\nid: 7-1\ndata: {\"id\":\"7-1\",\"a\":1}\n\n")
    try await loop.run { harness in
      harness.set(2)
      harness.set(3)
    }
    #expect(await texts.next() == "event: change\nid: 7-2\ndata: {\"id\":\"7-2\",\"a\":3}\n\n")
    // Within the interval, only the last value is sent, once. A reverted change causes no event.
    try await loop.run { $0.set(4) }
    try await loop.run { $0.set(5) }
    #expect(await texts.next() == "event: change\nid: 7-3\ndata: {\"id\":\"7-3\",\"a\":5}\n\n")
  }

  @Test func aValueThatJSONCannotRepresentSendsNothing() async throws {
    let loop = try await Loop()
    var texts = try await loop.run { try $0.open(["library"]) }.makeAsyncIterator()
    for _ in 0..<3 { _ = await texts.next() }
    try await loop.run { harness in
      harness.set(nil)
      harness.list.changed()
    }
    var others = try await loop.run { try $0.open(["library"]) }.makeAsyncIterator()
    _ = await others.next()
    #expect(await others.next() == "event: state\nid: 7-1\ndata: {\"id\":\"7-1\",\"a\":1}\n\n")
    try await loop.run { $0.set(2) }
    let change = "event: change\nid: 7-2\ndata: {\"id\":\"7-2\",\"a\":2}\n\n"
    #expect(await texts.next() == change)
    #expect(await others.next() == change)
  }

  @Test(arguments: [
    (Duration.milliseconds(12_345), 12.345), (.nanoseconds(1_999_999), 0.001), (.zero, 0),
    (.seconds(Int64.max), 9_223_372_036_854_775_807),
  ])
  func durationsAreFiniteSeconds(_ duration: Duration, _ seconds: Double) { #expect(duration.inSeconds == seconds) }

  @Test func aKnownIDGetsOnlyChanges() async throws {
    let loop = try await Loop()
    _ = try await loop.run { $0.state.document().id }
    var texts = try await loop.run { try $0.open(lastID: "7-1") }.makeAsyncIterator()
    #expect(await texts.next() == "retry: 1000\n\n")
    try await loop.run { $0.set(2) }
    #expect(await texts.next() == "event: change\nid: 7-2\ndata: {\"id\":\"7-2\",\"a\":2}\n\n")
  }

  @Test func commentsKeepTheConnection() async throws {
    let loop = try await Loop(comments: .milliseconds(20))
    var texts = try await loop.run { try $0.open() }.makeAsyncIterator()
    _ = await texts.next()
    _ = await texts.next()
    for _ in 0..<3 { #expect(await texts.next() == ":\n\n") }
  }

  @Test func streamsAreLimitedUntilOneEnds() async throws {
    let loop = try await Loop(limit: 2)
    try await loop.run { harness in
      _ = try harness.open()
      _ = try harness.open()
      #expect(throws: Problem.self) { try harness.open() }
      harness.sinks[0].0.ended()
      _ = try harness.open()
    }
  }

  @Test func aListIsWatchedWhileAStreamShowsIt() async throws {
    let loop = try await Loop(limit: 3)
    var texts = try await loop.run { try $0.open(["library", "unknown"]) }.makeAsyncIterator()
    for _ in 0..<2 { _ = await texts.next() }
    #expect(await texts.next() == "event: servers\ndata: []\n\n")
    try await loop.run { harness in
      _ = try harness.open(["library"])
      _ = try harness.open()
      #expect(harness.watched == [true])
      harness.list.changed()
    }
    #expect(await texts.next() == "event: servers\ndata: []\n\n")
    try await loop.run { harness in
      for (stream, _) in harness.sinks { stream.ended() }
      #expect(harness.watched == [true, false])
      #expect(!harness.list.isWatched)
    }
  }
}
