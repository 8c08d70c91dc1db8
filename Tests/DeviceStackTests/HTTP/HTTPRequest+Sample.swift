import NIOCore
import NIOHTTP1

@testable import DeviceStack

extension HTTPRequest {
  /// A sample request, for tests without a socket.
  static func sample(
    _ method: HTTPMethod, _ uri: String, headers: HTTPHeaders = [:], body: String = ""
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: method, uri: uri, headers: headers, body: ByteBuffer(string: body),
      remote: try SocketAddress(ipAddress: "192.0.2.7", port: 40000),
      local: try SocketAddress(ipAddress: "192.0.2.1", port: 49494))
  }
}
