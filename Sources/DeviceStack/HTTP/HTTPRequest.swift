import NIOCore
import NIOHTTP1

/// One whole HTTP request, its body read, within the server's limits.
public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  /// The request target as sent.
  public var uri: String
  public var version: HTTPVersion
  public var headers: HTTPHeaders
  public var body: ByteBuffer
  /// Who asks.
  public var remote: SocketAddress
  /// The address of ours that the request came in on: what goes out for this asker leaves from here.
  public var local: SocketAddress

  public init(
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

  /// The target without its query; absolute-form targets (`http://host/path`) lose scheme and authority.
  public var path: Substring {
    let rest = absoluteTarget?.path ?? uri[...]
    let path = rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.isEmpty && absoluteTarget != nil ? "/" : Substring(path)
  }

  /// Whom the client means to ask: an absolute-form target's authority, else the Host header (RFC 9112 §3.2.2).
  public var host: String? { absoluteTarget.map { String($0.authority) } ?? headers.first(name: "host") }

  private var absoluteTarget: (authority: Substring, path: Substring)? {
    guard uri.utf8.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") else { return nil }
    let rest = uri[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    return (rest[..<end], rest[end...])
  }
}
