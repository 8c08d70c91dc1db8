import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

struct RequestAssemblerTests {
  private static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    (limits.head, limits.uri, limits.body) = (100, 20, 4)
    return limits
  }()

  private static func head(
    _ method: HTTPMethod, uri: String = "/", version: HTTPVersion = .http1_1, _ headers: HTTPHeaders = [:]
  ) -> HTTPRequestHead {
    HTTPRequestHead(version: version, method: method, uri: uri, headers: headers)
  }

  private static func string(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test(
    arguments: [
      (head(.GET), .wait),
      (head(.POST, ["content-length": "4"]), .wait),
      (head(.POST, ["Content-Length": "5"]), .refuse(.payloadTooLarge)),
      (head(.POST, ["Content-Length": "99999999999999999999"]), .refuse(.payloadTooLarge)),
      (head(.POST), .refuse(.lengthRequired)),
      (head(.POST, ["Transfer-Encoding": "chunked"]), .wait),
      (head(.SUBSCRIBE), .wait),
      (head(.GET, uri: "/" + string(19)), .wait),
      (head(.GET, uri: "/" + string(20)), .refuse(.uriTooLong)),
      (head(.GET, ["A": string(93), "B": ""]), .refuse(.requestHeaderFieldsTooLarge)),
      (head(.GET, ["A": string(94)]), .wait),
      (head(.GET, ["A": string(95)]), .refuse(.requestHeaderFieldsTooLarge)),
      (head(.GET, ["Host": "a", "HOST": "b"]), .refuse(.badRequest)),
      (head(.POST, ["Expect": "100-Continue", "Content-Length": "4"]), .sayContinue),
      (head(.POST, ["Expect": "100-continue", "Content-Length": "5"]), .refuse(.payloadTooLarge)),
      (head(.POST, ["Expect": "something", "Content-Length": "4"]), .wait),
      (head(.POST, version: .http1_0, ["Expect": "100-continue", "Content-Length": "4"]), .wait),
    ] as [(HTTPRequestHead, RequestAssembler.Action)])
  func headsAreHeldToTheLimits(head: HTTPRequestHead, action: RequestAssembler.Action) {
    var assembler = RequestAssembler(limits: Self.limits)
    #expect(assembler.head(head) == action)
  }

  @Test func aBodyIsPutTogetherAndTheNextRequestBegins() {
    var assembler = RequestAssembler(limits: Self.limits)
    for _ in 1...2 {
      let head = Self.head(.POST, ["Transfer-Encoding": "chunked"])
      #expect(assembler.head(head) == .wait)
      #expect(assembler.body(ByteBuffer(string: "ab")) == .wait)
      #expect(assembler.body(ByteBuffer(string: "cd")) == .wait)
      #expect(assembler.end() == .answer(head, ByteBuffer(string: "abcd")))
    }
  }

  @Test func aBodyInPartsIsHeldToTheLimit() {
    var assembler = RequestAssembler(limits: Self.limits)
    #expect(assembler.head(Self.head(.POST, ["Transfer-Encoding": "chunked"])) == .wait)
    #expect(assembler.body(ByteBuffer(string: "abc")) == .wait)
    #expect(assembler.body(ByteBuffer(string: "de")) == .refuse(.payloadTooLarge))
  }

  @Test func afterARefusalNothingIsSaid() {
    var assembler = RequestAssembler(limits: Self.limits)
    #expect(assembler.head(Self.head(.POST, ["Transfer-Encoding": "chunked"])) == .wait)
    #expect(assembler.body(ByteBuffer(string: "abcde")) == .refuse(.payloadTooLarge))
    #expect(assembler.body(ByteBuffer(string: "abcde")) == .wait)
    #expect(assembler.end() == .wait)
    #expect(assembler.head(Self.head(.GET)) == .wait)
    #expect(assembler.refuse(.requestTimeout) == .wait)
    #expect(assembler.inputClosed() == .wait)
  }

  @Test func aClientThatEndsItsSideIsLetGo() {
    var assembler = RequestAssembler(limits: Self.limits)
    #expect(assembler.inputClosed() == .close)
    #expect(assembler.inputClosed() == .wait)
    #expect(assembler.head(Self.head(.GET)) == .wait)
    var inBody = RequestAssembler(limits: Self.limits)
    _ = inBody.head(Self.head(.POST, ["Content-Length": "4"]))
    #expect(inBody.inputClosed() == .refuse(.badRequest))
  }
}
