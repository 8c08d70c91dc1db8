import ControlPoint
import UPnP

/// Hostile subscriptions and subscribers.
enum HostileEventingChecks {
  static let all: [Check] = subscriptions + subscribers

  /// Sends a SUBSCRIBE that the device may refuse, but has to survive, and cancels it.
  private static func attack(
    _ id: String, _ what: String, source: String,
    _ change: @escaping @Sendable (inout RawRequest, CheckContext) -> Void
  ) -> Check {
    Check(
      "hostile/gena/\(id)", .hostile, .practice, "The device survives a SUBSCRIBE with \(what).", source: source,
      needs: [.events], mode: .hostile,
      steps: "Sends a SUBSCRIBE with \(what). Passes if the device answers in any way or not at all, "
        + "and then accepts an ordinary subscription and sends its initial event."
    ) { context async throws(Finding) in
      let service = try EventingChecks.first(context)
      var request = context.subscribeRequest(
        try context.eventURL(service), callback: context.sink.url(context.sink.newPath()))
      change(&request, context)
      try await context.recovery { () async throws(Finding) in try await expectEvents(service, context) }
      let attack = request
      let response = try await context.survives("a SUBSCRIBE with \(what)") { () async throws(Finding) in
        let response = try await context.reaction(to: Array(attack.text.utf8), method: "SUBSCRIBE")
        await cancel(response, attack.url, context)
        return response
      }
      context.measure("answer", response.map { "\($0.status)" } ?? "none")
      try await expectEvents(service, context)
    }
  }

