import Testing

@testable import Conformance

@Suite struct RawResponseTests {
  private static func read(_ text: String, method: String = "GET", isClosed: Bool = false) -> String {
    switch RawResponse.read(Array(text.utf8)[...], method: method, isClosed: isClosed) {
    case .incomplete: "incomplete"
    case .complete(let response, let length): "\(response.status) \(response.text) \(length)"
    case .invalid(let reason): reason
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", "200 abc 41"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "incomplete"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", "200 abc 69"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n", "incomplete"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "a chunk begins with \"x\""),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n", "204  44"),
    ("HTTP/1.1 200 OK\r\n\r\nabc", "incomplete"), ("HTTP/1.1 200 OK\r\n", "incomplete"),
    ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "CONTENT-LENGTH is \"-1\""),
    ("SSH-2.0\r\n\r\n", "the status line is \"SSH-2.0\""),
  ])
  func readsWhatHasArrived(text: String, expected: String) {
    #expect(Self.read(text) == expected)
  }

  @Test(arguments: [
    ("HTTP/1.0 200 OK\r\n\r\nabc", "200 abc 22"), ("", "the connection was closed without an answer"),
    ("HTTP/1.1 200 OK\r\n", "the head has no end"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "the body has 2 bytes and CONTENT-LENGTH announces 3"),
  ])
  func readsWhatAClosedConnectionDelivered(text: String, expected: String) {
    #expect(Self.read(text, isClosed: true) == expected)
  }

  @Test func theAnswerToHeadHasNoBody() {
    #expect(Self.read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", method: "HEAD") == "200  38")
  }

  /// Ended the command: each interim answer took a part of the stack.
  @Test func manyInterimAnswersAreRead() {
    let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100_000)
    let bytes = Array((interim + "HTTP/1.1 204 No Content\r\n\r\n").utf8)
    guard case .complete(let response, let length) = RawResponse.read(bytes[...], method: "GET", isClosed: false) else {
      Issue.record("no answer")
      return
    }
    #expect(response.status == 204)
    #expect(length == bytes.count)
  }
}
