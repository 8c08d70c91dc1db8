import NIOCore
import NIOHTTP1
import Testing

@testable import ControlPoint

@Suite struct NotifyRequestTests {
  private static let headers = [("NT", "upnp:event"), ("NTS", "upnp:propchange"), ("SID", "uuid:1"), ("SEQ", "7")]

  private static func head(
    _ method: HTTPMethod = .NOTIFY, without: String = "", and other: (String, String)? = nil
  ) -> HTTPRequestHead {
    let fields = headers.filter { $0.0 != without && $0.0 != other?.0 } + (other.map { [$0] } ?? [])
    return HTTPRequestHead(version: .http1_1, method: method, uri: "/path?query", headers: HTTPHeaders(fields))
  }

  @Test func readsTheHead() throws {
    let request = try NotifyRequest(Self.head())
    #expect((request.path, request.sid, request.number) == ("/path", "uuid:1", 7))
    #expect(try NotifyRequest(Self.head(without: "SEQ")).number == nil)
    #expect(try NotifyRequest(Self.head(and: ("SEQ", "x"))).number == nil)
  }

  @Test(
    arguments: [
      (head(.GET), .methodNotAllowed), (head(without: "NT"), .badRequest), (head(without: "NTS"), .badRequest),
      (head(and: ("NT", "upnp:rootdevice")), .preconditionFailed),
      (head(and: ("NTS", "ssdp:alive")), .preconditionFailed), (head(without: "SID"), .preconditionFailed),
      (head(and: ("SID", " ")), .preconditionFailed),
    ] as [(HTTPRequestHead, HTTPResponseStatus)])
  func refuses(head: HTTPRequestHead, status: HTTPResponseStatus) {
    #expect(throws: NotifyRequest.Refusal(status: status)) { try NotifyRequest(head) }
  }

  @Test(
    arguments: [
      ("Second-300", 300), ("second-60", 60), ("Second-infinite", 1800), ("infinite", 1800), ("Second-999999999", 1800),
      ("Second-1", 2), ("Second-0", 300), ("Second--5", 300), ("soon", 300), ("", 300), ("120", 120),
    ] as [(String, Int64)])
  func readsLifetimes(text: String, seconds: Int64) {
    #expect(SubscriptionAnswer.lifetime(["TIMEOUT": text]) == .seconds(seconds))
  }

  @Test func readsTheSID() {
    #expect(SubscriptionAnswer.sid(["SID": " uuid:1 "]) == "uuid:1")
    #expect(SubscriptionAnswer.sid(["SID": ""]) == nil)
    #expect(SubscriptionAnswer.sid([:]) == nil)
    #expect(SubscriptionAnswer.sid(["SID": String(repeating: "a", count: 300)]) == nil)
  }
}
