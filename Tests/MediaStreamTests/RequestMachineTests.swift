import Testing

@testable import MediaStream

/// Kinds of servers, each as a script of answers and ends, and the reactions of the machine.
struct RequestMachineTests {
  private enum Event {
    case start(Int, Int?)
    case answer(Int, [String])
    case sound(Int)
    case ended(RequestMachine.End)
    case failed(StreamFailure)
  }

  private static let whole = Event.answer(200, ["Content-Length: 100", "Accept-Ranges: bytes"])
  private static let original = "http://h/a"

  /// Describes the steps: requests as `GET address range`, answers as `size ranges framing`.
  private func run(_ events: [Event], address: String = original) throws -> [String] {
    var machine = RequestMachine(StreamRequest(url: try #require(StreamURL(address)), userAgent: "test"))
    return events.compactMap { event in
      switch event {
      case .start(let offset, let end): describe(machine.start(at: offset, end: end))
      case .answer(let status, let fields):
        ResponseHead(["HTTP/1.1 \(status) X"] + fields).map { describe(machine.answered($0)) }
      case .sound(let count): "\(machine.received(count))"
      case .ended(let how): describe(machine.ended(how))
      case .failed(let failure): describe(machine.failed(failure))
      }
    }
  }

  private func describe(_ step: RequestMachine.Step) -> String {
    switch step {
    case .request(let exchange):
      let lines = exchange.text.split(separator: "\r\n")
      let fields = lines.filter { ["Range:", "Cookie:", "Authorization:"].contains($0.split(separator: " ")[0]) }
      return (["GET \(exchange.url.text)"] + fields.map(String.init)).joined(separator: " ")
    case .deliver(let answer, let framing, let interval):
      let size = answer.size.map { "\($0)" } ?? "?"
      let notes = [answer.hasStationHeaders ? "station" : nil, interval.map { "titles \($0)" }].compactMap(\.self)
      return (["\(size) \(answer.isSeekable ? "ranges" : "rigid") \(framing)"] + notes).joined(separator: " ")
    case .awaitHead: return "again"
    case .finish: return "finish"
    case .fail(let failure): return "\(failure)"
    }
  }

  @Test func aFile() throws {
    #expect(
      try run([.start(0, nil), Self.whole, .sound(100), .ended(.complete)])
        == ["GET http://h/a", "100 ranges length(100)", "100", "finish"])
    #expect(
      try run([.start(40, nil), .answer(206, ["Content-Range: bytes 40-99/100", "Content-Length: 60"])])
        == ["GET http://h/a Range: bytes=40-", "100 ranges length(60)"])
    #expect(
      try run([.start(40, 50), .answer(206, ["Content-Range: bytes 40-49/100"]), .sound(20)])
        == ["GET http://h/a Range: bytes=40-49", "100 ranges untilClose", "10"])
    #expect(try run([.start(5, 5)]) == ["finish"])
  }

  /// Regression: a range beyond the end was requested, and the refusal was an error.
  @Test func nothingIsRequestedBeyondTheKnownEnd() throws {
    #expect(try run([.start(0, nil), Self.whole, .start(100, nil)]).last == "finish")
    #expect(try run([.start(0, nil), Self.whole, .start(101, nil)]).last == "finish")
    #expect(try run([.start(0, nil), Self.whole, .start(99, nil)]).last == "GET http://h/a Range: bytes=99-")
    #expect(try run([.start(0, nil), .answer(200, []), .start(100, nil)]).last == "GET http://h/a Range: bytes=100-")
  }

  @Test(arguments: [
    (["Content-Length: 100"], "100 ranges length(100)"),
    (["Content-Length: 100", "Accept-Ranges: none"], "100 rigid length(100)"),
    ([], "? rigid untilClose"), (["Transfer-Encoding: chunked", "Content-Length: 9"], "? rigid chunked"),
    (["Content-Length: 18446744073709551614", "icy-name: PC"], "? rigid untilClose station"),
    (["Content-Length: 5", "Content-Length: 6"], "? rigid untilClose"),
    (["icy-metaint: 8000"], "? rigid untilClose station titles 8000"),
    (["ice-audio-info: x"], "? rigid untilClose station"),
    (["Content-Length: 100", "icy-name: x"], "100 ranges length(100) station"),
  ])
  func answersToTheFirstRequest(_ fields: [String], expected: String) throws {
    #expect(try run([.start(0, nil), .answer(200, fields)]).last == expected)
  }

  /// Regression: the end of the connection was awaited.
  @Test(arguments: [204, 205]) func answersWithoutABody(_ status: Int) throws {
    let answer = Event.answer(status, ["Transfer-Encoding: chunked"])
    #expect(try run([.start(0, nil), answer, .ended(.complete)]).suffix(2) == ["0 ranges length(0)", "finish"])
  }

  /// Unrequested 206 responses: without Content-Range, with it, and with another range.
  @Test func unaskedRanges() throws {
    #expect(try run([.start(0, nil), .answer(206, ["Content-Length: 100"])]).last == "100 ranges length(100)")
    #expect(
      try run([
        .start(0, nil), .answer(206, ["Content-Range: bytes 0-59/100", "Content-Length: 60"]), .sound(60),
        .ended(.complete),
      ]).suffix(3) == ["100 ranges length(60)", "60", "GET http://h/a Range: bytes=60-"])
    #expect(try run([.start(0, nil), .answer(206, ["Content-Range: bytes 9-59/100"])]).last == "rangeIgnored")
  }

  @Test func serversThatIgnoreOrRefuseRanges() throws {
    #expect(try run([.start(40, nil), Self.whole]).last == "rangeIgnored")
    #expect(try run([.start(40, nil), .answer(416, ["Content-Range: bytes */30"])]).last == "status(416)")
    // Its heads would be heard.
    let multipart = Event.answer(206, ["Content-Type: multipart/byteranges; boundary=x", "Content-Length: 200"])
    #expect(try run([.start(40, nil), multipart]).last == "rangeIgnored")
    #expect(try run([.start(0, nil), Self.whole, .sound(60), .ended(.early), multipart]).last == "endedEarly")
    // An end alone can be cut here.
    #expect(try run([.start(0, 10), Self.whole, .sound(100)]).suffix(2) == ["100 ranges length(100)", "10"])
  }

  @Test func abodyThatEndsEarlyIsResumedAtTheOriginalAddress() throws {
    #expect(
      try run([
        .start(0, nil), .answer(302, ["Location: http://other/b?token=1"]), Self.whole, .sound(60), .ended(.early),
        .answer(302, ["Location: http://other/b?token=2"]), .answer(206, ["Content-Range: bytes 60-99/100"]),
        .sound(40),
        .ended(.complete),
      ]) == [
        "GET http://h/a", "GET http://other/b?token=1", "100 ranges length(100)", "60",
        "GET http://h/a Range: bytes=60-",
        "GET http://other/b?token=2 Range: bytes=60-", "100 ranges untilClose", "40", "finish",
      ])
  }

  @Test(
    arguments: [
      (.answer(416, []), "finish"), (.answer(403, []), "endedEarly"), (.answer(503, []), "endedEarly"),
      (Self.whole, "endedEarly"), (.failed(.refused), "endedEarly"),
      (.answer(206, ["Content-Range: bytes 60-80/81"]), "endedEarly"),
      (.answer(206, ["Content-Range: bytes 60-99/100", "ETag: other"]), "endedEarly"),
      (.answer(302, ["Location: http://h/a"]), "endedEarly"),
    ] as [(Event, String)])
  private func whatTheServerMayAnswerToAResumption(_ event: Event, expected: String) throws {
    #expect(try run([.start(0, nil), Self.whole, .sound(60), .ended(.early), event]).last == expected)
  }

  /// Without progress, a repetition would be endless; without a length or ranges, it would start over.
  @Test func bodiesThatAreNotResumed() throws {
    #expect(try run([.start(0, nil), Self.whole, .ended(.early)]).last == "endedEarly")
    #expect(try run([.start(0, nil), Self.whole, .sound(9), .ended(.malformed)]).last == "endedEarly")
    let rigid = Event.answer(200, ["Content-Length: 100", "Accept-Ranges: none"])
    #expect(try run([.start(0, nil), rigid, .sound(9), .ended(.early)]).last == "endedEarly")
    #expect(try run([.start(0, nil), .answer(200, []), .sound(9), .ended(.early)]).last == "endedEarly")
    #expect(try run([.start(0, nil), .answer(200, []), .sound(9), .ended(.complete)]).last == "finish")
  }

  @Test(
    arguments: [
      (.failed(.refused), "refused"), (.failed(.nothingSent), "nothingSent"), (.answer(404, []), "status(404)"),
      (.answer(500, []), "status(500)"), (.answer(304, []), "status(304)"), (.answer(100, []), "again"),
      (.answer(302, []), "status(302)"), (.answer(302, ["Location: mms://h/"]), "status(302)"),
      (.answer(301, ["Location: /b"]), "GET http://h/b"), (.answer(303, ["Location: //o/b"]), "GET http://o/b"),
      (.answer(307, ["Location: b?c"]), "GET http://h/b?c"),
      (.answer(308, ["Location: https://h/a"]), "GET https://h/a"),
    ] as [(Event, String)])
  private func otherAnswers(_ event: Event, expected: String) throws {
    #expect(try run([.start(0, nil), event]).last == expected)
  }

  @Test func tenRedirectsAndNoLoops() throws {
    let hops = (1...11).map { Event.answer(302, ["Location: /\($0)"]) }
    #expect(try run([.start(0, nil)] + hops.prefix(10)).last == "GET http://h/10")
    #expect(try run([.start(0, nil)] + hops).last == "redirects")
    let loop: [Event] = [.start(0, nil), .answer(302, ["Location: /b"]), .answer(302, ["Location: /a"])]
    #expect(try run(loop).last == "redirects")
    // A login page that sets a cookie and sends the client back is not a loop.
    let login: [Event] = [
      .start(0, nil), .answer(302, ["Location: /login"]), .answer(302, ["Location: /a", "Set-Cookie: id=1; Path=/"]),
    ]
    #expect(try run(login).last == "GET http://h/a Cookie: id=1")
  }

  /// Regression: the compressed bytes were taken for sound.
  @Test(arguments: [
    ("gzip", "encoded"), ("X-GZIP", "encoded"), ("identity, br", "encoded"), ("identity", "? rigid untilClose"),
    ("", "? rigid untilClose"), ("utf-8", "? rigid untilClose"),
  ])
  func encodings(_ value: String, _ expected: String) throws {
    #expect(try run([.start(0, nil), .answer(200, ["Content-Encoding: \(value)"])]).last == expected)
    guard expected == "encoded" else { return }
    #expect(try run([.start(0, nil), .answer(200, ["Transfer-Encoding: \(value), chunked"])]).last == expected)
  }

  @Test func credentialsStayWithTheirServer() throws {
    let events: [Event] = [.start(0, nil), .answer(302, ["Location: /b"]), .answer(302, ["Location: http://o/"])]
    #expect(
      try run(events, address: "http://a:b@h/a") == [
        "GET http://h/a Authorization: Basic YTpi", "GET http://h/b Authorization: Basic YTpi", "GET http://o/",
      ])
  }

  @Test func theTextOfARequest() throws {
    var request = StreamRequest(url: try #require(StreamURL("http://h:81/%41?b")), userAgent: "Test/1\r\nX: y")
    request.headers = [("transferMode.dlna.org", "Streaming")]
    let text = request.text(for: request.url, from: 0, to: nil, cookies: nil, credentials: nil)
    #expect(
      text == """
        GET /%41?b HTTP/1.1\r
        Host: h:81\r
        User-Agent: Test/1X: y\r
        Accept-Encoding: identity\r
        Connection: close\r
        Icy-MetaData: 1\r
        transferMode.dlna.org: Streaming\r
        \r

        """)
    request.proxy = StreamURL("http://u:p@proxy:3128")
    let proxied = request.text(for: request.url, from: 1, to: 3, cookies: "a=b", credentials: nil)
    #expect(proxied.hasPrefix("GET http://h:81/%41?b HTTP/1.1\r\nHost: h:81\r\n"))
    #expect(proxied.contains("\r\nRange: bytes=1-2\r\nProxy-Authorization: Basic dTpw\r\nCookie: a=b\r\n"))
  }
}

