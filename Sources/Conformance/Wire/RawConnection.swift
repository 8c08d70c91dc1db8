import ControlPoint
import NIOCore
import NIOPosix
import UPnP

/// A TCP connection that sends bytes as given, and reads answers without tolerance for mistakes.
struct RawConnection: Sendable {
  private static let connectTimeout = TimeAmount.seconds(5)
  /// Reads of up to 64 KiB each: more than any answer here.
  private static let maximumReads = 4096

  private struct Read: Sendable {
    var bytes: [UInt8]
    var arrival: ContinuousClock.Instant
  }

  private let channel: any Channel
  private let inbox: Inbox<Read>
  private let log: WireLog.Stream?

  /// - Throws: a failure if the device does not accept the connection.
  static func open(to url: HTTPURL, clock: CheckClock = CheckClock()) async throws(Finding) -> RawConnection {
    guard let address = url.address else {
      throw .failure(expected: "a URL with an IPv4 address", got: "\(url)")
    }
    let inbox = Inbox<Read>(capacity: maximumReads, clock: clock)
    let log = WireLog.current?.stream("TCP \(url.authority)")
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(connectTimeout)
        .channelOption(.allowRemoteHalfClosure, value: false)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let collector = Collector(
              log, onRead: { inbox.add(Read(bytes: $0, arrival: clock.now)) }, onClose: { inbox.close() })
            try channel.pipeline.syncOperations.addHandler(collector)
          }
        }
        .connect(to: address.socketAddress(port: url.port)).get()
      return RawConnection(channel: channel, inbox: inbox, log: log)
    } catch {
      throw .failure(expected: "a connection to \(url.authority)", got: "none (\(error))")
    }
  }

  /// Ignores write errors: a device may close early, and its answer then tells why.
  func send(_ text: String) {
    log?.sent(text.utf8)
    channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
  }

  func send(_ bytes: [UInt8]) {
    log?.sent(bytes)
    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  }

  /// Closes the sending direction, and continues to read.
  func closeOutput() { channel.close(mode: .output, promise: nil) }

  /// The answers to several requests, in order.
  /// - Throws: a failure if one is missing or is not HTTP.
  func answers(to methods: [String], within limit: Duration) async throws(Finding) -> [RawResponse] {
    let result = await inbox.wait(limit) { reads, isClosed -> Result<[RawResponse], Finding>? in
      let bytes = reads.flatMap(\.bytes)
      var position = 0
      var answers: [RawResponse] = []
      for method in methods {
        switch RawResponse.read(bytes[position...], method: method, isClosed: isClosed) {
        case .incomplete: return nil
        case .invalid(let reason):
          return .failure(.failure(expected: "a complete HTTP answer to \(method)", got: reason))
        case .complete(let response, let length):
          answers.append(response)
          position += length
        }
      }
      return .success(answers)
    }
    guard let result else {
      let count = await inbox.wait(.zero) { reads, _ in reads.reduce(0) { $0 + $1.bytes.count } } ?? 0
      throw .failure(
        expected: "a complete HTTP answer to \(methods.joined(separator: " and "))",
        got: count == 0 ? "nothing within \(limit)" : "an incomplete one within \(limit)")
    }
    return try result.get()
  }

  /// All bytes so far.
  func received() async -> [UInt8] {
    await inbox.wait(.zero) { reads, _ in reads.flatMap(\.bytes) } ?? []
  }

  func hasReceived(within limit: Duration) async -> Bool {
    await inbox.wait(limit) { reads, isClosed in !reads.isEmpty ? true : isClosed ? false : nil } ?? false
  }

  /// When the latest bytes arrived.
  func lastArrival() async -> ContinuousClock.Instant? {
    await inbox.wait(.zero) { reads, _ in reads.last?.arrival }
  }

  func isClosed(within limit: Duration) async -> Bool {
    await inbox.wait(limit) { _, isClosed in isClosed ? true : nil } ?? false
  }

  func close() { channel.close(promise: nil) }
}

private final class Collector: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private let log: WireLog.Stream?
  private let onRead: ([UInt8]) -> Void
  private let onClose: () -> Void
  private var isClosedByUs = false

  init(_ log: WireLog.Stream?, onRead: @escaping ([UInt8]) -> Void, onClose: @escaping () -> Void) {
    self.log = log
    self.onRead = onRead
    self.onClose = onClose
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Array(unwrapInboundIn(data).readableBytesView)
    log?.received(bytes)
    onRead(bytes)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    isClosedByUs = true
    context.close(mode: mode, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isClosedByUs { log?.closed() }
    onClose()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
