import DeviceStack
import NIOCore

/// `GET /api/state` and `GET /api/events`.
final class StatePart: PagePart {
  private let state: PageState
  private let access: Access

  init(_ state: PageState, access: Access) {
    self.state = state
    self.access = access
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/state") { [state] _ in
      let (text, id) = state.document()
      return .response(.json(text: text, etag: id))
    }
    routes.get("/api/events") { [state, access] request throws(Problem) in
      try Self.stream(state, request, isOwner: access.isOwner(request)) { _ in }
    }
  }

  /// The answer to a request for events.
  /// - Parameters:
  ///   - isOwner: whether it has a token of the party lock.
  ///   - opened: called with the new stream, after the state was written to it.
  static func stream(
    _ state: PageState, _ request: HTTPRequest, isOwner: Bool, opened: (HTTPStream) -> Void
  ) throws(Problem) -> APIAnswer {
    // HEAD must not count as a client.
    guard request.method == .GET else { return .stream(head, HTTPStream()) }
    let stream = try state.open(
      for: .init(address: request.remote.ipAddress ?? "", isOwner: isOwner),
      shown: (request.query("show") ?? "").split(separator: ","),
      lastID: request.headers.first(name: "last-event-id"))
    opened(stream)
    return .stream(head, stream)
  }

  private static let head = HTTPResponse(
    .ok, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"])
}
