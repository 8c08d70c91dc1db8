import ControlPoint
import UPnP

/// Subscriptions and events (UDA §4).
enum EventingChecks {
  private static let cancellation = "UDA 1.0 §4.1.3"

  static let all: [Check] = subscriptions + events + refusals

  private static func forEach(
    _ context: CheckContext, _ body: (Target.Service) async throws(Finding) -> Void
  ) async throws(Finding) {
    for service in context.eventedServices { try await body(service) }
  }

  static func first(_ context: CheckContext) throws(Finding) -> Target.Service {
    guard let service = context.eventedServices.first else { throw .skip("no service has evented variables") }
    return service
  }

  // MARK: Subscriptions

  private static let subscriptions: [Check] = [
    Check(
      "uda/4.1.2/sid", .eventing, .must, "A subscription has a SID that begins with uuid:.", source: cancellation,
      needs: [.events],
      steps: "Subscribes to every service with events. Passes if each SID begins so."
    ) { context async throws(Finding) in
      try await forEach(context) { service throws(Finding) in
        try await context.withSubscription(to: service) { subscription throws(Finding) in
          try context.expect(
            subscription.sid.hasPrefix("uuid:"), "a SID that begins with uuid:", got: "\"\(subscription.sid)\"")
        }
      }
    },
    Check(
      "uda/4.1.2/timeout", .eventing, .practice,
      "The answer to SUBSCRIBE has TIMEOUT: Second- and a number or infinite.", source: "UDA 1.0 §4.1.1",
      needs: [.events],
      steps: "Subscribes with TIMEOUT: Second-300. Passes if the answer has a TIMEOUT of this form."
    ) { context async throws(Finding) in
      try await context.withSubscription(to: first(context)) { subscription throws(Finding) in
        let timeout = subscription.response.header("timeout") ?? ""
        let value = timeout.lowercased().hasPrefix("second-") ? String(timeout.dropFirst(7)) : ""
        try context.expect(
          value.lowercased() == "infinite" || Int(device: value).map { $0 > 0 } == true, "Second- and a number",
          got: timeout.isEmpty ? "no TIMEOUT" : "\"\(timeout)\"")
      }
    },
    Check(
      "uda/4.1.2/server", .eventing, .practice, "The answer to SUBSCRIBE has a SERVER.",
      source: "the table of headers in UDA 1.0 §4.1.1", needs: [.events],
      steps: "Subscribes to the first service with events. Passes if the answer has a SERVER with UPnP/1. or UPnP/2."
    ) { context async throws(Finding) in
      try await context.withSubscription(to: first(context)) { subscription throws(Finding) in
        let server = subscription.response.header("server") ?? ""
        try context.expect(
          server.contains("UPnP/1.") || server.contains("UPnP/2."), "a SERVER with the version of UPnP",
          got: server.isEmpty ? "none" : "\"\(server)\"")
      }
    },
    Check(
      "uda/4.1.2/two-subscribers", .eventing, .must, "Two subscriptions have different SIDs.", source: cancellation,
      needs: [.events],
      steps: "Subscribes twice to the same service. Passes if the two SIDs differ."
    ) { context async throws(Finding) in
      let service = try first(context)
      try await context.withSubscription(to: service) { one throws(Finding) in
        try await context.withSubscription(to: service) { other throws(Finding) in
          try context.expect(one.sid != other.sid, "different SIDs", got: "the same one twice")
        }
      }
    },
    Check(
      "uda/4.1.2/renewal", .eventing, .practice, "A renewal is answered with 200 and the same SID.",
      source: "UDA 1.0 §4.1.2", needs: [.events],
      steps: "Subscribes and renews the subscription. Passes with status 200 and the same SID."
    ) { context async throws(Finding) in
      try await context.withSubscription(to: first(context)) { subscription throws(Finding) in
        let response = try await context.exchange(context.renewal(subscription.url, sid: subscription.sid))
        try context.expect(response.status == 200, "status 200", got: "\(response.status)")
        let sid = response.header("sid") ?? ""
        try context.expect(sid == subscription.sid, "the SID \(subscription.sid)", got: "\"\(sid)\"")
      }
    },
    Check(
      "uda/4.1.3/unsubscribe", .eventing, .must, "UNSUBSCRIBE is answered with 200 and ends the subscription.",
      source: cancellation, needs: [.events],
      steps:
        "Subscribes, waits for the first event, unsubscribes, tries to renew, and unsubscribes again. Passes with status 200 for the first UNSUBSCRIBE and 412 for the other requests."
    ) { context async throws(Finding) in
      try await context.withSubscription(to: first(context)) { subscription throws(Finding) in
        // GUPnP ends a subscription only after its first event.
        _ = await subscription.wait(context.times.event) { $0.first }
        let request = RawRequest("UNSUBSCRIBE", subscription.url, [("SID", subscription.sid)])
        let response = try await context.exchange(request)
        try context.expect(response.status == 200, "status 200", got: "\(response.status)")
        let renewal = try await context.exchange(context.renewal(subscription.url, sid: subscription.sid))
        try context.expect(renewal.status == 412, "status 412 for a renewal afterwards", got: "\(renewal.status)")
        let second = try await context.exchange(request)
        try context.expect(second.status == 412, "status 412 for a second UNSUBSCRIBE", got: "\(second.status)")
      }
    },
  ]

