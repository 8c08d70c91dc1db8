import NIOCore
import NIOHTTP1

/// The head of an event message (UDA 1.1 §4.3.2).
struct NotifyRequest: Hashable, Sendable {
  var path: String
  var sid: String
  /// SEQ; nil if it is missing or not a number.
  var number: UInt32?

  /// Why a request is not an event message.
  struct Refusal: Error, Hashable {
    var status: HTTPResponseStatus
  }

  /// - Throws: the status to answer with (UDA 1.1 §4.3.3).
  init(_ head: HTTPRequestHead) throws(Refusal) {
    guard head.method == .NOTIFY else { throw Refusal(status: .methodNotAllowed) }
    guard let type = head.headers.first(name: "NT"), let subtype = head.headers.first(name: "NTS") else {
      throw Refusal(status: .badRequest)
    }
    guard Self.trimmed(type) == "upnp:event", Self.trimmed(subtype) == "upnp:propchange",
      let sid = head.headers.first(name: "SID").map(Self.trimmed), !sid.isEmpty
    else { throw Refusal(status: .preconditionFailed) }
    path = String(head.uri.prefix { $0 != "?" })
    self.sid = sid
    number = head.headers.first(name: "SEQ").flatMap { UInt32(Self.trimmed($0)) }
  }

  fileprivate static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

/// The headers of an answer to SUBSCRIBE (UDA 1.1 §4.1.2).
enum SubscriptionAnswer {
  private static let maximumSID = 256
  /// Assumed if the granted time is unreadable. Renewing early does no harm.
  private static let assumedLifetime = TimeAmount.minutes(5)
  private static let longestLifetime = TimeAmount.minutes(30)
  private static let shortestLifetime = TimeAmount.seconds(2)

  /// The SID; nil if the header is missing or too long.
  static func sid(_ headers: HTTPHeaders) -> String? {
    guard let sid = headers.first(name: "SID").map(NotifyRequest.trimmed), !sid.isEmpty,
      sid.utf8.count <= maximumSID
    else { return nil }
    return sid
  }

  static func lifetime(_ headers: HTTPHeaders) -> TimeAmount {
    let text = headers.first(name: "TIMEOUT").map { NotifyRequest.trimmed($0).lowercased() } ?? ""
    let value = text.hasPrefix("second-") ? text.dropFirst("second-".count) : text[...]
    if value == "infinite" { return longestLifetime }
    guard let seconds = Int64(value), seconds > 0 else { return assumedLifetime }
    return max(shortestLifetime, .seconds(min(seconds, longestLifetime.nanoseconds / 1_000_000_000)))
  }
}
