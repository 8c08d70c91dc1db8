import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import UPnP

@testable import ControlPoint

/// Watching a service of a device on loopback.
@Suite(.timeLimit(.minutes(1))) struct ServiceEventsTests {
  private let device = FakeDevice()
  private let controlPoint: UPnPControlPoint

  init() throws {
    let loopback = try #require(CIDR("127.0.0.0/8"))
    controlPoint = UPnPControlPoint(
      settings: .init(product: "Test/1", addresses: AddressPolicy(allowed: [loopback])), http: device,
      logger: Logger(label: "test"))
  }

  private static func volume(_ value: String) -> EventedVariables {
    EventedVariables([EventedVariable("Volume", value)])
  }

  @Test func deliversEventsAndUnsubscribesAfterTheLoop() async throws {
    let service = device.service(controlPoint)
    let watching = Task {
      var seen: [ServiceEvent<EventedVariables>] = []
      for await event in service.events(.eventsOnly) {
        seen.append(event)
        if case .change = event { break }
      }
      return seen
    }
    await device.received("SUBSCRIBE")
    #expect(try await device.notify(0, "1") == .ok)
    // Forged: another SID, another path.
    #expect(try await device.notify(1, "66", sid: "uuid:b") == .preconditionFailed)
    #expect(try await device.notify(1, "66", path: "/guess") == .preconditionFailed)
    #expect(try await device.notify(1, "66", body: "<broken") == .ok)
    #expect(try await device.notify(3, "2") == .ok)
    let change = ServiceEvent.change(state: Self.volume("2"), changes: Self.volume("2"))
    #expect(await watching.value == [.initial(Self.volume("1")), .missed(1), .missed(1), change])
    await device.received("UNSUBSCRIBE")
    await controlPoint.stop()
  }

  @Test func unsubscribesWhenTheTaskIsCancelled() async throws {
    let service = device.service(controlPoint)
    let watching = Task { for await _ in service.events() {} }
    await device.received("SUBSCRIBE")
    watching.cancel()
    await watching.value
    await device.received("UNSUBSCRIBE")
    await controlPoint.stop()
  }

  @Test func endsTwentyWatchersWhenTheControlPointStops() async throws {
    let service = device.service(controlPoint)
    let watching = (0..<20).map { _ in Task { for await _ in service.events(.eventsOnly) {} } }
    await device.received("SUBSCRIBE", count: 20)
    await controlPoint.stop()
    for task in watching { await task.value }
    #expect(device.count("UNSUBSCRIBE") == 20)
    // A sequence that begins later ends at once.
    for await _ in service.events() { Issue.record("an event after the end") }
  }

  @Test func pollsADeviceThatRefusesToSubscribe() async throws {
    device.state.withLock { $0.subscribeStatus = .notImplemented }
    var events = device.service(controlPoint).events(.pollWhenEventsFail(interval: .milliseconds(100)))
      .makeAsyncIterator()
    #expect(await events.next() == .lapsed(.failed(.status(501))))
    #expect(await events.next() == .initial(Self.volume("1")))
    device.state.withLock { $0.volume = "2" }
    #expect(await events.next() == .change(state: Self.volume("2"), changes: Self.volume("2")))
    await controlPoint.stop()
    #expect(await events.next() == nil)
  }

  @Test func pollsAServiceWithoutEvents() async throws {
    let service = device.service(controlPoint, hasEvents: false)
    var polled = service.events().makeAsyncIterator()
    #expect(await polled.next() == .initial(Self.volume("1")))
    var evented = service.events(.eventsOnly).makeAsyncIterator()
    #expect(await evented.next() == .lapsed(.notEvented))
    #expect(await evented.next() == nil)
    await controlPoint.stop()
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHOST: x\r\n\r\n", "HTTP/1.1 405"), ("NOTIFY / HTTP/1.1\r\nHOST: x\r\n\r\n", "HTTP/1.1 400"),
    ("NOTIFY / HTTP/1.1\r\nHOST: x\r\nNT: a\r\nNTS: b\r\n\r\n", "HTTP/1.1 412"),
    ("NOTIFY / HTTP/1.1\r\nHOST: x\r\nContent-Length: 9999999\r\n\r\n", "HTTP/1.1 413"),
    ("rubbish\r\n\r\n", "HTTP/1.1 400"),
  ])
  func answersWhatIsNoEvent(request: String, status: String) async throws {
    let answer = try await answer(to: request)
    #expect(answer.hasPrefix(status), "\(answer)")
  }

  @Test func refusesAnEndlessBody() async throws {
    let chunk = "10000\r\n" + String(repeating: "a", count: 1 << 16) + "\r\n"
    let head = "NOTIFY / HTTP/1.1\r\nHOST: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    let answer = try await answer(to: head + String(repeating: chunk, count: 17))
    #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
  }

  @Test func closesConnectionsOfOtherHosts() async throws {
    #expect(try await answer(to: "GET / HTTP/1.1\r\nHOST: x\r\n\r\n", from: "127.0.0.2") == "")
  }

  @Test func givesTheVariablesOfAClientTheirTypes() async throws {
    let client = RenderingControl1Client(device.service(controlPoint))
    let watching = Task { () -> RenderingControl1Client.Values? in
      for await case .initial(let values) in client.events(.eventsOnly) { return values }
      return nil
    }
    await device.received("SUBSCRIBE")
    #expect(try await device.notify(0, "7") == .ok)
    #expect(await watching.value?.volume == ["Master": 7])
    await controlPoint.stop()
  }

  /// The first bytes that the listener of a subscription answers; empty if it closes the connection.
  private func answer(to request: String, from sender: String = "127.0.0.1") async throws -> String {
    let service = device.service(controlPoint)
    let watching = Task { for await _ in service.events(.eventsOnly) {} }
    await device.received("SUBSCRIBE")
    let callback = try #require(device.state.withLock { $0.callback })
    let group = MultiThreadedEventLoopGroup.singleton
    let answer = group.next().makePromise(of: String.self)
    let channel = try await ClientBootstrap(group: group)
      .bind(to: try SocketAddress(ipAddress: sender, port: 0))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FirstRead(answer)) }
      }
      .connect(host: callback.host, port: Int(callback.port)).get()
    channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
    let text = try await answer.futureResult.get()
    try? await channel.close()
    watching.cancel()
    await controlPoint.stop()
    return text
  }

  private final class FirstRead: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let answer: EventLoopPromise<String>

    init(_ answer: EventLoopPromise<String>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      answer.succeed(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { answer.succeed("") }
  }
}
