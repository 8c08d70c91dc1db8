import DeviceStack
import NIOCore
import NIOHTTP1
import SpeakerCore

/// A part of the page with routes of its own. `PageParts.swift` lists all parts.
package protocol PagePart {
  func add(to routes: PageRoutes)
}

/// The routes of the page. Each part adds its own.
///
/// Adds the security headers to every answer, and an ETag to answers to GET. Checks every POST: its Content-Type, the rights of
/// its sender, and its fields. Used on the event loop.
package final class PageRoutes {
  package typealias Get = (HTTPRequest) throws(Problem) -> APIAnswer

  private static let api = "/api/"

  private let access: Access
  private var gets: [String: Get] = [:]
  private var posts: [String: any AnyCommand] = [:]

  package init(access: Access) { self.access = access }

  /// Adds a route that reads. It must not change anything.
  /// - Parameter path: a last component `{NAME}` matches any text, which becomes `HTTPRequest.parameter`.
  package func get(_ path: String, _ answer: @escaping Get) { gets[path] = answer }

  /// Adds a command.
  /// - Parameters:
  ///   - body: the JSON object of the request.
  ///   - kind: returns the kind of the command for the access check; nil for a command that is always `control`.
  ///   - perform: called if the command is allowed.
  package func post<Body: Decodable>(
    _ path: String, _ body: Body.Type, kind: ((Body) -> CommandKind)? = nil,
    perform: @escaping (Body, HTTPRequest) throws(Problem) -> APIAnswer
  ) {
    posts[path] = Command(access: access, kind: kind, perform: perform)
  }

  /// The paths and methods, sorted, for the test of the OpenAPI document.
  package var list: [String] { (gets.keys.map { "GET \($0)" } + posts.keys.map { "POST \($0)" }).sorted() }

  /// Serves all routes.
  package func mount(on host: isolated DeviceHost, eventLoop: any EventLoop) {
    let routes = NIOLoopBound(self, eventLoop: eventLoop)
    for path in Set(gets.keys).union(posts.keys) {
      let get: @Sendable (HTTPRequest) -> HTTPReply = { routes.value.get(path, $0) }
      let post: @Sendable (HTTPRequest) -> HTTPReply = { routes.value.post(path, $0) }
      switch (gets[path] != nil, posts[path] != nil) {
      case (true, true): host.serve(path, [.GET: get, .POST: post])
      case (true, false): host.serve(path, [.GET: get])
      case (false, _): host.serve(path, [.POST: post])
      }
    }
    host.explainRefusals { request, response in
      request.path.hasPrefix(Self.api) ? Self.explained(response) : response
    }
  }

  /// A refusal as a problem document, with the headers of the refusal.
  private static func explained(_ refusal: HTTPResponse) -> HTTPResponse {
    let (name, detail): (ProblemName, String) =
      switch refusal.status {
      case .forbidden: (.otherSite, "The Host or Origin header names another site.")
      case .notFound: (.unknownResource, "There is no such resource.")
      case .methodNotAllowed: (.wrongMethod, "The method is not allowed here.")
      default: (.unreadableBody, "The request is not valid.")
      }
    var response = Problem(refusal.status, name, detail).response.secured()
    for (name, value) in refusal.headers { response.headers.add(name: name, value: value) }
    return response
  }

  // MARK: Answers

  func get(_ path: String, _ request: HTTPRequest) -> HTTPReply {
    reply(
      { () throws(Problem) in
        // Some answers make the speaker search its network, or fetch a picture. Links to the page itself may come from anywhere.
        guard !path.hasPrefix(Self.api) || !request.isFromAnotherSite else {
          throw Problem(.forbidden, .otherSite, "A page of another site sent this request.")
        }
        return try gets[path]?(request)
      }, finish: { $0.conditional(request.headers) })
  }

  func post(_ path: String, _ request: HTTPRequest) -> HTTPReply {
    reply({ () throws(Problem) in try posts[path]?.answer(request) }, finish: { $0 })
  }

  private func reply(
    _ answer: () throws(Problem) -> APIAnswer?, finish: @escaping (HTTPResponse) -> HTTPResponse
  ) -> HTTPReply {
    do throws(Problem) {
      guard let answer = try answer() else { throw .unknown(.unknownResource, "There is no such resource.") }
      switch answer {
      case .response(let response): return HTTPReply(finish(response).secured())
      case .stream(let response, let stream): return .stream(response.secured(), stream)
      case .later(let future):
        let deferred = Deferred<HTTPResponse>()
        future.assumeIsolated().whenComplete { result in
          switch result {
          case .success(let response): deferred.complete(with: finish(response).secured())
          case .failure(let error): deferred.complete(with: Problem(of: error).response.secured())
          }
        }
        return .later(deferred)
      }
    } catch {
      return HTTPReply(error.response.secured())
    }
  }
}

/// A command without the type of its body.
private protocol AnyCommand {
  func answer(_ request: HTTPRequest) throws(Problem) -> APIAnswer
}

private struct Command<Body: Decodable>: AnyCommand {
  let access: Access
  let kind: ((Body) -> CommandKind)?
  let perform: (Body, HTTPRequest) throws(Problem) -> APIAnswer

  func answer(_ request: HTTPRequest) throws(Problem) -> APIAnswer {
    guard Self.isJSON(request.headers.first(name: "content-type")) else {
      throw Problem(.unsupportedMediaType, .notJSON, "Commands need Content-Type: application/json.")
    }
    // Only a kind that depends on the body is checked after decoding.
    if kind == nil || access.rights.isPageReadOnly { try access.check(.control, request) }
    let body = try JSON.decode(Body.self, from: request.body)
    if let kind { try access.check(kind(body), request) }
    return try perform(body, request)
  }

  /// Whether a Content-Type is `application/json`, with any parameters.
  private static func isJSON(_ contentType: String?) -> Bool {
    let type = contentType?.prefix { $0 != ";" }.split(separator: " ").joined()
    return type?.lowercased() == "application/json"
  }
}

extension HTTPRequest {
  /// A whole number in the query.
  /// - Throws: 400 if it is not a whole number or is outside the range.
  package func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(Problem) -> Int {
    guard let text = query(name) else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw .wrong(name, "must be a whole number between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }
}
