import NIOCore
import NIOHTTP1
import UPnP

/// Maps paths and methods to handlers.
struct Router {
  private typealias Methods = [(method: HTTPMethod, answer: HTTPServer.Handler)]

  private var resources: [String: Methods] = [:]
  /// The routes that end in a parameter, by the path before it, including the slash.
  private var parametrized: [String: Methods] = [:]

  /// Serves a document for GET and HEAD, byte for byte.
  /// - Parameter document: created for each request, so that the program's constants are copied to the heap only then.
  mutating func add(_ path: String, document: @autoclosure @escaping () -> ByteBuffer, contentType: String) {
    add(
      path,
      methods: [
        .GET: { _ in HTTPReply(HTTPResponse(.ok, headers: ["CONTENT-TYPE": contentType], body: document())) }
      ])
  }

  mutating func add(_ path: String, methods: KeyValuePairs<HTTPMethod, HTTPServer.Handler>) {
    add(path, methods.map { (method: $0.key, answer: $0.value) })
  }

  /// Replaces the handlers of a path. The handler of GET also answers HEAD.
  /// - Parameter path: ends in `{NAME}` for any last component that is not empty.
  mutating func add(_ path: String, _ methods: [(method: HTTPMethod, answer: HTTPServer.Handler)]) {
    var all = methods
    if let get = all.firstIndex(where: { $0.method == .GET }) { all.insert((.HEAD, all[get].answer), at: get + 1) }
    if let start = path.firstIndex(of: "{"), path.hasSuffix("}") {
      parametrized[String(path[..<start])] = all
    } else {
      resources[path] = all
    }
  }

  /// 404 for an unknown path, 405 with ALLOW for an unknown method (RFC 9110 §15.5.6).
  func answer(_ request: HTTPRequest) -> HTTPReply {
    var request = request
    guard let methods = methods(for: &request) else { return HTTPReply(HTTPResponse(.notFound)) }
    guard let (_, answer) = methods.first(where: { $0.method == request.method }) else {
      let allowed = methods.map(\.method.rawValue).joined(separator: ", ")
      return HTTPReply(HTTPResponse(.methodNotAllowed, headers: ["ALLOW": allowed]))
    }
    return answer(request)
  }

  /// Sets the request's parameter on a route that has one.
  private func methods(for request: inout HTTPRequest) -> Methods? {
    let path = request.path
    if let methods = resources[String(path)] { return methods }
    guard !parametrized.isEmpty, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      let methods = parametrized[String(path[...slash])]
    else { return nil }
    let last = path[path.index(after: slash)...]
    guard !last.isEmpty, let parameter = last.percentDecoded else { return nil }
    request.parameter = parameter
    return methods
  }
}