  // MARK: Events

  private static func initial(
    _ id: String, _ level: Level, _ requirement: String, source: String, passes: String,
    _ examine: @escaping @Sendable (RawEvent, Target.Service, EventSubscription, CheckContext) throws(Finding) -> Void
  ) -> Check {
    Check(
      "uda/4.3/\(id)", .eventing, level, requirement, source: source, needs: [.events],
      steps: "Subscribes to every service with events and reads the first event. Passes with \(passes)."
    ) {
      context async throws(Finding) in
      try await forEach(context) { service throws(Finding) in
        try await context.withSubscription(to: service) { subscription throws(Finding) in
          try examine(try await context.initialEvent(subscription), service, subscription, context)
        }
      }
    }
  }

  private static let events: [Check] = [
    initial(
      "initial", .practice, "Every subscription begins with an event.",
      source: "UDA 1.0 §4.1; Home Assistant's dlna_dmr waits for it",
      passes: "an event within 5 seconds"
    ) {
      _, _, _, _ throws(Finding) in
    },
    initial("initial-seq", .must, "The SEQ of the initial event is 0.", source: "UDA 1.0 §4.1", passes: "SEQ: 0") {
      event, _, _, context throws(Finding) in
      try context.expect(event.header("seq") == "0", "SEQ: 0", got: "\"\(event.header("seq"))\"")
    },
    initial(
      "initial-variables", .practice, "The initial event has all evented variables of the SCPD.",
      source: "UDA 1.0 §4.1; xbmc/xbmc#29130",
      passes: "a property for every variable that the SCPD declares as evented"
    ) { event, service, _, context throws(Finding) in
      let names = try context.propertyNames(event)
      try context.expectNone(
        service.eventedVariables.filter { !names.contains($0) }.map { "no \(service.name).\($0)" },
        "all evented variables")
    },
    initial(
      "declared-variables", .practice, "Events have no variables that the SCPD does not event.",
      source: "UDA 1.0 §4.2",
      passes: "no property for any other variable"
    ) { event, service, _, context throws(Finding) in
      let names = try context.propertyNames(event)
      try context.expectNone(
        names.filter { !service.eventedVariables.contains($0) }.map { "\(service.name).\($0)" },
        "variables that the SCPD events")
    },
    initial(
      "headers", .must, "Events have NT: upnp:event, NTS: upnp:propchange and the subscription's SID.",
      source: "UDA 1.1 §4.3.2; UDA 1.0 §4.2.1", passes: "these three headers"
    ) { event, _, subscription, context throws(Finding) in
      try context.expect(event.header("nt") == "upnp:event", "NT: upnp:event", got: "\"\(event.header("nt"))\"")
      try context.expect(
        event.header("nts") == "upnp:propchange", "NTS: upnp:propchange", got: "\"\(event.header("nts"))\"")
      try context.expect(
        event.header("sid") == subscription.sid, "the SID \(subscription.sid)", got: "\"\(event.header("sid"))\"")
    },
    initial(
      "host", .must, "Events have a HOST: the address of the callback.", source: "UDA 1.0 §4.2.1; RFC 9112 §3.2",
      passes: "the host of the callback in HOST"
    ) { event, _, _, context throws(Finding) in
      let host = event.header("host")
      try context.expect(
        HTTPURL("http://\(host)/")?.host == "\(context.sink.address)", "the HOST \(context.sink.address)",
        got: host.isEmpty ? "none" : "\"\(host)\"")
    },
    initial(
      "property-set", .must,
      "An event is a <propertyset> in urn:schemas-upnp-org:event-1-0, with one element in each <property>.",
      source: "UDA 1.1 §4.3.2; UDA 1.0 §4.2.1", passes: "well-formed XML of this structure"
    ) { event, _, _, context throws(Finding) in
      guard let reading = try? XMLDocument.read(event.body), reading.repairs.isEmpty else {
        throw .failure(expected: "well-formed XML", got: event.quotedBody)
      }
      let root = reading.root
      try context.expect(
        root.name == "propertyset" && root.namespace == "urn:schemas-upnp-org:event-1-0",
        "<propertyset> in urn:schemas-upnp-org:event-1-0", got: "<\(root.name)> in \"\(root.namespace)\"")
      try context.expect(
        root.children.allSatisfy { $0.name == "property" && $0.children.count == 1 },
        "one element in each <property>", got: "another structure")
    },
    initial(
      "unqualified", .practice, "The variables of an event have no namespace.",
      source: "the template in UDA 1.0 §4.2.1", passes: "elements without a namespace in each <property>"
    ) { event, service, _, context throws(Finding) in
      let variables = (try? XMLDocument.read(event.body).root)?.all("property").flatMap(\.children) ?? []
      let qualified = variables.filter { !$0.namespace.isEmpty }
      try context.expectNone(
        qualified.map { "\(service.name).\($0.name) in \"\($0.namespace)\"" }, "variables without a namespace")
    },
    initial(
      "content-type", .must, "Events have the content type text/xml.",
      source: "UDA 1.1 §4.3.2; UDA 1.0 §4.2.1", passes: "the media type text/xml, with or without a charset"
    ) { event, _, _, context throws(Finding) in
      let type = event.header("content-type")
      try context.expect(type.lowercased().hasPrefix("text/xml"), "text/xml", got: "\"\(type)\"")
    },
    Check(
      "uda/4.3/event-equals-getter", .eventing, .practice,
      "The first events have the values that the getters return.",
      source: """
        Intel Device Validator (Ylianst/Developer-Tools-for-UPnP-Technologies, Tools/DeviceValidator); OpenHome's Kazoo \
        reads only the initial event
        """,
      needs: [.events],
      steps:
        "Subscribes to all services and calls their getters. Passes if each value in the events is the getter's within two seconds."
    ) { context async throws(Finding) in
      let problems = try await context.observing(context.eventedServices, isTest: true) { $0.disagreements }
      try context.expectNone(problems, "the values of the getters in the initial events")
    },
  ]