  private static func cancel(_ response: RawResponse?, _ url: HTTPURL, _ context: CheckContext) async {
    guard let response, response.status == 200, let sid = response.header("sid") else { return }
    _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)]))
  }

  /// An ordinary subscription has to work.
  private static func expectEvents(_ service: Target.Service, _ context: CheckContext) async throws(Finding) {
    try await context.withSubscription(to: service) { subscription throws(Finding) in
      _ = try await context.initialEvent(subscription)
    }
  }

  private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  private static let subscriptions: [Check] = [
    attack("many-callbacks", "1000 callbacks", source: "CVE-2016-8863 (libupnp)") { request, context in
      let callbacks = (1...1000).map { "<\(context.sink.url("/\($0)"))>" }
      request.set("CALLBACK", callbacks.joined())
    },
    attack("invalid-callback", "a valid and an invalid callback", source: "CVE-2016-8863 (libupnp)") {
      request, context in
      request.set("CALLBACK", "<\(context.sink.url("/valid"))><http://" + text(500) + ">")
    },
    attack("long-callback", "a callback of 64 KiB", source: "CVE-2016-8863 (libupnp)") { request, context in
      request.set("CALLBACK", "<\(context.sink.url("/" + text(1 << 16)))>")
    },
    attack("bare-callback", "a callback without brackets", source: "CVE-2016-8863 (libupnp)") { request, context in
      request.set("CALLBACK", context.sink.url("/bare"))
    },
    attack("empty-callback", "an empty callback", source: "CVE-2009-2174 (GUPnP)") { request, _ in
      request.set("CALLBACK", "<>")
    },
    attack("own-callback", "the device's own controlURL as callback", source: "CVE-2020-12695 (CallStranger)") {
      request, context in
      let url = context.target.services.first?.description.controlURL ?? context.target.description.location
      request.set("CALLBACK", "<\(url)>")
    },
    attack("loopback-callback", "a callback to 127.0.0.1", source: "CVE-2020-12695 (CallStranger)") { request, _ in
      request.set("CALLBACK", "<http://127.0.0.1:1/>")
    },
    attack("format-string", "format specifiers in it", source: "CWE-134") { request, context in
      request.set("CALLBACK", "<\(context.sink.url("/%n%n%s%s"))>")
      request.set("TIMEOUT", "Second-%n%s")
    },
    attack("timeout-overflow", "a TIMEOUT of 30 digits", source: "CWE-190") { request, _ in
      request.set("TIMEOUT", "Second-" + String(repeating: "9", count: 30))
    },
    attack("timeout-negative", "a negative TIMEOUT", source: "CWE-1284: the form of TIMEOUT is Second- and digits") {
      request, _ in
      request.set("TIMEOUT", "Second--1")
    },
    attack("long-sid", "a SID of 10 000 letters", source: "CWE-120") { request, _ in
      request.set("CALLBACK", nil)
      request.set("NT", nil)
      request.set("SID", "uuid:" + text(10_000))
    },
    attack("unknown-path", "a path that no service has", source: "CVE-2020-13848 (pupnp)") { request, context in
      let url = context.target.description.location
      request.url = HTTPURL(host: url.host, port: url.port, target: "/no/such/service")
    },
    Check(
      "hostile/gena/many", .hostile, .practice, "The device goes on serving after 1000 subscriptions.",
      source: "CWE-770", needs: [.events], mode: .hostile,
      steps: "Subscribes 1000 times to one service, counts the accepted subscriptions, and cancels them. "
        + "Passes if an ordinary subscription works afterwards."
    ) { context async throws(Finding) in
      let service = try EventingChecks.first(context)
      let url = try context.eventURL(service)
      try await context.survives("1000 subscriptions") { () async throws(Finding) in
        var sids: [String] = []
        for _ in 0..<1000 {
          let request = context.subscribeRequest(url, callback: context.sink.url("/many"))
          guard let response = try? await context.exchange(request), response.status == 200,
            let sid = response.header("sid")
          else { break }
          sids.append(sid)
        }
        context.measure("subscriptions accepted", "\(sids.count)")
        let status = try await context.get(context.target.description.location).status
        try context.expect(status == 200, "status 200 for the description", got: "\(status)")
        for sid in sids { _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)])) }
      }
      try await expectEvents(service, context)
    },
  ]

  // MARK: Subscribers

  /// Subscribes with a subscriber that behaves badly; an honest one has to get its events meanwhile.
  private static func subscriber(
    _ id: String, _ what: String, _ callback: @escaping @Sendable (CheckContext) -> String
  ) -> Check {
    Check(
      "hostile/gena/\(id)", .hostile, .practice, "A subscriber \(what) does not disturb others.",
      source: "UDA 1.1 §4.3.2: an event without an answer is abandoned after 30 seconds", needs: [.events],
      mode: .hostile,
      steps: "Subscribes 20 times with a subscriber \(what), and then with an honest one. "
        + "Passes if the honest one gets its initial event."
    ) { context async throws(Finding) in
      let service = try EventingChecks.first(context)
      let url = try context.eventURL(service)
      try await context.recovery { () async throws(Finding) in try await expectEvents(service, context) }
      try await context.survives("a subscriber \(what)") { () async throws(Finding) in
        var responses: [RawResponse] = []
        for _ in 0..<20 {
          responses.append(try await context.exchange(context.subscribeRequest(url, callback: callback(context))))
        }
        let start = context.clock.now
        try await expectEvents(service, context)
        context.measure("initial event of the honest subscriber", context.clock.now - start)
        for response in responses { await cancel(response, url, context) }
      }
    }
  }

  private static let subscribers: [Check] = [
    subscriber("refusing-subscriber", "whose port is closed") { context in "http://\(context.local):1/" },
    subscriber("silent-subscriber", "that never answers events") { context in
      let path = context.misbehavingSink.newPath()
      context.misbehavingSink.setReply(.none, for: path)
      return context.misbehavingSink.url(path)
    },
    subscriber("broken-subscriber", "that breaks off its answers") { context in
      let path = context.misbehavingSink.newPath()
      context.misbehavingSink.setReply(.incomplete, for: path)
      return context.misbehavingSink.url(path)
    },
    subscriber("failing-subscriber", "that answers events with 500") { context in
      let path = context.misbehavingSink.newPath()
      context.misbehavingSink.setReply(.status(500), for: path)
      return context.misbehavingSink.url(path)
    },
  ]
}
