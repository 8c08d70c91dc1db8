import NIOCore
import NIOHTTP1
import UPnP

/// One whole HTTP response. The server adds DATE, SERVER, Content-Length and the connection's own headers.
public struct HTTPResponse: Sendable {
  public var status: HTTPResponseStatus
  public var headers: HTTPHeaders
  public var body: ByteBuffer

  public init(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An XML document as UPnP wants it served (UDA 1.1 §3.2.2).
  public static func xml(_ document: ByteBuffer, status: HTTPResponseStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, headers: ["CONTENT-TYPE": ContentType.xml], body: document)
  }
}
