import ControlPoint
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// An event as it came.
struct RawEvent: Sendable {
  var path: String
  var headers: HTTPHeaders
  var body: [UInt8]

  func header(_ name: String) -> String { headers.first(name: name) ?? "" }
}

/// An HTTP server that receives the events of the device under test.
struct EventSink: Sendable {
  private static let maximumEvents = 10_000

  let inbox: Inbox<RawEvent>
  let address: IPAddress
  let port: UInt16
  private let channel: any Channel

  /// - Parameters:
  ///   - local: the address to listen on.
  ///   - peer: the only address that is listened to.
  static func open(on local: IPAddress, from peer: IPAddress) async throws(Finding) -> EventSink {
    let inbox = Inbox<RawEvent>(capacity: maximumEvents)
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard let address = channel.remoteAddress, IPAddress(address) == peer else {
              return channel.close(promise: nil)
            }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(EventHandler(inbox))
          }
        }
        .bind(to: local.socketAddress(port: 0)).get()
      let port = UInt16(channel.localAddress?.port ?? 0)
      return EventSink(inbox: inbox, address: local, port: port, channel: channel)
    } catch {
      throw .inconclusive("No port for events can be opened on \(local): \(error)")
    }
  }

  func url(_ path: String) -> String { "http://\(address):\(port)\(path)" }

  func close() { channel.close(promise: nil) }
}

private final class EventHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let maximumBody = 1 << 20

  private let inbox: Inbox<RawEvent>
  private var event: RawEvent?

  init(_ inbox: Inbox<RawEvent>) { self.inbox = inbox }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): event = RawEvent(path: head.uri, headers: head.headers, body: [])
    case .body(let part):
      event?.body += part.readableBytesView
      if event?.body.count ?? 0 > Self.maximumBody { context.close(promise: nil) }
    case .end:
      guard let event else { return }
      inbox.add(event)
      let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["CONTENT-LENGTH": "0"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
