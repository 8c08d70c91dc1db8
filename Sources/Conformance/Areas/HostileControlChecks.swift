import ControlPoint
import UPnP

/// Hostile XML and arguments in actions.
enum HostileControlChecks {
  static let all: [Check] = documents + arguments

  /// Sends a body that the device may refuse, but has to survive.
  /// - Parameters:
  ///   - what: a noun phrase.
  ///   - leak: a text that the answer must not have.
  private static func attack(
    _ id: String, _ what: String, source: String, leak: String? = nil,
    _ body: @escaping @Sendable (SOAPRequest) -> [UInt8]
  ) -> Check {
    Check(
      "hostile/xml/\(id)", .hostile, .practice, "The device survives an action with \(what).", source: source,
      mode: .hostile,
      steps: "Calls a getter with \(what). Passes if the device answers in any way or not at all, "
        + "and then answers ordinary requests as before."
    ) { context async throws(Finding) in
      let getter = try HTTPChecks.anyGetter(context)
      let response = try await context.survives("an action with \(what)") { () async throws(Finding) in
        try await send(body(getter), getter, context)
      }
      context.measure("answer", response.map { SOAPAnswer($0, action: getter.action).summary } ?? "none")
      if let leak, response?.text.contains(leak) ?? false {
        throw .failure(expected: "an answer without the contents of the file", got: "them")
      }
    }
  }

  private static func send(
    _ body: [UInt8], _ getter: SOAPRequest, _ context: CheckContext
  ) async throws(Finding) -> RawResponse? {
    var request = getter.http
    request.body = nil
    request.set("CONTENT-LENGTH", "\(body.count)")
    let connection = try await context.connect(request.url)
    defer { connection.close() }
    connection.send(Array(request.text.utf8) + body)
    return try? await connection.answers(to: ["POST"], within: context.times.reaction).first
  }

  /// The usual envelope with other content in the action's element.
  private static func envelope(_ request: SOAPRequest, prolog: String = "", content: String) -> [UInt8] {
    var request = request
    request.arguments = []
    let end = "</u:\(request.action)>"
    let text = request.usualEnvelope.replacing(end, with: content + end)
    return Array(text.replacing("<s:Envelope", with: prolog + "<s:Envelope", maxReplacements: 1).utf8)
  }

  // MARK: Documents

