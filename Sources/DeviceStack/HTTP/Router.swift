import NIOCore
import NIOHTTP1

/// What stands at which path of the server, and which methods do something there.
public struct Router {
  private typealias Methods = [(method: HTTPMethod, answer: HTTPServer.Handler)]

  private var resources: [String: Methods] = [:]

  public init() {}

  /// A document for GET and HEAD. It is served as it is: nothing is made anew for a request.
  public mutating func add(_ path: String, document: ByteBuffer, contentType: String) {
    let response = HTTPResponse(.ok, headers: ["CONTENT-TYPE": contentType], body: document)
    add(path, methods: [.GET: { _ in HTTPReply(response) }, .HEAD: { _ in HTTPReply(response) }])
  }

  /// What each of these methods does there; whatever stood at the path before is replaced.
  public mutating func add(_ path: String, methods: KeyValuePairs<HTTPMethod, HTTPServer.Handler>) {
    resources[path] = methods.map { (method: $0.key, answer: $0.value) }
  }

  /// 404 where nothing stands, 405 with ALLOW where the method does nothing (RFC 9110 §15.5.6).
  public func answer(_ request: HTTPRequest) -> HTTPReply {
    guard let methods = resources[String(request.path)] else { return HTTPReply(HTTPResponse(.notFound)) }
    guard let (_, answer) = methods.first(where: { $0.method == request.method }) else {
      let allowed = methods.map(\.method.rawValue).joined(separator: ", ")
      return HTTPReply(HTTPResponse(.methodNotAllowed, headers: ["ALLOW": allowed]))
    }
    return answer(request)
  }
}