struct CookieJarTests {
  @Test(
    arguments: [
      ("a=b", "http://h.example/x", "a=b"), ("a=b", "http://other.example/", nil),
      ("a=b", "http://www.h.example/", nil),
      ("a=b; Domain=h.example", "http://www.h.example/", "a=b"), ("a=b; domain=.example", "http://h.example/", nil),
      ("a=b; Domain=other.example", "http://other.example/", nil), ("a=b; Path=/x", "http://h.example/x/y?z", "a=b"),
      ("a=b; Path=/x", "http://h.example/xy", nil), ("a=b; Secure", "http://h.example/", nil),
      ("a=b; Secure", "https://h.example/", "a=b"), ("a=b; Max-Age=0", "http://h.example/", nil),
      ("=b", "http://h.example/", nil),
      ("a=b=c; HttpOnly", "http://h.example/", "a=b=c"), ("a=\u{1}", "http://h.example/", nil),
    ] as [(String, String, String?)])
  func cookies(_ header: String, address: String, expected: String?) throws {
    var jar = CookieJar()
    jar.store(header, from: try #require(StreamURL("http://h.example/login")))
    #expect(jar.header(for: try #require(StreamURL(address))) == expected)
  }

  @Test func aNewValueReplacesTheOldOneAndTheJarIsBounded() throws {
    let url = try #require(StreamURL("http://h/"))
    var jar = CookieJar()
    for value in ["a=1", "b=2", "a=3"] { jar.store(value, from: url) }
    #expect(jar.header(for: url) == "b=2; a=3")
    for index in 0..<100 { jar.store("c\(index)=x", from: url) }
    #expect(jar.header(for: url)?.split(separator: ";").count == 50)
  }
}