  private static let documents: [Check] = [
    attack("entity-bomb", "entities that grow to gigabytes", source: "CVE-2003-1564 (libxml2)") { request in
      let entities = (1...9).map { number in
        "<!ENTITY e\(number) \"" + String(repeating: "&e\(number - 1);", count: 10) + "\">"
      }
      return envelope(
        request, prolog: "<!DOCTYPE x [<!ENTITY e0 \"aaaaaaaaaa\">\(entities.joined())]>",
        content: "<InstanceID>&e9;</InstanceID>")
    },
    attack(
      "external-entity", "an entity that names a file", source: "CWE-611 (XML external entities)", leak: "root:"
    ) { request in
      envelope(
        request, prolog: "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>",
        content: "<InstanceID>&e;</InstanceID>")
    },
    attack("deep", "100 000 nested elements", source: "CVE-2021-28302 (pupnp)") { request in
      envelope(request, content: String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000))
    },
    attack("unclosed", "100 000 elements that do not end", source: "CVE-2021-28302 (pupnp)") { request in
      envelope(request, content: String(repeating: "<a>", count: 100_000))
    },
    attack("many-attributes", "10 000 attributes", source: "CVE-2026-45186 (expat)") { request in
      envelope(request, content: "<a " + (1...10_000).map { "a\($0)=\"1\" " }.joined() + "/>")
    },
    attack("many-namespaces", "5000 namespaces", source: "CWE-407") { request in
      envelope(request, content: "<a " + (1...5000).map { "xmlns:n\($0)=\"urn:\($0)\" " }.joined() + "/>")
    },
    attack("nul", "NUL bytes", source: "CWE-158") { request in
      envelope(request, content: "<InstanceID>\u{0}\u{0}&#0;</InstanceID>")
    },
    attack("invalid-utf8", "bytes that are no UTF-8", source: "CVE-2022-25235 (expat)") { request in
      let parts = envelope(request, content: "<InstanceID>@</InstanceID>").split(
        separator: UInt8(ascii: "@"), maxSplits: 1)
      return Array(parts.joined(separator: [0xC3, 0x28, 0xA0, 0xFF]))
    },
    attack("utf-16", "an envelope in UTF-16", source: "XML 1.0 §4.3.3") { request in
      [0xFE, 0xFF] + request.usualEnvelope.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    },
    attack("encoding", "an unknown encoding", source: "XML 1.0 §4.3.3: a fatal error") { request in
      Array(request.usualEnvelope.replacing("version=\"1.0\"", with: "version=\"1.0\" encoding=\"x-none\"").utf8)
    },
    attack("empty", "an empty body", source: "CVE-2009-2174 (GUPnP)") { _ in [] },
    attack("noise", "a body of random bytes", source: "CWE-20") { _ in
      (0..<4096).map { _ in .random(in: .min ... .max) }
    },
    Check(
      "hostile/xml/truncated", .hostile, .practice, "The device survives an envelope that ends anywhere.",
      source: "XML 1.0 §2.1: no document is well-formed without its end", mode: .hostile,
      steps: "Sends the first tenth, two tenths and so on of an envelope. "
        + "Passes if no part is performed, and the device then answers ordinary requests as before."
    ) { context async throws(Finding) in
      let getter = try HTTPChecks.anyGetter(context)
      let text = Array(getter.usualEnvelope.utf8)
      try await context.survives("truncated envelopes") { () async throws(Finding) in
        for tenth in 1...9 {
          let part = Array(text.prefix(text.count * tenth / 10))
          guard let response = try await send(part, getter, context) else { continue }
          let answer = SOAPAnswer(response, action: getter.action)
          try context.expect(answer.results == nil, "a refusal of \(tenth) tenths of an envelope", got: "success")
        }
      }
    },
  ]

  // MARK: Arguments

  /// Calls a getter with a hostile InstanceID.
  private static func argument(_ id: String, _ what: String, source: String, _ value: String) -> Check {
    Check(
      "hostile/argument/\(id)", .hostile, .practice, "The device survives an action with \(what) as argument.",
      source: source, needs: [.action("AVTransport", "GetTransportInfo")], mode: .hostile,
      steps:
        "Calls GetTransportInfo with \(what) as InstanceID. Passes if the device answers in any way or not at all, "
        + "and then answers ordinary requests as before."
    ) { context async throws(Finding) in
      let request = try context.request(
        context.service("AVTransport"), "GetTransportInfo", [("InstanceID", value)])
      let response = try await context.survives("an action with \(what)") { () async throws(Finding) in
        try await send(Array(request.usualEnvelope.utf8), request, context)
      }
      context.measure("answer", response.map { SOAPAnswer($0, action: request.action).summary } ?? "none")
    }
  }

  private static let arguments: [Check] = [
    argument("long", "a text of 500 kB", source: "CWE-120", String(repeating: "1", count: 500_000)),
    argument("huge-number", "a number of 30 digits", source: "CWE-190", String(repeating: "9", count: 30)),
    argument("overflow", "the number 4294967296", source: "CWE-190", "4294967296"),
    argument("format-string", "format specifiers", source: "CWE-134", "%n%n%n%s%s%s%x"),
    argument("markup", "markup", source: "CWE-91 (XML injection)", "</InstanceID><InstanceID>0"),
    argument("shell", "shell commands", source: "CWE-78", "`reboot`;$(reboot)|reboot"),
    Check(
      "hostile/argument/long-action", .hostile, .practice, "The device survives an action with a name of 8000 letters.",
      source: "CVE-2013-0230 (MiniUPnPd)", mode: .hostile,
      steps: "Sends such a name in SOAPACTION and in the body. "
        + "Passes if the device answers in any way or not at all, and then answers ordinary requests as before."
    ) { context async throws(Finding) in
      guard let service = context.target.services.first else { throw .skip("the device has no service") }
      let request = try context.request(service, String(repeating: "A", count: 8000))
      try await context.survives("a long action name") { () async throws(Finding) in
        _ = try await send(Array(request.usualEnvelope.utf8), request, context)
      }
    },
    Check(
      "hostile/argument/many", .hostile, .practice, "The device survives an action with 10 000 arguments.",
      source: "CWE-770", mode: .hostile,
      steps: "Calls a getter with 10 000 arguments that it does not have. "
        + "Passes if the device answers in any way or not at all, and then answers ordinary requests as before."
    ) { context async throws(Finding) in
      var getter = try HTTPChecks.anyGetter(context)
      getter.arguments += (1...10_000).map { ("X\($0)", "1") }
      let request = getter
      try await context.survives("10 000 arguments") { () async throws(Finding) in
        _ = try await send(Array(request.usualEnvelope.utf8), request, context)
      }
    },
  ]
}
