import ControlPoint
import UPnP

/// Forms of requests that an HTTP server has to understand or refuse (RFC 9110, RFC 9112).
enum HTTPRequestChecks {
  static let all: [Check] = hosts + forms + loads

  private static func description(_ context: CheckContext) -> RawRequest {
    RawRequest("GET", context.target.description.location)
  }

  /// Sends a request for the description in another form.
  private static func form(
    _ id: String, _ level: Level, _ requirement: String, source: String, statuses: Set<Int>, steps: String,
    mode: Mode = .standard, _ text: @escaping @Sendable (CheckContext) -> String
  ) -> Check {
    Check(id, .http, level, requirement, source: source, mode: mode, steps: steps) { context async throws(Finding) in
      let connection = try await context.connect(context.target.description.location)
      defer { connection.close() }
      connection.send(text(context))
      let response = try await connection.answers(to: ["GET"], within: context.times.answer)[0]
      let list = statuses.sorted().map(String.init).joined(separator: " or ")
      try context.expect(statuses.contains(response.status), "status \(list)", got: "\(response.status)")
      if response.status == 200 {
        try context.expect(
          response.body == context.target.document.body, "the description", got: "another document")
      }
    }
  }

  // MARK: Host

  private static let hosts: [Check] = [
    // No control point is known to leave out Host: UDA 1.0 §2.8 requires it, too, and ReadyMedia refuses
    // requests without it.
    form(
      "rfc9112/3.2/no-host", .must, "A request of HTTP/1.1 without Host is refused with 400.", source: "RFC 9112 §3.2",
      statuses: [400], steps: "Requests the description without Host. Passes if the answer is 400."
    ) { context in
      var request = description(context)
      request.set("HOST", nil)
      return request.text
    },
    form(
      "rfc9112/3.2/two-hosts", .practice, "A request with two Host headers is refused with 400.",
      source: "RFC 9112 §3.2; UDA cites RFC 2616, which does not demand it",
      statuses: [400], steps: "Requests the description with Host twice. Passes if the answer is 400."
    ) { context in
      var request = description(context)
      request.headers.append(("HOST", request.url.authority))
      return request.text
    },
    form(
      "rfc9112/3.2/invalid-host", .practice, "A request with an invalid Host is refused with 400.",
      source: "RFC 9112 §3.2; UDA cites RFC 2616, which does not demand it",
      statuses: [400], steps: "Requests the description with \"Host: http://a b/\". Passes if the answer is 400."
    ) { context in
      var request = description(context)
      request.set("HOST", "http://a b/")
      return request.text
    },
    form(
      "rfc9112/3.2/http10-host", .practice, "A request of HTTP/1.0 needs no Host.",
      source: "RFC 1945, which has no Host", statuses: [200],
      steps: "Requests the description with HTTP/1.0 and without Host. Passes if the description comes."
    ) { context in
      var request = description(context)
      request.version = "HTTP/1.0"
      request.set("HOST", nil)
      return request.text
    },
  ]

  // MARK: Forms

