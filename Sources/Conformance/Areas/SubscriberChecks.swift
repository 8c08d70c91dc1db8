import ControlPoint
import UPnP

/// Several subscribers, and the events that each must get (UDA §4).
enum SubscriberChecks {
  private static let rendering = "RenderingControl"
  private static let volume: [Prerequisite] = [
    .eventsOf(rendering), .action(rendering, "SetVolume"), .action(rendering, "GetVolume"),
  ]

  static let all: [Check] = callbacks + order + others + later + moderation

  // MARK: Callbacks

  private static let callbacks: [Check] = [
    Check(
      "uda/4.1.2/callback-bytes", .eventing, .practice,
      "Events go to the path and query of the callback, byte for byte.",
      source: "UDA 1.0 §4.2.1 (delivery path); async_upnp_client and Kodi tell services apart by the path",
      needs: [.events],
      steps: "Subscribes with escapes, a query and unusual characters in the callback. "
        + "Passes if the event comes with that path and query."
    ) { context async throws(Finding) in
      let path = context.sink.newPath("/a%20b%2F;c=(d)/e?f=%26&g=h:i,j")
      try await context.withSubscription(to: EventingChecks.first(context), path: path) {
        subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
      }
    },
    Check(
      "uda/4.1.2/second-callback", .eventing, .practice, "If the first callback cannot be reached, the second is used.",
      source: "UDA 1.0 §4.1.1", needs: [.events],
      steps: "Subscribes with a closed port and then our port in CALLBACK. Passes if the event comes."
    ) { context async throws(Finding) in
      try await context.withSubscription(
        to: EventingChecks.first(context), before: "<http://\(context.local):1/closed>"
      ) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
      }
    },
    Check(
      "uda/4.1.2/same-callback", .eventing, .practice, "Two subscriptions with one callback are two subscriptions.",
      source: "UDA 1.0 §4.1.1, which identifies subscriptions by SID", needs: [.events],
      steps: "Subscribes twice with one callback, and cancels the first. "
        + "Passes if the SIDs differ and the second can still be renewed."
    ) { context async throws(Finding) in
      let service = try EventingChecks.first(context)
      let path = context.sink.newPath()
      try await context.withSubscription(to: service, path: path) { kept throws(Finding) in
        try await context.withSubscription(to: service, path: path) { other throws(Finding) in
          try context.expect(kept.sid != other.sid, "different SIDs", got: "the same one twice")
        }
        let renewal = try await context.exchange(context.renewal(kept.url, sid: kept.sid))
        try context.expect(renewal.status == 200, "status 200 for the renewal", got: "\(renewal.status)")
      }
    },
    Check(
      "uda/4.1.2/no-timeout", .eventing, .practice, "SUBSCRIBE needs no TIMEOUT.",
      source: "UDA 1.0 §4.1.1 calls it recommended", needs: [.events],
      steps: "Subscribes without TIMEOUT. Passes if the answer is 200 with a TIMEOUT."
    ) { context async throws(Finding) in
      let url = try context.eventURL(EventingChecks.first(context))
      var request = context.subscribeRequest(url, callback: context.sink.url(context.sink.newPath()))
      request.set("TIMEOUT", nil)
      let response = try await context.exchange(request)
      try context.expect(response.status == 200, "status 200", got: "\(response.status)")
      _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", response.header("sid") ?? "")]))
      try context.expect(response.header("timeout") != nil, "a TIMEOUT in the answer", got: "none")
    },
    Check(
      "uda/4.1.2/long-timeout", .eventing, .practice, "A subscription of 1800 seconds is granted.",
      source: "UDA 1.1 §4.1.1 (1800 seconds or more); control points renew after half of it", needs: [.events],
      steps: "Subscribes with TIMEOUT: Second-1800. Passes if at least 300 seconds are granted."
    ) { context async throws(Finding) in
      let url = try context.eventURL(EventingChecks.first(context))
      var request = context.subscribeRequest(url, callback: context.sink.url(context.sink.newPath()))
      request.set("TIMEOUT", "Second-1800")
      let response = try await context.exchange(request)
      _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", response.header("sid") ?? "")]))
      let timeout = response.header("timeout") ?? "none"
      context.measure("granted", timeout)
      let seconds = SubscriptionTimerChecks.seconds(timeout)
      try context.expect(seconds.map { $0 >= 300 } ?? false, "at least 300 seconds", got: timeout)
    },
  ]

  // MARK: The initial event

  private static let order: [Check] = [
    Check(
      "uda/4.1.2/event-after-answer", .eventing, .practice, "The initial event follows the answer to SUBSCRIBE.",
      source: "StevenLooman/async_upnp_client, event_handler.py, has a backlog for devices that do otherwise",
      needs: [.events],
      steps: "Subscribes with a subscriber that does not answer events. "
        + "Passes if the answer to SUBSCRIBE comes all the same, and not later than the event."
    ) { context async throws(Finding) in
      try context.require("uda/4.3/initial")
      let service = try EventingChecks.first(context)
      let sink = context.misbehavingSink
      let path = sink.newPath()
      sink.setReply(.none, for: path)
      let request = context.subscribeRequest(try context.eventURL(service), callback: sink.url(path))
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      let response = try await connection.answers(to: ["SUBSCRIBE"], within: context.times.answer)[0]
      let answered = await connection.lastArrival() ?? context.clock.now
      let event = await sink.inbox.wait(context.times.event) { events, _ in events.first { $0.path == path } }
      let sid = response.header("sid") ?? ""
      _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", request.url, [("SID", sid)]))
      guard let event else { throw .failure(expected: "an initial event", got: "none within \(context.times.event)") }
      // Answer and event arrive on different threads.
      try context.expectInTime(
        event.arrival + .milliseconds(20) > answered, "the answer before the event",
        got: "the event \(answered - event.arrival) earlier")
    }
  ]

  // MARK: Other subscribers

  /// Two volumes that may be set.
  private static func volumes(_ context: CheckContext) async throws(Finding) -> [String] {
    let highest = try await context.quietVolumes(steps: 1).upperBound
    return ["\(highest)", "\(highest - 1)"]
  }

  /// Waits for an event with a volume.
  private static func hasVolume(
    _ subscription: EventSubscription, _ volume: String, _ context: CheckContext
  ) async -> Bool {
    await subscription.wait(context.times.event) { events in
      let values = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
      return values.contains { $0.name == "Volume" && $0.value == volume } ? true : nil
    } ?? false
  }

  private static let others: [Check] = [
    Check(
      "uda/4.1/independent", .eventing, .practice, "A subscription goes on when another one of the service ends.",
      source: "several control points share a renderer", needs: volume, changes: [.volume],
      steps: "Subscribes twice, cancels one subscription, and sets the volume. "
        + "Passes if the other subscriber gets the event."
    ) { context async throws(Finding) in
      let service = try context.service(rendering)
      let volumes = try await volumes(context)
      try await context.write(.volume, volumes[0])
      try await context.withSubscription(to: service) { kept throws(Finding) in
        _ = try await context.initialEvent(kept)
        try await context.withSubscription(to: service) { other throws(Finding) in
          _ = try await context.initialEvent(other)
        }
        try await context.write(.volume, volumes[1])
        let isSeen = await hasVolume(kept, volumes[1], context)
        try context.expect(isSeen, "an event with the volume \(volumes[1])", got: "none")
      }
    },
    Check(
      "uda/4.3/black-hole", .eventing, .practice, "A subscriber that does not answer events does not delay others.",
      source: "UDA 1.1 §4.3.2: an event without an answer is abandoned after 30 seconds, and only for that subscriber",
      needs: volume,
      changes: [.volume],
      steps: "Subscribes with a subscriber that never answers, and with an honest one, and sets the volume. "
        + "Passes if the honest one gets the event."
    ) { context async throws(Finding) in
      let service = try context.service(rendering)
      let volumes = try await volumes(context)
      try await context.write(.volume, volumes[0])
      let path = context.misbehavingSink.newPath()
      context.misbehavingSink.setReply(.none, for: path)
      try await context.withSubscription(to: service, at: context.misbehavingSink, path: path) { _ throws(Finding) in
        try await context.withSubscription(to: service) { honest throws(Finding) in
          _ = try await context.initialEvent(honest)
          let start = context.clock.now
          try await context.write(.volume, volumes[1])
          let isSeen = await hasVolume(honest, volumes[1], context)
          try context.expect(isSeen, "an event with the volume \(volumes[1])", got: "none")
          context.measure("event of the honest subscriber", context.clock.now - start)
        }
      }
    },
    Check(
      "uda/4.3/412-ends", .eventing, .practice, "A subscriber that answers 412 is unsubscribed.",
      source: "pupnp/pupnp, gena_device.c, removes such subscribers", needs: [.events],
      steps: "Subscribes and answers the initial event with 412. Passes if a renewal is then refused with 412."
    ) { context async throws(Finding) in
      let path = context.sink.newPath()
      context.sink.setReply(.status(412), for: path)
      try await context.withSubscription(to: EventingChecks.first(context), path: path) {
        subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        let deadline = context.clock.now + context.times.event
        var status = 200
        // The device needs a moment to read our answer.
        while status == 200, context.clock.now < deadline {
          status = try await context.exchange(context.renewal(subscription.url, sid: subscription.sid)).status
          if status == 200 { await context.clock.sleep(real: .milliseconds(100)) }
        }
        try context.expectInTime(status == 412, "status 412 for the renewal", got: "\(status)")
      }
    },
  ]

  // MARK: Later events

  /// Subscribes, does something else, and sets the volume.
  /// - Returns: the SEQ of the events up to the one with the volume.
  private static func numbers(
    _ context: CheckContext, _ body: (EventSubscription) async throws(Finding) -> Void
  ) async throws(Finding) -> [String] {
    let volumes = try await volumes(context)
    try await context.write(.volume, volumes[0])
    return try await context.withSubscription(to: context.service(rendering)) { subscription throws(Finding) in
      _ = try await context.initialEvent(subscription)
      try await body(subscription)
      try await context.write(.volume, volumes[1])
      let isSeen = await hasVolume(subscription, volumes[1], context)
      try context.expect(isSeen, "an event with the volume \(volumes[1])", got: "none")
      return await subscription.wait(.zero) { events in events.map { $0.header("seq") } } ?? []
    }
  }

  private static let later: [Check] = [
    Check(
      "uda/4.1.2/renewal-seq", .eventing, .practice, "After a renewal, SEQ goes on, and no initial event comes again.",
      source: "UDA 1.0 §4.1.2 and §4.2: SEQ is 0 for the initial event only", needs: volume, changes: [.volume],
      steps: "Subscribes, renews the subscription, and sets the volume. Passes if the events have SEQ 0, 1 and so on."
    ) { context async throws(Finding) in
      let numbers = try await numbers(context) { subscription throws(Finding) in
        let response = try await context.exchange(context.renewal(subscription.url, sid: subscription.sid))
        try context.expect(response.status == 200, "status 200 for the renewal", got: "\(response.status)")
      }
      try context.expect(
        numbers == (0..<numbers.count).map(String.init), "SEQ 0, 1, 2 …", got: numbers.joined(separator: ", "))
    },
    Check(
      "uda/4.3/lasting", .eventing, .practice, "A subscription goes on sending events after a quiet time.",
      source: "Home Assistant's dlna_dmr does not poll while it is subscribed", needs: volume, changes: [.volume],
      steps: "Subscribes for five minutes, waits for 22 s, and sets the volume. Passes if an event has it."
    ) { context async throws(Finding) in
      _ = try await numbers(context) { _ throws(Finding) in await context.clock.sleep(real: context.times.lasting) }
    },
  ]

  // MARK: Moderation

  private static let moderation: [Check] = [
    Check(
      "rcs/2.3/moderation", .eventing, .practice, "LastChange is sent at most five times a second.",
      source: "RenderingControl:1 §2.3 (maximum rate 0.2 s)", needs: volume, changes: [.volume],
      steps: "Sets the volume 30 times within a second. Passes if at most eight events come in any second."
    ) { context async throws(Finding) in
      let volumes = try await volumes(context)
      try await context.withSubscription(to: context.service(rendering)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        for number in 0..<30 {
          try await context.write(.volume, volumes[number % 2])
          await context.clock.sleep(real: .milliseconds(25))
        }
        await context.clock.sleep(real: .milliseconds(500))
        let arrivals = await subscription.wait(.zero) { $0.dropFirst().map(\.arrival) } ?? []
        let most = arrivals.map { first in arrivals.count { first <= $0 && $0 < first + .seconds(1) } }.max() ?? 0
        context.measure("events in a second", "\(most)")
        // Five, and some tolerance for times on the network.
        try context.expectInTime(most <= 8, "at most five events in a second", got: "\(most)")
      }
    },
    Check(
      "uda/4.3/no-change", .eventing, .practice, "Setting the same volume again sends no event.",
      source: "UDA 1.0 §4 sends events when a variable changes", needs: volume, changes: [.volume],
      steps: "Sets the volume to its own value five times. Passes if no event comes within a second."
    ) { context async throws(Finding) in
      let volume = try await volumes(context)[0]
      try await context.write(.volume, volume)
      // The event of this change may still be held back.
      await context.clock.sleep(real: .milliseconds(500))
      try await context.withSubscription(to: context.service(rendering)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        for _ in 0..<5 { try await context.write(.volume, volume) }
        let count = await subscription.wait(.seconds(1)) { $0.count > 1 ? $0.count - 1 : nil }
        try context.expect(count == nil, "no event", got: "\(count ?? 0)")
      }
    },
  ]
}
