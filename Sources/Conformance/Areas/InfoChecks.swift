import UPnP

/// OpenHome's Info and Time, as far as they can be judged without playing.
enum InfoChecks {
  static let service = "Info"
  static let wiki = "OpenHome wiki, Av:Developer:InfoService"
  static let timeWiki = "OpenHome wiki, Av:Developer:TimeService"

  static let all: [Check] = [
    Check(
      "oh/info/numbers", .openHome, .must, "Counters and details are numbers, and Lossless is a boolean.",
      source: "openhome/ohNet: Info's SCPD", needs: [.action(service, "Counters"), .action(service, "Details")],
      steps: "Reads Counters and Details."
    ) { context async throws(Finding) in
      let values = try await context.call(service, "Counters").merging(context.call(service, "Details")) { $1 }
      let names = ["TrackCount", "DetailsCount", "MetatextCount", "Duration", "BitRate", "BitDepth", "SampleRate"]
      let wrong = names.filter { values[$0].flatMap { UInt32($0) } == nil }
      try context.expectNone(wrong.map { "\($0) \"\(values[$0] ?? "")\"" }, "numbers")
      guard case .value = Bool.read(values["Lossless"] ?? "") else {
        throw .failure(expected: "a boolean as Lossless", got: "\"\(values["Lossless"] ?? "")\"")
      }
    },
    Check(
      "oh/info/idle", .openHome, .practice, "While nothing has been played, Duration and codec belong to no track.",
      source: wiki, needs: [.action(service, "Track"), .action(service, "Details")],
      steps: "Reads Track and Details. Without a URI, all details have to be 0 or empty."
    ) { context async throws(Finding) in
      let track = try await context.call(service, "Track")
      let details = try await context.call(service, "Details")
      context.measure("Info.Uri of the idle device", track["Uri"]?.isEmpty == false ? "the last track's" : "empty")
      guard track["Uri"]?.isEmpty ?? true else { throw .skip("Info shows a track") }
      let numbers = ["Duration", "BitRate", "BitDepth", "SampleRate"].filter { details[$0] != "0" }
      let others = numbers + ["CodecName"].filter { !(details[$0] ?? "").isEmpty }
      try context.expectNone(others.map { "\($0) \"\(details[$0] ?? "")\"" }, "no details")
    },
    Check(
      "oh/time/numbers", .openHome, .must, "TrackCount, Duration and Seconds are numbers.",
      source: timeWiki, needs: [.action("Time", "Time")], steps: "Reads Time."
    ) { context async throws(Finding) in
      let values = try await context.call("Time", "Time")
      let wrong = ["TrackCount", "Duration", "Seconds"].filter { values[$0].flatMap { UInt32($0) } == nil }
      try context.expectNone(wrong.map { "\($0) \"\(values[$0] ?? "")\"" }, "numbers")
    },
    Check(
      "oh/time/track-count", .openHome, .must, "TrackCount of Time is TrackCount of Info.", source: timeWiki,
      needs: [.action("Time", "Time"), .action(service, "Counters")],
      steps: "Reads Time and Counters, which have to have the same TrackCount."
    ) { context async throws(Finding) in
      let time = try await context.call("Time", "Time")["TrackCount"] ?? ""
      let info = try await context.call(service, "Counters")["TrackCount"] ?? ""
      try context.expect(time == info, "the TrackCount \(info) of Info", got: "\"\(time)\"")
    },
    Check(
      "oh/time/quiet", .openHome, .practice, "While nothing plays, Time sends no events.",
      source: timeWiki,
      needs: [.eventsOf("Time")],
      steps: "Subscribes to Time for 2.5 s while the device is stopped or paused. Only the initial event may come."
    ) { context async throws(Finding) in
      try await context.withSubscription(to: context.service("Time")) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        await context.clock.sleep(.milliseconds(2500))
        let events = await subscription.wait(.zero) { $0.count } ?? 0
        if await context.isBusy() { throw .skip("the device is playing") }
        try context.expect(events == 1, "no event after the initial one", got: "\(events - 1)")
      }
    },
  ]
}
