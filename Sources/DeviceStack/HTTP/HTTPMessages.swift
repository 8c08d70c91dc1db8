import NIOCore
import NIOHTTP1
import UPnP

/// A complete HTTP request, within the server's limits.
public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  /// The request target as sent.
  public var uri: String
  /// The version of the request line.
  public var version: HTTPVersion
  public var headers: HTTPHeaders
  /// The whole body, without chunk framing.
  public var body: ByteBuffer
  public var remote: SocketAddress
  /// The local address that the client connected to. Events for this client leave from it.
  public var local: SocketAddress
  /// The decoded last component of the path, on a route that ends in a parameter.
  public var parameter = ""

  init(
    method: HTTPMethod, uri: String, version: HTTPVersion = .http1_1, headers: HTTPHeaders = [:],
    body: ByteBuffer = ByteBuffer(), remote: SocketAddress, local: SocketAddress
  ) {
    self.method = method
    self.uri = uri
    self.version = version
    self.headers = headers
    self.body = body
    self.remote = remote
    self.local = local
  }

  /// The base URL of the HTTP server as the client reached it, without a path.
  var serverURL: String { ServerURL.text(IPAddress(local), port: local.port) }

  /// The target without its query; absolute-form targets (`http://host/path`) lose scheme and authority.
  public var path: Substring {
    let rest = absoluteTarget?.path ?? uri[...]
    let path = rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.isEmpty && absoluteTarget != nil ? "/" : Substring(path)
  }

  /// The decoded value of a query parameter (`name=value&…`), with `+` for a blank as forms send it; nil if it is
  /// missing or not UTF-8. The first occurrence counts.
  public func query(_ name: String) -> String? {
    guard let start = uri.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let query = uri.utf8[uri.utf8.index(after: start)...].prefix { $0 != UInt8(ascii: "#") }
    for pair in Substring(query).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first?.percentDecoded, key == name else { continue }
      guard parts.count == 2 else { return "" }
      return String(parts[1].map { $0 == "+" ? " " : $0 }).percentDecoded
    }
    return nil
  }

  /// The host that is addressed: the authority of an absolute-form target, else the Host header (RFC 9112 §3.2.2).
  var host: String? { absoluteTarget.map { String($0.authority) } ?? headers.first(name: "host") }

  private var absoluteTarget: (authority: Substring, path: Substring)? {
    guard uri.utf8.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") else { return nil }
    let rest = uri[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    return (rest[..<end], rest[end...])
  }
}

/// A complete HTTP response. The server adds DATE, SERVER, Content-Length and Connection.
public struct HTTPResponse: Sendable {
  public var status: HTTPResponseStatus
  /// Without those that the server adds.
  public var headers: HTTPHeaders
  /// Omitted in the answer to HEAD.
  public var body: ByteBuffer
  /// Released when the socket has taken the response, or the response is dropped. Its `deinit` may run on any thread.
  public var attachment: (any Sendable)?
  /// Sent instead of the body, for what is too large for memory. Omitted in the answer to HEAD, but for its length.
  public var content: HTTPContent?

  /// A response, by default without headers and body.
  public init(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An XML document with the content type that UPnP requires (UDA 1.1 §3.2.2).
  static func xml(_ document: ByteBuffer, status: HTTPResponseStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, headers: ["CONTENT-TYPE": ContentType.xml], body: document)
  }
}

/// A body of known length that is read piece by piece, each when the client has taken the one before.
public struct HTTPContent: Sendable {
  /// Reads bytes without blocking the event loop, and completes in a later turn of it.
  /// - Returns: empty at an early end. The connection is then closed, so that the client notices that bytes are missing.
  public typealias Reader = @Sendable (_ bytes: Range<Int>) -> EventLoopFuture<ByteBuffer>

  /// The number of bytes.
  public var length: Int
  let read: Reader

  /// - Parameter read: released when the body was sent or the client has gone. Its captures may be released on any thread.
  public init(length: Int, read: @escaping Reader) {
    self.length = length
    self.read = read
  }
}

/// The answer of a handler.
public enum HTTPReply {
  /// `afterFlush` is called once the response was flushed: an initial event must not overtake the answer to SUBSCRIBE.
  case now(HTTPResponse, afterFlush: (() -> Void)?)
  /// The response comes later. Further requests on the connection wait for it.
  case later(Deferred<HTTPResponse>)
  /// The body follows in pieces. The body of the response is not sent, and the connection is closed after the last piece.
  case stream(HTTPResponse, HTTPStream)

  /// A response that is sent at once.
  public init(_ response: HTTPResponse, afterFlush: (() -> Void)? = nil) {
    self = .now(response, afterFlush: afterFlush)
  }
}

/// A value that is delivered once, before or after its consumer asks for it. Used on one thread.
public final class Deferred<Value> {
  private enum State {
    case pending
    case wanted((Value) -> Void)
    case known(Value)
    case delivered
  }

  private var state = State.pending

  /// A value that is not known yet.
  public init() {}

  /// Delivers the value. Later calls are ignored.
  public func complete(with value: Value) {
    switch state {
    case .pending: state = .known(value)
    case .wanted(let body):
      state = .delivered
      body(value)
    case .known, .delivered: break
    }
  }

  /// Calls the body with the value, at once if it is known. For a single consumer.
  public func whenComplete(_ body: @escaping (Value) -> Void) {
    switch state {
    case .pending: state = .wanted(body)
    case .known(let value):
      state = .delivered
      body(value)
    case .wanted, .delivered: break
    }
  }
}
