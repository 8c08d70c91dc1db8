import ControlPoint
import UPnP

/// Malformed and oversized HTTP requests.
enum HostileHTTPChecks {
  static let all: [Check] = framing + sizes + paths

  /// Sends bytes that the device may refuse, but has to survive.
  /// - Parameters:
  ///   - what: a noun phrase.
  ///   - statuses: the only acceptable answers; nil for any answer or none.
  private static func attack(
    _ id: String, _ what: String, level: Level = .practice, source: String, statuses: Set<Int>? = nil,
    method: String = "GET", _ bytes: @escaping @Sendable (CheckContext) throws(Finding) -> [UInt8]
  ) -> Check {
    let list = statuses?.sorted().map(String.init).joined(separator: " or ")
    let requirement = list.map { "A request with \(what) is answered with \($0), and the device goes on serving." }
    let answer = list.map { "with \($0), " } ?? "in any way or not at all, "
    return Check(
      id, .hostile, level, requirement ?? "The device survives a request with \(what).", source: source, mode: .hostile,
      steps: "Sends a request with \(what). Passes if the device answers \(answer)"
        + "and then answers ordinary requests as before."
    ) { context async throws(Finding) in
      let status = try await context.survives("a request with \(what)") { () async throws(Finding) in
        try await context.reaction(to: try bytes(context), method: method)?.status
      }
      guard let statuses, let list else { return }
      try context.expect(
        status.map { statuses.contains($0) } ?? false, "status \(list) for a request with \(what)",
        got: status.map { "\($0)" } ?? "no answer")
    }
  }

  /// A request for the description with further lines.
  private static func request(
    _ context: CheckContext, method: String = "GET", target: String? = nil, _ lines: String..., body: String = ""
  ) -> [UInt8] {
    let url = context.target.description.location
    let head = "\(method) \(target ?? url.requestTarget) HTTP/1.1\r\nHOST: \(url.authority)\r\n"
    return Array((head + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body).utf8)
  }

  // MARK: Framing

