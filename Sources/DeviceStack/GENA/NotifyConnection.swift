import NIOCore
import NIOHTTP1

/// A connection to a subscriber's listener: sends a message, waits for the answer, and can then send the next one.
final class NotifyConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// How sending one message ended.
  enum Outcome: Equatable {
    case answered(status: UInt, isReusable: Bool)
    case failed(SubscriberQueue.Failure)
  }

  private enum State: Equatable {
    case connecting
    case idle
    /// - isReused: whether an earlier message was sent on this connection.
    /// - interim: the number of interim responses (RFC 9110 §15.2).
    case awaitingHead(isReused: Bool, interim: Int)
    /// The status is known. The body is discarded.
    case skippingBody(status: UInt, bytes: Int)
    case closed
  }

  /// In bytes. Closing the connection is cheaper than reading a longer body.
  private static let maximumBody = 16 * 1024
  /// A subscriber that sends more interim responses is treated as failed.
  private static let maximumInterim = 8

  private var state = State.connecting
  private var wasUsed = false
  private var channel: (any Channel)?
  /// Called once for each `send`.
  private let onOutcome: (Outcome) -> Void
  /// Called when the subscriber closes the idle connection.
  private let onClosed: () -> Void

  init(onOutcome: @escaping (Outcome) -> Void, onClosed: @escaping () -> Void) {
    self.onOutcome = onOutcome
    self.onClosed = onClosed
  }

  /// The connection is established. `send` may be called.
  func connected() {
    if state == .connecting { state = .idle }
  }

  func send(_ head: HTTPRequestHead, body: ByteBuffer) {
    guard let channel, state == .idle else { return }
    guard channel.isActive else {
      end(.failed(wasUsed ? .stale : .hungUp))
      return
    }
    state = .awaitingHead(isReused: wasUsed, interim: 0)
    wasUsed = true
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  /// Closes without calling a handler, even before it is connected.
  func close() {
    state = .closed
    channel?.close(promise: nil)
  }

  /// Closes and reports a timeout, unless the status has arrived.
  func abort() {
    switch state {
    case .skippingBody(let status, _): end(.answered(status: status, isReusable: false))
    case .connecting: end(.failed(.unreachable))
    default: end(.failed(.silent))
    }
  }

  /// The route is gone: closes and reports that the message must be sent on another connection.
  func abandon() {
    switch state {
    case .connecting, .awaitingHead: end(.failed(.stale))
    default: lost(.stale)
    }
  }

  private func end(_ outcome: Outcome) {
    close()
    onOutcome(outcome)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    channel = context.channel
    if state == .closed { context.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .awaitingHead(let isReused, let interim)) where head.status.isInterim:
      state = .awaitingHead(isReused: isReused, interim: interim + 1)
      if interim == Self.maximumInterim { end(.failed(.hungUp)) }
    case (.head(let head), .awaitingHead):
      let status = UInt(head.status.code)
      // Without a length, the body ends with the connection, which some subscribers never close.
      let hasEnd = head.headers.contains(name: "content-length") || head.isChunked || head.status.hasNoBody
      if head.isKeepAlive, hasEnd {
        state = .skippingBody(status: status, bytes: 0)
      } else {
        end(.answered(status: status, isReusable: false))
      }
    case (.body(let part), .skippingBody(let status, let bytes)):
      let total = bytes + part.readableBytes
      state = .skippingBody(status: status, bytes: total)
      if total > Self.maximumBody { end(.answered(status: status, isReusable: false)) }
    case (.end, .skippingBody(let status, _)):
      state = .idle
      onOutcome(.answered(status: status, isReusable: true))
    default:
      // An unsolicited answer, or the rest of one that was handled.
      break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    lost(.stale)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lost(error is HTTPParserError ? .hungUp : .stale)
  }

  /// - Parameter reason: the failure to report if this happens while waiting for an answer on a reused connection.
  private func lost(_ reason: SubscriberQueue.Failure) {
    switch state {
    case .idle:
      close()
      onClosed()
    case .awaitingHead(let isReused, _): end(.failed(isReused ? reason : .hungUp))
    case .skippingBody(let status, _): end(.answered(status: status, isReusable: false))
    // While connecting, the connection attempt itself reports the failure.
    case .connecting, .closed: break
    }
  }
}

extension HTTPResponseHead {
  fileprivate var isChunked: Bool {
    headers[canonicalForm: "transfer-encoding"].last?.lowercased() == "chunked"
  }
}

extension HTTPResponseStatus {
  fileprivate var hasNoBody: Bool { code == 204 || code == 304 }
  /// 101 is an answer: what follows it would be another protocol.
  fileprivate var isInterim: Bool { 100..<200 ~= code && code != 101 }
}
