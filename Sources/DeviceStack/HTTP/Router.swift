import NIOCore
import NIOHTTP1

/// Maps paths and methods to handlers.
struct Router {
  private typealias Methods = [(method: HTTPMethod, answer: HTTPServer.Handler)]

  private var resources: [String: Methods] = [:]

  /// Serves a document for GET and HEAD, byte for byte.
  mutating func add(_ path: String, document: ByteBuffer, contentType: String) {
    let response = HTTPResponse(.ok, headers: ["CONTENT-TYPE": contentType], body: document)
    add(path, methods: [.GET: { _ in HTTPReply(response) }, .HEAD: { _ in HTTPReply(response) }])
  }

  /// Replaces the handlers of a path.
  mutating func add(_ path: String, methods: KeyValuePairs<HTTPMethod, HTTPServer.Handler>) {
    resources[path] = methods.map { (method: $0.key, answer: $0.value) }
  }

  /// 404 for an unknown path, 405 with ALLOW for an unknown method (RFC 9110 §15.5.6).
  func answer(_ request: HTTPRequest) -> HTTPReply {
    guard let methods = resources[String(request.path)] else { return HTTPReply(HTTPResponse(.notFound)) }
    guard let (_, answer) = methods.first(where: { $0.method == request.method }) else {
      let allowed = methods.map(\.method.rawValue).joined(separator: ", ")
      return HTTPReply(HTTPResponse(.methodNotAllowed, headers: ["ALLOW": allowed]))
    }
    return answer(request)
  }
}
