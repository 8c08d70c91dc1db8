import DeviceStack
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// The reason for refusing a request, as `application/problem+json` (RFC 9457).
package struct Problem: Error, Sendable, Equatable {
  package var status: HTTPResponseStatus
  package var name: ProblemName
  /// A sentence for users.
  package var detail: String
  /// What a translation of `detail` inserts.
  package var arguments: [String: String]
  /// Seconds to wait before another attempt; nil if that does not help.
  package var retryAfter: Int?
  /// Undoes the replacement of the queue that preceded the problem; nil if there was none.
  package var undo: String?

  package init(
    _ status: HTTPResponseStatus, _ name: ProblemName, _ detail: String, arguments: [String: String] = [:],
    retryAfter: Int? = nil
  ) {
    self.status = status
    self.name = name
    self.detail = detail
    self.arguments = arguments
    self.retryAfter = retryAfter
  }

  /// 400: a field has a wrong value.
  /// - Parameter what: continues a sentence that begins with the field: `must be between 0 and 100`.
  package static func wrong(_ field: String, _ what: String) -> Problem {
    Problem(.badRequest, .wrongValue, "“\(field)” \(what).", arguments: ["field": field])
  }

  /// 404: an id is unknown.
  package static func unknown(_ name: ProblemName, _ detail: String) -> Problem { Problem(.notFound, name, detail) }

  /// 409: not possible in the present state.
  package static func impossible(_ name: ProblemName, _ detail: String, arguments: [String: String] = [:]) -> Problem {
    Problem(.conflict, name, detail, arguments: arguments)
  }

  /// 429: a limit on the rate is reached.
  /// - Parameter reason: a sentence.
  static func tooMany(_ reason: String, name: ProblemName = .tooManyRequests, wait: Duration) -> Problem {
    let seconds = Int(wait.components.seconds) + 1
    let time = seconds <= 120 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
    return Problem(.tooManyRequests, name, "\(reason) Try again in \(time).", retryAfter: seconds)
  }

  package var response: HTTPResponse {
    let document = Document(
      type: "/problems/\(name.rawValue)", title: status.reasonPhrase, status: Int(status.code), detail: detail,
      arguments: arguments.isEmpty ? nil : arguments, undo: undo)
    var headers: HTTPHeaders = ["Content-Type": "application/problem+json", "Cache-Control": "no-store"]
    if let retryAfter { headers.add(name: "Retry-After", value: "\(retryAfter)") }
    return HTTPResponse(status, headers: headers, body: ByteBuffer(bytes: JSON.encode(document) ?? []))
  }

  private struct Document: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let arguments: [String: String]?
    let undo: String?
  }
}

/// An error that the API answers with a problem.
protocol APIError: Error {
  var problem: Problem { get }
}

extension Problem: APIError {
  var problem: Problem { self }

  /// The problem of an `APIError`; 500 for other errors.
  init(of error: any Error) {
    self =
      (error as? any APIError)?.problem ?? Problem(.internalServerError, .internal, "The request failed: \(error).")
  }
}

extension Problem {
  /// Names the field that cannot be decoded.
  init(_ error: any Error) {
    let detail =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context): "“\(Self.path(context.codingPath + [key]))” is missing."
      case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
        context.codingPath.isEmpty
          ? "The body must be \(Self.words(type))." : "“\(Self.path(context.codingPath))” must be \(Self.words(type))."
      case .dataCorrupted(let context) where !context.codingPath.isEmpty:
        "“\(Self.path(context.codingPath))” has a wrong value."
      // The decoder does not distinguish these two, and gives no position.
      default: "The body is not valid JSON, or a number in it is out of range."
      }
    self.init(.badRequest, .unreadableBody, detail)
  }

  /// The path of a field, such as `items[2].uri`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      if let index = key.intValue { path += "[\(index)]" } else { path += (path.isEmpty ? "" : ".") + key.stringValue }
    }
  }

  private static func words(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is any BinaryInteger.Type: "a whole number"
    case is any Collection.Type where type is [String: Any].Type: "an object"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}
