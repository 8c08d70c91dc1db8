import ControlPoint
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// One download of the stand-in player, on its event loop. It follows redirects.
final class StandInFetch {
  enum Event {
    /// The bytes at a position of the file.
    case bytes(ByteBuffer, from: Int)
    /// - Parameter isComplete: whether all announced bytes have arrived.
    case ended(isComplete: Bool)
    /// The server has no such file, or cannot be reached.
    case refused
  }

  private static let maximumRedirects = 10
  private static let maximumAge = TimeAmount.seconds(5)

  private let eventLoop: any EventLoop
  private let start: Int
  private let fault: StandInFault?
  private let onEvent: (Event) -> Void
  private var url: HTTPURL?
  private var channel: (any Channel)?
  private var redirects = 0
  private var isOver = false
  private var isReading = true
  /// The length of the file, once the server has announced it.
  private(set) var length: Int?
  private(set) var type = ""

  /// - Parameter start: the offset of the first byte to fetch.
  init(
    _ uri: String, from start: Int, on eventLoop: any EventLoop, fault: StandInFault?,
    onEvent: @escaping (Event) -> Void
  ) {
    self.eventLoop = eventLoop
    self.start = start
    self.fault = fault
    self.onEvent = onEvent
    open(HTTPURL(uri))
  }

  /// Closes the connection. No event follows.
  func cancel() {
    isOver = true
    channel?.close(promise: nil)
    channel = nil
  }

  /// Pauses or continues reading.
  func setReading(_ isReading: Bool) {
    guard isReading != self.isReading, let channel else { return }
    self.isReading = isReading
    channel.setOption(.autoRead, value: isReading).whenComplete { _ in }
  }

  private func open(_ url: HTTPURL?) {
    self.url = url
    guard let url, let address = url.address else {
      eventLoop.assumeIsolated().execute { self.report(.refused) }
      return
    }
    ClientBootstrap(group: eventLoop).connectTimeout(Self.maximumAge).connect(to: address.socketAddress(port: url.port))
      .assumeIsolated().whenComplete { result in
        switch result {
        case .success(let channel): self.opened(channel, url)
        case .failure: self.report(.refused)
        }
      }
  }

  private func opened(_ channel: any Channel, _ url: HTTPURL) {
    guard !isOver else { return channel.close(promise: nil) }
    self.channel = channel
    var headers: HTTPHeaders = ["HOST": url.authority, "USER-AGENT": "StandIn/1.0", "CONNECTION": "close"]
    if start > 0 { headers.add(name: "RANGE", value: "bytes=\(start)-") }
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: url.requestTarget, headers: headers)
    add(fault, to: &head)
    do {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHTTPClientHandlers()
      try pipeline.addHandler(StandInFetchHandler(self))
    } catch {
      return report(.refused)
    }
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  private func add(_ fault: StandInFault?, to request: inout HTTPRequestHead) {
    switch fault {
    case .needsHEAD: request.method = .HEAD
    case .resumesFromStart: request.headers.remove(name: "RANGE")
    case .sendsNoHost: request.headers.remove(name: "HOST")
    case .sendsNoUserAgent: request.headers.remove(name: "USER-AGENT")
    case .sendsInvalidRange: request.headers.replaceOrAdd(name: "RANGE", value: "bytes=0")
    default: break
    }
  }

  /// Whether the fault makes an answer unplayable.
  private func refuses(_ answer: HTTPResponseHead) -> Bool {
    switch fault {
    case .refusesType(let refused): type.hasPrefix(refused)
    case .needsRanges: answer.headers.first(name: "accept-ranges") != "bytes"
    case .needsLength: answer.headers.first(name: "content-length") == nil
    case .trustsContentType: !type.hasPrefix("audio/")
    case .failsOnICY: answer.headers.first(name: "icy-name") != nil
    default: false
    }
  }

  // MARK: Called by the connection

  /// - Returns: the position of the first byte of the body; nil if there is none.
  fileprivate func received(_ head: HTTPResponseHead) -> Int? {
    switch head.status.code {
    case 200, 206:
      type = head.headers.first(name: "content-type") ?? ""
      guard !refuses(head) else {
        report(.refused)
        return nil
      }
      let first = head.status == .partialContent ? start : 0
      length = head.headers.first(name: "content-length").flatMap { Int($0) }.map { $0 + first }
      return first
    case 300..<400:
      redirects += 1
      channel?.close(promise: nil)
      channel = nil
      let isFollowed = fault != .ignoresRedirects && (fault != .followsOnly302 || head.status == .found)
      if let location = head.headers.first(name: "location"), redirects <= Self.maximumRedirects, isFollowed {
        open(url?.resolve(location))
      } else {
        report(.refused)
      }
      return nil
    default:
      report(.refused)
      return nil
    }
  }

  fileprivate func report(_ event: Event) {
    guard !isOver else { return }
    if case .bytes = event {} else { cancel() }
    onEvent(event)
  }
}

private final class StandInFetchHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let fetch: StandInFetch
  private var position: Int?
  private var isAnswered = false

  init(_ fetch: StandInFetch) { self.fetch = fetch }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isAnswered = true
      position = fetch.received(head)
    case .body(let bytes):
      guard let start = position else { return }
      position = start + bytes.readableBytes
      fetch.report(.bytes(bytes, from: start))
    case .end: if position != nil { end(isComplete: true) }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { if position != nil { end(isComplete: false) } }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // After a redirect this connection ends without an event: the fetch uses another one.
    if position != nil { end(isComplete: false) } else if !isAnswered { fetch.report(.refused) }
  }

  private func end(isComplete: Bool) {
    position = nil
    fetch.report(.ended(isComplete: isComplete))
  }
}
