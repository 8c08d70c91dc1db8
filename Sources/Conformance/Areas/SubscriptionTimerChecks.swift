import ControlPoint
import UPnP

/// The end of subscriptions (UDA §4.1).
enum SubscriptionTimerChecks {
  /// The longest subscription to wait for.
  private static let maximumSeconds = 120

  /// The number in TIMEOUT.
  static func seconds(_ timeout: String) -> Int? {
    let text = timeout.lowercased()
    if text == "second-infinite" { return .max }
    return text.hasPrefix("second-") ? Int(device: text.dropFirst(7)) : nil
  }

  /// Subscribes for a short time.
  /// - Returns: the SID and the granted duration.
  private static func subscribe(_ url: HTTPURL, _ context: CheckContext) async throws(Finding) -> (String, Duration) {
    var request = context.subscribeRequest(url, callback: context.sink.url(context.sink.newPath()))
    request.set("TIMEOUT", "Second-\(context.times.subscription.components.seconds)")
    let response = try await context.exchange(request)
    guard response.status == 200, let sid = response.header("sid") else {
      throw .failure(expected: "status 200 and a SID", got: "\(response.status)")
    }
    let timeout = response.header("timeout") ?? ""
    guard let seconds = seconds(timeout), seconds <= maximumSeconds else {
      _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)]))
      throw .skip("the device grants \(timeout) and no short subscription")
    }
    return (sid, .seconds(seconds))
  }

  static let all: [Check] = [
    Check(
      "uda/4.1.2/expiry", .timers, .practice, "A subscription that is not renewed ends.",
      source: "UDA 1.0 §4.1.2 (the subscription expires)", needs: [.events], mode: .slow,
      steps: "Subscribes for ten seconds, and tries to renew the subscription 30 seconds after its end. "
        + "Passes if the renewal is refused with 412."
    ) { context async throws(Finding) in
      let url = try context.eventURL(EventingChecks.first(context))
      let (sid, duration) = try await subscribe(url, context)
      await context.clock.sleep(real: duration + context.times.expiry)
      let status = try await context.exchange(context.renewal(url, sid: sid)).status
      if status == 200 { _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)])) }
      try context.expect(status == 412, "status 412 after the end", got: "\(status)")
    },
    Check(
      "uda/4.1.2/renewal-restarts", .timers, .practice, "A renewal starts the duration of the subscription anew.",
      source: "UDA 1.0 §4.1.2", needs: [.events], mode: .slow,
      steps: "Subscribes for ten seconds, renews the subscription after six, and again after six more. "
        + "Passes if both renewals are accepted."
    ) { context async throws(Finding) in
      let url = try context.eventURL(EventingChecks.first(context))
      let (sid, duration) = try await subscribe(url, context)
      for number in 1...2 {
        await context.clock.sleep(real: duration * 0.6)
        var renewal = context.renewal(url, sid: sid)
        renewal.set("TIMEOUT", "Second-\(duration.components.seconds)")
        let status = try await context.exchange(renewal).status
        try context.expect(status == 200, "status 200 for renewal \(number)", got: "\(status)")
      }
      _ = try? await context.exchange(RawRequest("UNSUBSCRIBE", url, [("SID", sid)]))
    },
  ]
}
