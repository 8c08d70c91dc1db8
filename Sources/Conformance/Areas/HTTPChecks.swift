import ControlPoint
import UPnP

/// The HTTP server of the device (RFC 9110, RFC 9112).
enum HTTPChecks {
  static let all: [Check] = [
    Check(
      "rfc9110/15.5.5/not-found", .http, .practice, "A path that does not exist is answered with 404.",
      source: "RFC 9110 §15.5.5",
      steps: "Sends GET for a path that no device has. Passes with status 404, 410 or 403."
    ) { context async throws(Finding) in
      let url = sibling("/swiftlet-conformance-no-such-file", context)
      let status = try await context.get(url).status
      try context.expect(status == 404 || status == 410 || status == 403, "status 404", got: "\(status)")
    },
    Check(
      "rfc9110/15.5.6/method", .http, .practice, "DELETE of the description is refused.", source: "RFC 9110 §15.5.6",
      steps: "Sends DELETE for the description. Passes with a status from 400 to 599."
    ) { context async throws(Finding) in
      let status = try await context.exchange(RawRequest("DELETE", context.target.description.location)).status
      try context.expect((400...599).contains(status), "a status from 400 to 599", got: "\(status)")
    },
    Check(
      "rfc9112/7.1/chunked-request", .http, .must, "An action in a chunked request is performed, or refused with 411.",
      source: "RFC 9112 §6.3, §7.1",
      steps: "Calls a getter with its envelope in two chunks. Passes if the call succeeds or the status is 411."
    ) { context async throws(Finding) in
      guard context.target.document.version != "HTTP/1.0" else { throw .skip("the device speaks HTTP/1.0") }
      let soap = try anyGetter(context)
      var request = soap.http
      let body = request.body ?? ""
      let half = body.index(body.startIndex, offsetBy: body.count / 2)
      request.set("CONTENT-LENGTH", nil)
      request.set("TRANSFER-ENCODING", "chunked")
      request.body = chunk(body[..<half]) + chunk(body[half...]) + "0\r\n\r\n"
      let answer = SOAPAnswer(try await context.exchange(request), action: soap.action)
      try context.expect(
        answer.results != nil || answer.response.status == 411, "success of \(soap.action) or status 411",
        got: answer.summary)
    },
    Check(
      "rfc9112/9.6/close", .http, .must, "The device closes the connection after a request with Connection: close.",
      source: "RFC 9112 §9.6",
      steps:
        "Sends GET for the description with Connection: close. Passes if the device ends the connection within 5 seconds."
    ) { context async throws(Finding) in
      let connection = try await context.connect(context.target.description.location)
      defer { connection.close() }
      connection.send(RawRequest("GET", context.target.description.location).text)
      let response = try await connection.answers(to: ["GET"], within: context.times.answer)[0]
      if response.framing == .connectionClose { return }
      let isClosed = await connection.isClosed(within: context.times.close)
      try context.expect(isClosed, "the end of the connection", got: "an open one after \(context.times.close)")
    },
    Check(
      "rfc9112/9.3/keep-alive", .http, .practice,
      "A second request on a connection is answered, unless the first answer said Connection: close.",
      source: "openhab/openhab-addons#21025",
      steps:
        "Sends GET for the description twice on one connection. Passes if both are answered, or if the first answer announces the end of the connection."
    ) { context async throws(Finding) in
      var request = RawRequest("GET", context.target.description.location)
      request.set("CONNECTION", nil)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      let first = try await connection.answers(to: ["GET"], within: context.times.answer)[0]
      let isEnded =
        first.version == "HTTP/1.0" || first.framing == .connectionClose
        || first.header("connection")?.lowercased().contains("close") == true
      guard !isEnded else { return }
      connection.send(request.text)
      let answers = try await connection.answers(to: ["GET", "GET"], within: context.times.answer)
      try context.expect(answers[1].status == 200, "status 200 for the second request", got: "\(answers[1].status)")
    },
    Check(
      "rfc9112/9.3.2/pipelining", .http, .practice, "Two requests sent at once are answered in their order.",
      source: "RFC 9112 §9.3.2",
      steps:
        "Sends HEAD and GET for the description in one packet. Passes if both are answered in this order, or if the first answer announces the end of the connection."
    ) { context async throws(Finding) in
      // HEAD first, so that the answers differ.
      var first = RawRequest("HEAD", context.target.description.location)
      first.set("CONNECTION", nil)
      let second = RawRequest("GET", context.target.description.location)
      let connection = try await context.connect(first.url)
      defer { connection.close() }
      connection.send(first.text + second.text)
      let head = try await connection.answers(to: ["HEAD"], within: context.times.answer)[0]
      // Such a server takes one request per connection.
      if head.version == "HTTP/1.0" || head.header("connection")?.lowercased() == "close" { return }
      let answers = try await connection.answers(to: ["HEAD", "GET"], within: context.times.answer)
      try context.expect(
        answers[1].status == 200 && answers[1].body == context.target.document.body,
        "the description as the second answer", got: "another answer with status \(answers[1].status)")
    },
    Check(
      "rfc9112/6.1/http10-chunked", .http, .must, "The answer to a request of HTTP/1.0 is not chunked.",
      source: "RFC 9112 §6.1",
      steps: "Sends GET for the description with HTTP/1.0. Passes with status 200 and a body that is not chunked."
    ) { context async throws(Finding) in
      var request = RawRequest("GET", context.target.description.location)
      request.version = "HTTP/1.0"
      let response = try await context.exchange(request)
      try context.expect(response.framing != .chunked, "no Transfer-Encoding", got: "chunked")
      try context.expect(response.status == 200, "status 200", got: "\(response.status)")
    },
    Check(
      "rfc9112/6.3/length", .http, .practice, "The body of an answer is as long as CONTENT-LENGTH says.",
      source: "RFC 9110 §8.6",
      steps:
        "Sends GET for the description and reads until the device closes the connection. Passes if the body has exactly CONTENT-LENGTH bytes."
    ) { context async throws(Finding) in
      let request = RawRequest("GET", context.target.description.location)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      let response = try await connection.answers(to: ["GET"], within: context.times.answer)[0]
      guard case .length(let length) = response.framing else { throw .skip("there is no CONTENT-LENGTH") }
      _ = await connection.isClosed(within: context.times.close)
      let received = await connection.received()
      let head = received.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A])?.upperBound ?? 0
      try context.expect(
        received.count - head == length, "a body of \(length) bytes", got: "\(received.count - head) bytes")
    },
    Check(
      "http/header-case", .http, .must, "The names of headers count in any case.", source: "RFC 9110 §5.1",
      steps: "Calls a getter with all header names in lower case. Passes if the call succeeds."
    ) { context async throws(Finding) in
      let soap = try anyGetter(context)
      var request = soap.http
      request.headers = request.headers.map { ($0.name.lowercased(), $0.value) }
      let answer = SOAPAnswer(try await context.exchange(request), action: soap.action)
      try context.expect(answer.results != nil, "success of \(soap.action)", got: answer.summary)
    },
    Check(
      "rfc9110/10.1.1/expect-continue", .http, .practice, "An action with Expect: 100-continue is performed.",
      source: "libcurl sends it with large bodies",
      steps: "Calls a getter with Expect: 100-continue and sends the body at once. Passes if the call succeeds."
    ) { context async throws(Finding) in
      let soap = try anyGetter(context)
      var request = soap.http
      request.set("EXPECT", "100-continue")
      let answer = SOAPAnswer(try await context.exchange(request), action: soap.action)
      try context.expect(answer.results != nil, "success of \(soap.action)", got: answer.summary)
    },
    Check(
      "http/large-header", .http, .practice,
      "A header of 3000 bytes is read or refused, and the device goes on serving.",
      source: "schlarpc/castaway, docs/dlna-conformance.md",
      steps:
        "Sends GET for the description with a header of 3000 bytes, and then without it. Passes if the first has status 200 or 400 to 431, and the second 200."
    ) { context async throws(Finding) in
      var request = RawRequest("GET", context.target.description.location)
      request.headers.append(("X-FILLER", String(repeating: "a", count: 3000)))
      let status = try await context.exchange(request).status
      try context.expect(status == 200 || (400...431).contains(status), "status 200 or 431", got: "\(status)")
      let next = try await context.get(request.url).status
      try context.expect(next == 200, "status 200 for the next request", got: "\(next)")
    },
    Check(
      "http/split-request", .http, .practice, "A request whose body follows in a second packet is answered.",
      source: "many SOAP clients send head and body apart",
      steps:
        "Calls a getter and sends the body a second after the head. Passes if the device waits for the body and the call succeeds."
    ) { context async throws(Finding) in
      let soap = try anyGetter(context)
      let text = soap.http.text
      guard let end = text.firstRange(of: "\r\n\r\n") else { return }
      let connection = try await context.connect(soap.url)
      defer { connection.close() }
      connection.send(String(text[..<end.upperBound]))
      // An early answer would mean that the device did not wait for the body.
      let isEarly = await connection.isClosed(within: .seconds(1))
      let bytes = await connection.received()
      try context.expect(!isEarly && bytes.isEmpty, "no answer before the body", got: "\(bytes.count) bytes")
      connection.send(String(text[end.upperBound...]))
      let response = try await connection.answers(to: ["POST"], within: context.times.answer)[0]
      let answer = SOAPAnswer(response, action: soap.action)
      try context.expect(answer.results != nil, "success of \(soap.action)", got: answer.summary)
    },
    Check(
      "http/garbage", .http, .practice, "After bytes that are no HTTP, the device goes on serving.",
      source: "RFC 9112 §2.2: what is no HTTP gets 400",
      steps:
        "Sends a few bytes that are no HTTP, and then GET for the description on a new connection. Passes if that has status 200."
    ) { context async throws(Finding) in
      let connection = try await context.connect(context.target.description.location)
      connection.send("\u{1}\u{2}garbage\r\n\r\n")
      _ = await connection.isClosed(within: .milliseconds(200))
      connection.close()
      let status = try await context.get(context.target.description.location).status
      try context.expect(status == 200, "status 200 for the next request", got: "\(status)")
    },
  ]

  private static func sibling(_ path: String, _ context: CheckContext) -> HTTPURL {
    let location = context.target.description.location
    return HTTPURL(host: location.host, port: location.port, target: path)
  }

  private static func chunk(_ text: Substring) -> String {
    "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
  }

  /// A request that changes nothing.
  static func anyGetter(_ context: CheckContext) throws(Finding) -> SOAPRequest {
    for service in context.target.services {
      for action in service.scpd?.actions ?? [] where !action.outputs.isEmpty {
        guard let arguments = Getter.arguments(of: action) else { continue }
        return try context.request(service, action.name, arguments)
      }
    }
    throw .skip("the device declares no action that changes nothing")
  }
}
