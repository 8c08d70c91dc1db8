import DeviceStack
import NIOCore
import NIOHTTP1
import Testing

@testable import Page

struct ProblemTests {
  private struct Inner: Decodable {
    let number: Int
    let text: String?
  }

  private struct Body: Decodable {
    let items: [Inner]
    let flag: Bool?
    let level: Double?
    let place: Place?
  }

  private enum Place: String, Decodable { case here }

  private static let malformed = "The body is not valid JSON, or a number in it is out of range."

  /// The sentence names the wrong field.
  @Test(arguments: [
    ("", malformed), ("{", malformed), ("[]", "The body must be an object."),
    ("{}", "“items” is missing."), (#"{"items":7}"#, "“items” must be a list."),
    (#"{"items":[{}]}"#, "“items[0].number” is missing."),
    (#"{"items":[{"number":1},{"number":"x"}]}"#, "“items[1].number” must be a whole number."),
    (#"{"items":[{"number":null}]}"#, "“items[0].number” must be a whole number."),
    (#"{"items":[{"number":1,"text":2}]}"#, "“items[0].text” must be text."),
    (#"{"items":[{"number":1e99}]}"#, malformed),
    (#"{"items":[],"flag":1}"#, "“flag” must be true or false."),
    (#"{"items":[],"level":"1"}"#, "“level” must be a number."),
    (#"{"items":[],"place":"there"}"#, "“place” has a wrong value."),
  ])
  func wrongBodiesAreExplained(body: String, detail: String) {
    let problem = #expect(throws: Problem.self) { try JSON.decode(Body.self, from: ByteBuffer(string: body)) }
    #expect(problem?.detail == detail)
    #expect(problem?.status == .badRequest)
  }

  @Test(arguments: [(0, "1 seconds"), (5, "6 seconds"), (119, "120 seconds"), (120, "3 minutes"), (3599, "60 minutes")])
  func aLimitSaysWhenToTryAgain(seconds: Int, time: String) {
    let problem = Problem.tooMany("Too many changes.", wait: .seconds(seconds))
    #expect(problem.status == .tooManyRequests && problem.retryAfter == seconds + 1)
    #expect(problem.detail == "Too many changes. Try again in \(time).")
  }

  @Test func aProblemIsADocument() {
    let response = Problem(.tooManyRequests, .locked, "Wait.", retryAfter: 12).response
    #expect(response.headers["Content-Type"] == ["application/problem+json"])
    #expect(response.headers["Retry-After"] == ["12"])
    let expected = #"{"detail":"Wait.","status":429,"title":"Too Many Requests","type":"/problems/locked"}"#
    #expect(String(buffer: response.body) == expected)
  }
}

struct ConditionalAnswerTests {
  @Test(
    arguments: [
      (nil, 200), ("\"x\"", 304), ("W/\"x\"", 304), ("\"a\", \"x\"", 304), ("*", 304), ("\"y\"", 200), ("x", 200),
    ] as [(String?, UInt)])
  func aKnownVersionIsNotSent(tag: String?, status: UInt) {
    let response = HTTPResponse.json([1], etag: "x").conditional(tag.map { ["If-None-Match": $0] } ?? [:])
    #expect(response.status.code == status)
    #expect(response.headers["ETag"] == ["\"x\""])
    #expect(response.body.readableBytes == (status == 200 ? 3 : 0))
  }

  @Test func aDocumentWithoutATagGetsTheHashOfItsText() {
    let tags = [[1], [1], [2]].map { HTTPResponse.json($0).conditional([:]).headers["ETag"] }
    #expect(tags[0] == tags[1])
    #expect(tags[0] != tags[2])
    #expect(HTTPResponse(.ok).conditional([:]).headers["ETag"] == [])
  }
}

struct WebAddressTests {
  @Test(arguments: [
    ("http://a", true), ("HTTPS://a/b?c", true), ("http://", false), ("http:///a", false), ("ftp://a", false),
    ("file:///etc/passwd", false), ("http://a b", false), ("http://a\n", false), ("", false),
    ("http://" + String(repeating: "a", count: 8192), false),
  ])
  func onlyWebAddressesAreTaken(text: String, isValid: Bool) { #expect(WebAddress.isValid(text) == isValid) }
}