  private static let forms: [Check] = [
    form(
      "rfc9112/3.2.2/absolute-form", .must, "A request may have the whole URL in its first line.",
      source: "RFC 9112 §3.2.2", statuses: [200],
      steps: "Requests the description with its URL instead of its path. Passes if the description comes."
    ) { context in
      let request = description(context)
      return request.text.replacing(
        "GET \(request.url.requestTarget)", with: "GET http://\(request.url.authority)\(request.url.requestTarget)",
        maxReplacements: 1)
    },
    form(
      "rfc9112/2.2/empty-line", .should, "An empty line before a request is ignored.", source: "RFC 9112 §2.2",
      statuses: [200], steps: "Sends an empty line and a request for the description. Passes if the description comes."
    ) { "\r\n" + description($0).text },
    form(
      "rfc9112/5.1/no-blank", .must, "No blank is needed after the colon of a header.", source: "RFC 9112 §5",
      statuses: [200], steps: "Requests the description with \"HOST:…\". Passes if the description comes."
    ) { description($0).text.replacing(": ", with: ":") },
    form(
      "rfc9110/13.1.2/if-none-match", .practice, "A condition on an unknown version does not prevent the answer.",
      source: "RFC 9110 §13.1.2", statuses: [200],
      steps: "Requests the description with If-None-Match and an unknown tag. Passes if the description comes."
    ) { context in
      var request = description(context)
      request.headers.append(("IF-NONE-MATCH", "\"swiftlet-conformance\""))
      return request.text
    },
    form(
      "uda/2.10/accept-language", .practice, "Any Accept-Language yields the description.",
      source: "UDA 1.1 §2.10, which lets control points send it", statuses: [200],
      steps: "Requests the description with the languages tlh and *. Passes if the description comes."
    ) { context in
      var request = description(context)
      request.headers.append(("ACCEPT-LANGUAGE", "tlh, *;q=0.1"))
      return request.text
    },
    form(
      "rfc9110/14.2/range", .practice, "A range of the description is answered with that range or the whole.",
      source: "RFC 9110 §14.2, which lets servers ignore ranges",
      statuses: [200, 206], steps: "Requests the first ten bytes. Passes if the answer is 206, or 200 with all bytes."
    ) { context in
      var request = description(context)
      request.headers.append(("RANGE", "bytes=0-9"))
      return request.text
    },
    form(
      "rfc9110/5.1/unknown-header", .must, "Headers that a device does not know are ignored.", source: "RFC 9110 §5.1",
      statuses: [200], steps: "Requests the description with three unknown headers. Passes if the description comes."
    ) { context in
      var request = description(context)
      request.headers += [("X-UNKNOWN", "1"), ("DNT", "1"), ("SEC-FETCH-MODE", "navigate")]
      return request.text
    },
    Check(
      "rfc9110/9.1/unknown-method", .http, .should, "An unknown method is answered with 501.", source: "RFC 9110 §9.1",
      steps: "Sends a request with the method BREW. Passes if the answer is 501."
    ) { context async throws(Finding) in
      let status = try await context.exchange(RawRequest("BREW", context.target.description.location)).status
      try context.expect(status == 501, "status 501", got: "\(status)")
    },
    Check(
      "rfc9110/15.5.6/allow", .http, .must, "An answer with 405 lists the allowed methods in Allow.",
      source: "RFC 9110 §15.5.6",
      steps: "Sends DELETE and PUT for the description. Passes if each answer with 405 has an Allow header."
    ) { context async throws(Finding) in
      for method in ["DELETE", "PUT"] {
        var request = RawRequest(method, context.target.description.location)
        request.set("CONTENT-LENGTH", "0")
        let response = try await context.exchange(request)
        try context.expect(
          response.status != 405 || response.header("allow") != nil, "an Allow header with 405", got: "none")
      }
    },
    Check(
      "rfc9112/7.1.1/chunk-extension", .http, .must, "Unknown extensions of chunks are ignored.",
      source: "RFC 9112 §7.1.1",
      steps: "Calls a getter in chunks with extensions and a trailer. Passes if the call succeeds."
    ) { context async throws(Finding) in
      guard context.target.document.version != "HTTP/1.0" else { throw .skip("the device speaks HTTP/1.0") }
      let soap = try HTTPChecks.anyGetter(context)
      var request = soap.http
      let body = request.body ?? ""
      request.set("CONTENT-LENGTH", nil)
      request.set("TRANSFER-ENCODING", "chunked")
      request.body = "\(String(body.utf8.count, radix: 16));name=\"value\"\r\n\(body)\r\n0;last\r\nX-Trailer: 1\r\n\r\n"
      let answer = SOAPAnswer(try await context.exchange(request), action: soap.action)
      try context.expect(answer.results != nil, "success of \(soap.action)", got: answer.summary)
    },
    Check(
      "http/half-closed", .http, .practice, "A client that ends its side of the connection still gets the answer.",
      source: "netcat does so; RFC 9112 §9.6 describes it",
      steps: "Requests the description and closes the sending side. Passes if the description comes."
    ) { context async throws(Finding) in
      let request = description(context)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      connection.closeOutput()
      let status = try await connection.answers(to: ["GET"], within: context.times.answer)[0].status
      try context.expect(status == 200, "status 200", got: "\(status)")
    },
    Check(
      "http/byte-by-byte", .http, .practice, "A request that comes in many packets is answered.",
      source: "TCP does not keep the boundaries of packets (RFC 9293 §3.8)",
      steps: "Sends a request for the description in packets of one byte. Passes if the description comes."
    ) { context async throws(Finding) in
      var request = description(context)
      request.set("USER-AGENT", nil)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      for byte in request.text.utf8 {
        connection.send([byte])
        await context.clock.sleep(real: .milliseconds(1))
      }
      let status = try await connection.answers(to: ["GET"], within: context.times.answer)[0].status
      try context.expect(status == 200, "status 200", got: "\(status)")
    },
  ]

  // MARK: Several clients

  private static let loads: [Check] = [
    Check(
      "http/many-callers", .http, .practice, "Each of 50 callers at once gets the answer to its own action.",
      source: "Home Assistant's openhome integration polls all services in each cycle",
      steps: "Calls the getters of all services on 50 connections at once. "
        + "Passes if every call succeeds with the response of its own action."
    ) { context async throws(Finding) in
      let getters = try context.getters()
      guard !getters.isEmpty else { throw .skip("the device declares no action that changes nothing") }
      var usual: [String: String] = [:]
      for getter in getters { usual[getter.action] = try await context.answer(to: getter).summary }
      let start = context.clock.now
      let wrong = await withTaskGroup(of: String?.self) { group in
        for number in 0..<50 {
          let getter = getters[number % getters.count]
          let expected = usual[getter.action]
          group.addTask {
            do throws(Finding) {
              let answer = try await context.answer(to: getter)
              return answer.summary == expected ? nil : "\(answer.summary) for \(getter.action)"
            } catch {
              return "no answer to \(getter.action)"
            }
          }
        }
        return await group.reduce(into: [String]()) { list, problem in if let problem { list.append(problem) } }
      }
      context.measure("duration of 50 calls", context.clock.now - start)
      try context.expectNone(wrong.sorted(), "an answer to each caller")
    },
    Check(
      "http/idle", .timers, .practice, "A connection that was idle for ten seconds can still be used.",
      source: "openhab/openhab-addons#21025", mode: .slow,
      steps: "Sends a request, waits for ten seconds, and sends another one on the same connection. "
        + "Passes if it is answered, or if the first answer said Connection: close."
    ) { context async throws(Finding) in
      var request = description(context)
      request.set("CONNECTION", nil)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      let first = try await connection.answers(to: ["GET"], within: context.times.answer)[0]
      if first.version == "HTTP/1.0" || first.header("connection")?.lowercased().contains("close") == true { return }
      if await connection.isClosed(within: context.times.idle) {
        throw .failure(expected: "an open connection for \(context.times.idle)", got: "one that the device closed")
      }
      connection.send(request.text)
      _ = try await connection.answers(to: ["GET", "GET"], within: context.times.answer)
    },
  ]
}
