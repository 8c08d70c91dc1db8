import ControlPoint
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import UPnP

/// An event as received.
struct RawEvent: Sendable {
  var method: String
  var path: String
  var headers: HTTPHeaders
  var body: [UInt8]
  var arrival: ContinuousClock.Instant

  func header(_ name: String) -> String { headers.first(name: name) ?? "" }

  /// The beginning of the body, for reports.
  var quotedBody: String { "\"\(String(decoding: body, as: UTF8.self).prefix(60))\"" }

  /// The request as received, for reports.
  fileprivate var message: [UInt8] {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n".utf8) + body
  }
}

/// How a subscriber answers events.
enum EventReply: Sendable {
  case status(Int)
  /// Never: the connection stays open.
  case none
  /// The beginning of an answer, after which the connection closes.
  case incomplete
}

/// An HTTP server that receives the events of the device under test.
struct EventSink: Sendable {
  private static let maximumEvents = 10_000

  /// The logs of the checks by the paths of their subscriptions.
  fileprivate final class Logs: Sendable {
    let byPath = Mutex<[String: WireLog]>([:])
  }

  let inbox: Inbox<RawEvent>
  let address: IPAddress
  let port: UInt16
  private let replies: EventReplies
  private let channel: any Channel
  private let logs: Logs

  /// - Parameters:
  ///   - local: the address to listen on.
  ///   - peer: the only address whose events are accepted.
  static func open(on local: IPAddress, from peer: IPAddress, clock: CheckClock) async throws(Finding) -> EventSink {
    let inbox = Inbox<RawEvent>(capacity: maximumEvents, clock: clock)
    let logs = Logs()
    let replies = EventReplies()
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard let address = channel.remoteAddress, IPAddress(address) == peer else {
              return channel.close(promise: nil)
            }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(EventHandler(inbox, replies, logs, clock))
          }
        }
        .bind(to: local.socketAddress(port: 0)).get()
      let port = UInt16(channel.localAddress?.port ?? 0)
      return EventSink(
        inbox: inbox, address: local, port: port, replies: replies, channel: channel, logs: logs)
    } catch {
      throw .inconclusive("no port for events can be opened on \(local): \(error)")
    }
  }

  /// A new path for callbacks. The events for it appear in the log of the current check.
  /// - Parameter ending: more of the path, and the query.
  func newPath(_ ending: String = "") -> String {
    let path = "/\(UInt64.random(in: .min ... .max))\(ending)"
    if let log = WireLog.current { logs.byPath.withLock { $0[String(path.prefix { $0 != "?" })] = log } }
    return path
  }

  func url(_ path: String) -> String { "http://\(address):\(port)\(path)" }

  /// Sets the answer to events for a path. The default is 200.
  func setReply(_ reply: EventReply, for path: String) { replies[path] = reply }

  func close() { channel.close(promise: nil) }
}

private final class EventReplies: Sendable {
  private let replies = Mutex<[String: EventReply]>([:])

  subscript(path: String) -> EventReply {
    get { replies.withLock { $0[path] ?? .status(200) } }
    set { replies.withLock { $0[path] = newValue } }
  }
}

private final class EventHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let maximumBody = 1 << 20

  private let inbox: Inbox<RawEvent>
  private let replies: EventReplies
  private let logs: EventSink.Logs
  private let clock: CheckClock
  private var event: RawEvent?

  init(_ inbox: Inbox<RawEvent>, _ replies: EventReplies, _ logs: EventSink.Logs, _ clock: CheckClock) {
    self.clock = clock
    self.inbox = inbox
    self.replies = replies
    self.logs = logs
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      event = RawEvent(
        method: head.method.rawValue, path: head.uri, headers: head.headers, body: [], arrival: clock.now)
    case .body(let part):
      event?.body += part.readableBytesView
      if event?.body.count ?? 0 > Self.maximumBody { context.close(promise: nil) }
    case .end:
      guard let event else { return }
      let path = event.path.prefix { $0 != "?" }
      logs.byPath.withLock { $0[String(path)] }?.stream("event").received(event.message)
      inbox.add(event)
      switch replies[event.path] {
      case .none: break
      case .status(let status):
        let head = HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: ["CONTENT-LENGTH": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      case .incomplete:
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["CONTENT-LENGTH": "1000000"])
        context.writeAndFlush(wrapOutboundOut(.head(head))).assumeIsolated().whenComplete { _ in
          context.close(promise: nil)
        }
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
