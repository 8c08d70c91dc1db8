import DeviceStack
import NIOCore
import NIOHTTP1

/// The answer to a request that was not refused.
package enum APIAnswer {
  case response(HTTPResponse)
  /// Fails with an `APIError`. The work continues if the client goes away, so it must be bounded in time.
  case later(EventLoopFuture<HTTPResponse>)
  case stream(HTTPResponse, HTTPStream)

  /// The answer of a command without results.
  package static var done: APIAnswer { .response(.json(NoResults())) }

  /// - Parameter etag: the entity tag without quotes; nil for a hash of the text.
  package static func json(_ value: some Encodable, etag: String? = nil) -> APIAnswer {
    .response(.json(value, etag: etag))
  }
}

extension HTTPResponse {
  /// A JSON document.
  /// - Parameter etag: the entity tag without quotes; nil for a hash of the text.
  package static func json(_ value: some Encodable, etag: String? = nil) -> HTTPResponse {
    guard let text = JSON.encode(value) else {
      return Problem(.internalServerError, .internal, "The answer cannot be written as JSON.").response
    }
    return json(text: text, etag: etag)
  }

  /// A JSON document that is already encoded.
  package static func json(text: [UInt8], etag: String? = nil) -> HTTPResponse {
    var response = HTTPResponse(
      .ok, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"], body: ByteBuffer(bytes: text))
    if let etag { response.headers.add(name: "ETag", value: "\"\(etag)\"") }
    return response
  }

  /// The answer with the security headers that every answer of the page has.
  func secured() -> HTTPResponse {
    var response = self
    for (name, value) in Self.securityHeaders { response.headers.replaceOrAdd(name: name, value: value) }
    return response
  }

  private static let securityHeaders = [
    (
      "Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
  ]

  /// The answer to a GET with these headers: 304 without a body if the client has this version (RFC 9110 §13.1.2). A JSON
  /// document without an ETag gets a hash of its text.
  func conditional(_ headers: HTTPHeaders) -> HTTPResponse {
    guard status == .ok else { return self }
    var response = self
    if response.headers["ETag"].isEmpty, response.headers.first(name: "Content-Type") == "application/json" {
      response.headers.add(name: "ETag", value: "\"\(Self.hash(body.readableBytesView))\"")
    }
    guard let tag = response.headers.first(name: "ETag"),
      headers[canonicalForm: "if-none-match"].contains(where: { $0 == "*" || $0 == tag || $0 == "W/" + tag })
    else { return response }
    response.headers.remove(name: "Content-Type")
    response.status = .notModified
    response.body = ByteBuffer()
    return response
  }

  /// FNV-1a with 64 bits, in hexadecimal.
  static func hash(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