  /// An action with other headers in place of CONTENT-LENGTH.
  private static func action(_ context: CheckContext, _ lines: String...) throws(Finding) -> [UInt8] {
    var request = try HTTPChecks.anyGetter(context).http
    request.set("CONTENT-LENGTH", nil)
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      request.headers.append((String(parts[0]), String(parts[1].dropFirst())))
    }
    return Array(request.text.utf8)
  }

  private static let length = "RFC 9112 §6.3; CWE-444 (request smuggling)"

  private static let framing: [Check] = [
    attack("rfc9112/6.3/negative-length", "a negative Content-Length", level: .must, source: length, statuses: [400]) {
      context throws(Finding) in
      try action(context, "Content-Length: -5")
    },
    attack(
      "rfc9112/6.3/length-text", "a Content-Length that is no number", level: .must, source: length, statuses: [400]
    ) { context throws(Finding) in
      try action(context, "Content-Length: 5x")
    },
    attack(
      "rfc9112/6.3/two-lengths", "two different Content-Lengths", level: .must, source: length, statuses: [400]
    ) { context throws(Finding) in
      try action(context, "Content-Length: 5", "Content-Length: 6")
    },
    attack(
      "rfc9112/6.3/length-overflow", "a Content-Length of 20 digits", source: length,
      statuses: [400, 413]
    ) { context throws(Finding) in
      try action(context, "Content-Length: 99999999999999999999")
    },
    Check(
      "rfc9112/6.1/length-and-chunked", .hostile, .must,
      "After a request with Content-Length and Transfer-Encoding, the device closes the connection.",
      source: "RFC 9112 §6.1; CWE-444 (request smuggling)", mode: .hostile,
      steps: "Sends such a request and a second one after it on the same connection. "
        + "Passes if the device answers at most the first, and closes the connection."
    ) { context async throws(Finding) in
      let url = context.target.description.location
      try await context.survives("a request with two lengths") { () async throws(Finding) in
        let connection = try await context.connect(url)
        defer { connection.close() }
        let smuggled = String(decoding: request(context), as: UTF8.self)
        connection.send(
          request(context, "Content-Length: 5", "Transfer-Encoding: chunked", body: "0\r\n\r\n" + smuggled))
        let isClosed = await connection.isClosed(within: context.times.close)
        try context.expect(isClosed, "the end of the connection", got: "an open one after \(context.times.close)")
        let answers = try? await connection.answers(to: ["GET", "GET"], within: .zero)
        try context.expect(answers == nil, "at most one answer", got: "two")
      }
    },
    attack(
      "rfc9112/6.1/unknown-coding", "an unknown transfer coding", level: .should, source: "RFC 9112 §6.1",
      statuses: [400, 411, 501], method: "POST"
    ) { context throws(Finding) in
      try action(context, "Transfer-Encoding: x-unknown")
    },
    attack(
      "rfc9112/7.1/chunk-overflow", "a chunk of 16 exabytes", source: "CVE-2013-2028 (nginx)", method: "POST"
    ) {
      request($0, method: "POST", "Transfer-Encoding: chunked", body: "FFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n")
    },
    attack(
      "rfc9112/5.1/blank-before-colon", "a blank between the name of a header and the colon",
      source: "RFC 9112 §5.1; UDA cites RFC 2616, which does not demand it", statuses: [400]
    ) {
      request($0, "X-Header : value")
    },
    attack(
      "rfc9112/5.2/folded-line", "a header that continues in the next line", level: .must, source: "RFC 9112 §5.2",
      statuses: [200, 400]
    ) {
      request($0, "X-Header: one\r\n two")
    },
  ]

  // MARK: Sizes

  private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  private static let sizes: [Check] = [
    attack(
      "hostile/http/header", "a header of one megabyte",
      source: "RFC 9110 §5.4: header fields that are too large get a 4xx"
    ) {
      request($0, "X-Header: \(text(1 << 20))")
    },
    attack(
      "hostile/http/request-line", "a path of one megabyte",
      source: "RFC 9112 §3: a request target that is too long gets 414"
    ) {
      request($0, target: "/" + text(1 << 20))
    },
    attack("hostile/http/many-headers", "10 000 headers", source: "RFC 6585 §5: too many header fields get 431") {
      request($0, String(repeating: "X-Header: value\r\n", count: 10_000))
    },
    attack(
      "hostile/http/long-name", "a header with a name of 64 KiB",
      source: "RFC 9110 §5.4: header fields that are too large get a 4xx"
    ) {
      request($0, "\(text(1 << 16)): value")
    },
    attack(
      "hostile/http/announced-body", "a body of 10 MiB that never comes", source: "CVE-2007-6750 (Slowloris)",
      method: "POST"
    ) {
      request($0, method: "POST", "Content-Length: 10485760")
    },
    attack("hostile/http/many-ranges", "1000 ranges", source: "CVE-2011-3192 (Apache httpd)") {
      request($0, "Range: bytes=0-" + (1...1000).map { ",5-\($0)" }.joined())
    },
    attack("hostile/http/nul", "a NUL byte in a header", source: "RFC 9110 §5.5") {
      request($0, "X-Header: one\u{0}two")
    },
    attack("hostile/http/nul-in-path", "a NUL byte in the path", source: "CWE-158") {
      request($0, target: "/one\u{0}two")
    },
    attack("hostile/http/invalid-utf8", "bytes in the path that are no UTF-8", source: "CWE-176") { context in
      var bytes = request(context)
      // Before the blank after the path.
      let end = bytes.firstRange(of: Array(" HTTP/1.1".utf8))?.lowerBound ?? bytes.endIndex
      bytes.insert(contentsOf: [0xC3, 0x28, 0xFF], at: end)
      return bytes
    },
    attack("hostile/http/format-string", "format specifiers everywhere", source: "CWE-134") {
      request($0, target: "/%n%n%n%s%s%s", "User-Agent: %n%n%n%s%s%s", "Accept-Language: %n%s")
    },
    attack(
      "hostile/http/method", "a method of 10 000 letters", source: "RFC 9112 §3: a method that is too long gets 501"
    ) {
      request($0, method: text(10_000).uppercased())
    },
    attack(
      "hostile/http/tls", "the beginning of a TLS handshake instead of HTTP",
      source: "RFC 9112 §2.2: what is no HTTP gets 400"
    ) { _ in
      [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + Array(repeating: 0x5A, count: 500)
    },
    attack("hostile/http/http2", "the preface of HTTP/2 instead of a request", source: "RFC 9113 §3.4") { _ in
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    },
  ]

  // MARK: Paths

  private static let traversals = [
    "/../../../../../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd", "//etc/passwd", "/....//....//....//....//etc/passwd",
    "/%252e%252e/%252e%252e/%252e%252e/%252e%252e/etc/passwd", "/./../.././../.././../etc/passwd",
  ]

  private static let paths: [Check] = [
    Check(
      "hostile/http/path-traversal", .hostile, .practice, "No path leads out of the documents of the device.",
      source: "CWE-22", mode: .hostile,
      steps: "Requests /etc/passwd by paths with dots, some of them percent-encoded. "
        + "Passes if no answer has the contents of that file."
    ) { context async throws(Finding) in
      let target = context.target.description.location.target
      let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
      try await context.survives("paths with dots") { () async throws(Finding) in
        for path in traversals + traversals.map({ folder + $0 }) {
          let text = try await context.reaction(to: request(context, target: path, "Connection: close"))?.text ?? ""
          try context.expect(!text.contains("root:"), "no contents of /etc/passwd at \(path)", got: "them")
        }
      }
    },
    Check(
      "hostile/http/upload", .hostile, .practice, "A POST stores no file.", source: "CVE-2016-6255 (libupnp)",
      mode: .hostile,
      steps: "Sends a body with POST and PUT to a path that does not exist, and then requests that path. "
        + "Passes if it is not found."
    ) { context async throws(Finding) in
      let path = "/swiftlet-conformance-\(UInt32.random(in: .min ... .max))"
      try await context.survives("a POST to an unknown path") { () async throws(Finding) in
        for method in ["POST", "PUT"] {
          _ = try await context.reaction(
            to: request(context, method: method, target: path, "Content-Length: 4", body: "test"), method: method)
        }
        let location = context.target.description.location
        let status = try await context.get(HTTPURL(host: location.host, port: location.port, target: path)).status
        try context.expect(!(200...299).contains(status), "status 404 for \(path)", got: "\(status)")
      }
    },
    Check(
      "hostile/http/foreign-host", .hostile, .practice, "An action with the Host of a foreign name is refused.",
      source: "CVE-2021-33516 (DNS rebinding in GUPnP)", mode: .hostile,
      steps: "Calls a getter with Host: rebinding.example, as a web page does whose name leads to the device. "
        + "Passes if the call does not succeed. The answer to a foreign Origin is measured."
    ) { context async throws(Finding) in
      let getter = try HTTPChecks.anyGetter(context)
      var request = getter.http
      request.set("ORIGIN", "http://rebinding.example")
      context.measure("status for a foreign Origin", "\(try await context.exchange(request).status)")
      request.set("ORIGIN", nil)
      request.set("HOST", "rebinding.example")
      let answer = SOAPAnswer(try await context.exchange(request), action: getter.action)
      try context.expect(answer.results == nil, "a refusal", got: "success")
    },
  ]
}
