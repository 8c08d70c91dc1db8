import NIOCore
import NIOHTTP1

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

  /// As UPnP wants XML served (UDA 1.1 §2.1).
  static let xmlContentType = "text/xml; charset=\"utf-8\""

  /// An XML document.
  public static func xml(_ text: String, status: HTTPResponseStatus = .ok) -> HTTPResponse {
    HTTPResponse(
      status, headers: ["CONTENT-TYPE": xmlContentType], body: ByteBuffer(string: text))
  }
}
