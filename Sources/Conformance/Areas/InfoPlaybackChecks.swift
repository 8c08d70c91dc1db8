import ControlPoint
import UPnP

/// OpenHome's Info and Time while the playlist plays.
enum InfoPlaybackChecks {
  private static let info = InfoChecks.service
  private static let time = "Time"

  static let all: [Check] = track + seconds

  /// A check that plays a playlist of tones.
  private static func playing(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite], steps: String,
    procedure: @escaping @Sendable (PlaylistDriver) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/\(id)", .openHome, level, requirement, source: source, needs: [.service(PlaylistDriver.service)] + needs,
      changes: [.playlist], steps: steps
    ) { context async throws(Finding) in
      try await procedure(context.playlist)
    }
  }

  // MARK: Info

  private static let track: [Check] = [
    playing(
      "info/track", .must, "Track returns the URI and metadata of the playing track.", source: InfoChecks.wiki,
      needs: [.action(info, "Track")],
      steps: "Plays a tone. Uri and Metadata of Track have to equal the inserted ones, byte for byte."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 1, seconds: 10)
      try await playlist.start(ids[0])
      try await playlist.context.expectTrack(media[0])
    },
    playing(
      "info/track-count", .must, "Each track that begins to play makes TrackCount higher.", source: InfoChecks.wiki,
      needs: [.action(info, "Counters")],
      steps: "Plays two tones with SeekId and reads TrackCount before and after each."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 2, seconds: 10)
      for id in ids {
        let before = Int(device: try await context.call(info, "Counters")["TrackCount"] ?? "") ?? 0
        try await playlist.start(id)
        try await context.wait(for: "a TrackCount above \(before)", info, "Counters", "TrackCount") {
          Int(device: $0) ?? 0 > before
        }
      }
    },
    playing(
      "info/one-event", .practice, "An event with a new TrackCount has the Uri and Metadata of the track, too.",
      source: InfoChecks.wiki + ": they are set together; control points read them together",
      needs: [.eventsOf(info)],
      steps: """
        Subscribes to Info and plays the second of two tones. The first event with its Uri has to have TrackCount and \
        Metadata.
        """
    ) { playlist async throws(Finding) in
      let context = playlist.context
      // Some devices show the first track of a list before it plays.
      let (media, ids) = try await playlist.load(tones: 2, seconds: 10)
      let uri = media[1].url
      try await context.withSubscription(to: context.service(info)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await playlist.start(ids[1])
        let names = await subscription.wait(context.times.event) { events -> [String]? in
          events.dropFirst().lazy.compactMap { try? EventReader.read($0.body).variables }
            .first { $0.contains { $0.name == "Uri" && $0.value == uri } }?.map(\.name)
        }
        guard let names else { throw .failure(expected: "an event with the Uri \(uri)", got: "none") }
        try context.expectNone(
          ["TrackCount", "Metadata"].filter { !names.contains($0) }.map { "no \($0)" }, "both in the event of Uri")
      }
    },
    playing(
      "info/details", .practice, "Details returns the properties of the playing stream.", source: InfoChecks.wiki,
      needs: [.action(info, "Details")],
      steps: """
        Plays a tone of 12 s at 44.1 kHz with 16 bits. Duration may differ by a second; Lossless has to be true, and \
        CodecName must not be empty.
        """
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (media, ids) = try await playlist.load(tones: 1, seconds: 12)
      try await playlist.start(ids[0])
      try await context.wait(for: "the SampleRate 44100", info, "Details", "SampleRate") { $0 == "44100" }
      let details = try await context.call(info, "Details")
      let duration = Int(device: details["Duration"] ?? "") ?? -1
      try context.expect((11...13).contains(duration), "a Duration of 12 s", got: "\(duration)")
      try context.expect(details["BitDepth"] == "16", "the BitDepth 16", got: details["BitDepth"] ?? "none")
      guard case .value(true) = Bool.read(details["Lossless"] ?? "") else {
        throw .failure(expected: "Lossless for \(media[0].media.mimeType)", got: details["Lossless"] ?? "none")
      }
      let codec = details["CodecName"] ?? ""
      try context.expect(!codec.isEmpty, "a CodecName", got: "an empty text")
      context.measure("CodecName of \(media[0].media.mimeType)", codec)
      context.measure("BitRate", details["BitRate"] ?? "none")
    },
    playing(
      "info/details-count", .must, "DetailsCount counts the changes of Details within a track.",
      source: InfoChecks.wiki + ", Counters", needs: [.action(info, "Counters"), .action(info, "Details")],
      steps: "Plays a tone. Once Details are known, DetailsCount has to be at least 1."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 10)
      try await playlist.start(ids[0])
      try await context.wait(for: "the SampleRate 44100", info, "Details", "SampleRate") { $0 == "44100" }
      let count = try await context.call(info, "Counters")["DetailsCount"] ?? ""
      try context.expect(Int(device: count) ?? 0 >= 1, "a DetailsCount of at least 1", got: "\"\(count)\"")
    },
    playing(
      "info/metatext", .must, "A new track makes Metatext blank and MetatextCount 0.",
      source: InfoChecks.wiki + ", Counters", needs: [.action(info, "Metatext"), .action(info, "Counters")],
      steps: "Plays a tone, which has no text of its own, and reads Metatext and MetatextCount."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (media, ids) = try await playlist.load(tones: 1, seconds: 10)
      try await playlist.start(ids[0])
      try await context.wait(for: "the URI \(media[0].url)", info, "Track", "Uri") { $0 == media[0].url }
      let text = try await context.call(info, "Metatext")["Value"] ?? ""
      try context.expect(text.isEmpty, "an empty Metatext", got: "\"\(text.prefix(60))\"")
      let count = try await context.call(info, "Counters")["MetatextCount"] ?? ""
      try context.expect(count == "0", "the MetatextCount 0", got: "\"\(count)\"")
    },
  ]

  // MARK: Time

  private static let seconds: [Check] = [
    playing(
      "time/events", .must, "While a track plays, Time sends an event every second.", source: InfoChecks.timeWiki,
      needs: [.eventsOf(time)],
      steps: "Subscribes to Time and plays a tone for 4 s. Three to six different Seconds have to be evented."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 20)
      try await context.withSubscription(to: context.service(time)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await playlist.start(ids[0])
        let before = try await context.values(of: "Seconds", in: subscription).count
        await context.clock.sleep(.seconds(4))
        let seconds = try await context.values(of: "Seconds", in: subscription).dropFirst(before)
        context.measure("events of Seconds in 4 s", "\(seconds.count)")
        try context.expect((3...6).contains(seconds.count), "3 to 6 events in 4 s", got: "\(seconds.count)")
        let numbers = seconds.compactMap { Int(device: $0) }
        try context.expect(numbers == numbers.sorted(), "rising Seconds", got: "\(numbers)")
      }
    },
    playing(
      "time/seconds", .practice, "Seconds rises with time while a track plays.", source: InfoChecks.timeWiki,
      needs: [.action(time, "Time")],
      steps: "Plays a tone and reads Seconds twice, 3 s apart. The difference has to be that time, give or take 1.5 s."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 20)
      try await playlist.start(ids[0])
      let start = context.clock.now
      let first = Int(device: try await context.call(time, "Time")["Seconds"] ?? "") ?? -1
      await context.clock.sleep(.seconds(3))
      let second = Int(device: try await context.call(time, "Time")["Seconds"] ?? "") ?? -1
      let passed = context.clock.elapsed(since: start) / .seconds(1)
      try context.expect(
        abs(Double(second - first) - passed) <= 1.5, "Seconds to rise by about 3", got: "\(first) and then \(second)")
    },
    playing(
      "time/duration", .must, "Duration is the length of the playing track in seconds.", source: InfoChecks.timeWiki,
      needs: [.action(time, "Time")], steps: "Plays a tone of 12 s and reads Duration, which may differ by a second."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 12)
      try await playlist.start(ids[0])
      try await context.wait(for: "a Duration of 12 s", time, "Time", "Duration") {
        (11...13).contains(Int(device: $0) ?? 0)
      }
    },
    playing(
      "time/paused", .practice, "While a track is paused, Time sends no events.", source: InfoChecks.timeWiki,
      needs: [.eventsOf(time), .action(PlaylistDriver.service, "Pause")],
      steps: "Plays a tone, pauses it, and counts the events of Time for 2.5 s after the first half second."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 20)
      try await context.withSubscription(to: context.service(time)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await playlist.start(ids[0])
        try await playlist.call("Pause")
        try await playlist.wait(forState: "Paused")
        await context.clock.sleep(.milliseconds(500))
        let before = await subscription.wait(.zero) { $0.count } ?? 0
        await context.clock.sleep(.milliseconds(2500))
        let events = (await subscription.wait(.zero) { $0.count } ?? 0) - before
        try context.expect(events == 0, "no event while Paused", got: "\(events)")
      }
    },
  ]
}

extension CheckContext {
  /// Waits until Info shows a file with its metadata.
  func expectTrack(_ media: ServedMedia) async throws(Finding) {
    let info = InfoChecks.service
    try await wait(for: "the URI \(media.url)", info, "Track", "Uri") { $0 == media.url }
    let metadata = try await call(info, "Track")["Metadata"] ?? ""
    try expect(metadata == media.metadata, "the metadata that was set", got: "\"\(metadata.prefix(60))\"")
  }
}
