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
    var rest = uri[...]
    if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
      let authority = rest[scheme.upperBound...]
      rest = authority[(authority.firstIndex(of: "/") ?? authority.endIndex)...]
      if rest.isEmpty { return "/" }
    }
    return rest.prefix { $0 != "?" && $0 != "#" }
  }
}
