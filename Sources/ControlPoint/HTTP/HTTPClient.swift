import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// A request that a control point sends.
public struct ClientRequest: Sendable {
  public var method: HTTPMethod
  public var url: HTTPURL
  /// The headers besides HOST, CONTENT-LENGTH, CONNECTION and USER-AGENT, which the client adds.
  public var headers: HTTPHeaders
  public var body: ByteBuffer?
  /// Limit for the body of the answer, in bytes.
  public var maximumBody: Int
  /// Time limit of the whole exchange, from connecting to the last byte.
  public var timeout: TimeAmount
  /// The destination of the connection.
  package var route = ClientRoute.url
  /// Called as the body of the answer grows, with the bytes of memory that it takes; false ends the exchange with `.tooLarge`.
  package var admitsBody: (@Sendable (Int) -> Bool)?
  /// The HOST header; nil for the host and port of the URL.
  package var authority: String?

  public init(
    _ method: HTTPMethod, _ url: HTTPURL, headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
    maximumBody: Int = 1 << 20, timeout: TimeAmount = .seconds(10)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.maximumBody = maximumBody
    self.timeout = timeout
  }
}

/// The destination of a request's connection.
package enum ClientRoute: Sendable, Hashable {
  /// The address in the URL.
  case url
  /// An address that the caller has resolved from the name in the URL.
  case address(IPAddress)
  /// A connected socket, which the client closes.
  case socket(CInt)
}

/// A complete answer.
public struct ClientResponse: Sendable {
  public var status: HTTPResponseStatus
  public var headers: HTTPHeaders
  public var body: ByteBuffer

  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Sends HTTP requests. `HTTPClient` is the implementation; tests can replace it.
public protocol HTTPSending: Sendable {
  func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse
}

/// An HTTP/1.1 client: one connection per request, bounded in time and bytes.
///
/// It resolves no names and follows no redirects.
public struct HTTPClient: HTTPSending {
  private static let connectTimeout = TimeAmount.seconds(5)

  private let group: any EventLoopGroup
  private let product: String

  /// - Parameters:
  ///   - group: runs the connections.
  ///   - product: for USER-AGENT, `OS/version UPnP/1.1 product/version` (UDA 1.1 §3.2.1).
  public init(group: any EventLoopGroup, product: String) {
    self.group = group
    self.product = product
  }

  public func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    if request.route == .url, request.url.address == nil {
      throw .unreachable("\(request.url.host) is no IPv4 address")
    }
    let eventLoop = group.next()
    let promise = eventLoop.makePromise(of: ClientResponse.self)
    let (limit, admitsBody) = (request.maximumBody, request.admitsBody)
    let bootstrap = ClientBootstrap(group: eventLoop)
      .connectTimeout(min(Self.connectTimeout, request.timeout))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let operations = channel.pipeline.syncOperations
          try operations.addHandler(InboundLimit(limit))
          try operations.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
          try operations.addHandler(ExchangeHandler(promise: promise, maximumBody: limit, admitsBody: admitsBody))
        }
      }
    let head = self.head(request)
    let deadline = eventLoop.scheduleTask(in: request.timeout) { promise.fail(ControlPointError.timeout) }
    promise.futureResult.whenComplete { _ in deadline.cancel() }
    connect(bootstrap, request).whenComplete { result in
      switch result {
      case .failure(let error): promise.fail(error)
      case .success(let channel):
        promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body = request.body { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
        // If the device closes early, its answer may still be readable; otherwise the end of the connection is reported.
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
      }
    }
    do {
      return try await withTaskCancellationHandler {
        try await promise.futureResult.get()
      } onCancel: {
        promise.fail(ControlPointError.cancelled)
      }
    } catch {
      throw ControlPointError(transport: error)
    }
  }

  private func connect(_ bootstrap: ClientBootstrap, _ request: ClientRequest) -> EventLoopFuture<any Channel> {
    switch request.route {
    case .socket(let descriptor): bootstrap.withConnectedSocket(descriptor)
    case .address(let address): bootstrap.connect(to: address.socketAddress(port: request.url.port))
    case .url:
      bootstrap.connect(
        to: (request.url.address ?? IPAddress(bits: 0)).socketAddress(port: request.url.port))
    }
  }

  private func head(_ request: ClientRequest) -> HTTPRequestHead {
    let authority = request.authority ?? request.url.authority
    var headers: HTTPHeaders = ["HOST": authority, "USER-AGENT": product, "CONNECTION": "close"]
    if let body = request.body { headers.add(name: "CONTENT-LENGTH", value: "\(body.readableBytes)") }
    headers.add(contentsOf: request.headers)
    return HTTPRequestHead(version: .http1_1, method: request.method, uri: request.url.requestTarget, headers: headers)
  }
}

/// Closes a connection that delivers more bytes than any answer may have.
private final class InboundLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Limit for the head of an answer, in bytes.
  private static let head = 64 << 10

  private var remaining: Int

  /// - Parameter body: the largest body. Chunked framing may take as much again.
  init(_ body: Int) {
    let (framed, isTooLarge) = body.multipliedReportingOverflow(by: 2)
    remaining = isTooLarge || framed > Int.max - Self.head ? Int.max : framed + Self.head
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    remaining -= unwrapInboundIn(data).readableBytes
    guard remaining >= 0 else {
      context.fireErrorCaught(ControlPointError.tooLarge)
      return
    }
    context.fireChannelRead(data)
  }
}

/// Collects the answer to the one request of a connection.
private final class ExchangeHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let promise: EventLoopPromise<ClientResponse>
  private let maximumBody: Int
  private let admitsBody: (@Sendable (Int) -> Bool)?
  private var response: ClientResponse?
  private var isComplete = false

  init(promise: EventLoopPromise<ClientResponse>, maximumBody: Int, admitsBody: (@Sendable (Int) -> Bool)?) {
    self.admitsBody = admitsBody
    self.promise = promise
    self.maximumBody = maximumBody
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // An interim answer, such as 100 Continue, precedes the real one (RFC 9110 §15.2).
      guard head.status.code >= 200 else { return }
      response = ClientResponse(status: head.status, headers: head.headers)
      if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > maximumBody {
        promise.fail(ControlPointError.tooLarge)
      }
    case .body(var part):
      response?.body.writeBuffer(&part)
      guard let body = response?.body else { return }
      if body.readableBytes > maximumBody || admitsBody?(body.capacity) == false {
        // Free the memory now: the connection closes later.
        response = nil
        promise.fail(ControlPointError.tooLarge)
      }
    case .end:
      guard let response, !isComplete else { return }
      isComplete = true
      promise.succeed(response)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(ControlPointError.malformed("The connection was closed before the answer was complete."))
    context.fireChannelInactive()
  }
}