  // MARK: Refusals

  private static func refusal(
    _ id: String, _ level: Level, _ status: Int, or other: Int? = nil, _ what: String, source: String,
    _ request: @escaping @Sendable (CheckContext, HTTPURL) -> RawRequest
  ) -> Check {
    let expected = "\(status)\(other.map { " or \($0)" } ?? "")"
    return Check(
      "uda/\(id)", .eventing, level, "\(what) is refused with \(expected).", source: source, needs: [.events],
      steps: "\(what) is sent to the first service with events. Passes with status \(expected)."
    ) { context async throws(Finding) in
      let url = try context.eventURL(first(context))
      let response = try await context.exchange(request(context, url))
      if response.status == 200, let sid = response.header("sid") {
        _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)]))
      }
      try context.expect(
        response.status == status || response.status == other, "status \(expected)", got: "\(response.status)")
    }
  }

  private static let unknownSID = "uuid:00000000-0000-4000-8000-0123456789ab"

  private static let refusals: [Check] = [
    refusal("4.1.1/no-callback", .must, 412, "SUBSCRIBE without CALLBACK", source: "UDA 1.0 §4.1.1") {
      $0.subscribeRequest($1, callback: nil)
    },
    // 412 is for another NT. Nothing is said about none, which is a bad request, too.
    refusal("4.1.1/no-nt", .must, 412, or: 400, "SUBSCRIBE without NT", source: "UDA 1.0 §4.1.1") {
      $0.subscribeRequest($1, callback: $0.sink.url("/no-nt"), nt: nil)
    },
    refusal("4.1.1/other-nt", .must, 412, "SUBSCRIBE with another NT", source: "UDA 1.0 §4.1.1") {
      $0.subscribeRequest($1, callback: $0.sink.url("/other-nt"), nt: "upnp:other")
    },
    refusal(
      "4.1.1/callback-scheme", .must, 412, "SUBSCRIBE with a CALLBACK that is no http URL", source: "UDA 1.0 §4.1.1"
    ) {
      $0.subscribeRequest($1, callback: "ftp://\($0.sink.address)/")
    },
    refusal("4.1.2/unknown-sid", .must, 412, "The renewal of an unknown SID", source: "UDA 1.0 §4.1.2") {
      $0.renewal($1, sid: unknownSID)
    },
    refusal("4.1.2/sid-and-callback", .must, 400, "SUBSCRIBE with SID and CALLBACK", source: "UDA 1.0 §4.1.1") {
      var request = $0.renewal($1, sid: unknownSID)
      request.headers.append(("CALLBACK", "<\($0.sink.url("/both"))>"))
      return request
    },
    refusal("4.1.3/unknown-sid", .must, 412, "UNSUBSCRIBE of an unknown SID", source: cancellation) {
      RawRequest("UNSUBSCRIBE", $1, [("SID", unknownSID)])
    },
    refusal("4.1.3/no-sid", .must, 412, "UNSUBSCRIBE without SID", source: cancellation) {
      RawRequest("UNSUBSCRIBE", $1)
    },
    refusal("4.1.3/sid-and-nt", .must, 400, "UNSUBSCRIBE with SID and NT", source: cancellation) {
      RawRequest("UNSUBSCRIBE", $1, [("SID", unknownSID), ("NT", "upnp:event")])
    },
    refusal(
      "4.1.1/foreign-callback", .practice, 412, "A CALLBACK on a foreign network",
      source: "CVE-2020-12695 (CallStranger)"
    ) {
      // A documentation address (RFC 5737), which no host has.
      $0.subscribeRequest($1, callback: "http://203.0.113.77:9/")
    },
  ]
}
