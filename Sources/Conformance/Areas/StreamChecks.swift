import ControlPoint
import MediaOrigin
import UPnP

/// Streams without an end, and how connections are held and released.
enum StreamChecks {
  private static let needs = OriginChecks.needs
  private static let radio = "radio stations"
  private static let release =
    "servers that transcode or limit the number of streams; philippe44/LMS-uPnP#15: \"File opened twice\""

  static let all: [Check] = [
    Check(
      "http/endless", .media, .practice, "A stream without an end plays, and Stop ends it.", source: radio,
      needs: needs, changes: [.transport],
      steps: """
        Plays a stream without length. Passes if the position rises, and if the connection is closed after Stop.
        """
    ) { context async throws(Finding) in
      let stream = try await context.serveStream()
      try await context.transport.expectPlays(stream, "the stream", after: .seconds(5))
      context.measure("TrackDuration", try await context.transport.call("GetPositionInfo")["TrackDuration"] ?? "none")
      try await context.transport.stop()
      try await context.expectRelease(of: stream, after: "Stop")
    },
    Check(
      "http/icy", .media, .practice, "A stream with SHOUTcast's titles plays.", source: radio, needs: needs,
      changes: [.transport],
      steps: """
        Plays a stream with icy-name, and with titles if the device asks for them with Icy-MetaData: 1. Passes if the \
        position reaches 2 seconds.
        """
    ) { context async throws(Finding) in
      let stream = try await context.serveStream { manners in
        manners.icy = ICY(
          interval: 4096, name: "Conformance test",
          titles: [.init(at: 0, "First title"), .init(at: 20_000, "Second title")])
      }
      try await context.transport.expectPlays(stream, "the stream", progress: .seconds(2), after: .seconds(5))
      context.measure("Icy-MetaData", stream.gets.first?["Icy-MetaData"] ?? "not sent")
    },
    Check(
      "http/released-after-change", .media, .practice,
      "After SetAVTransportURI with another file, the device closes its connections for the first one.",
      source: release, needs: needs, changes: [.transport],
      steps: """
        Plays a tone that is sent slowly, and then another file. Passes if the connections for the first one \
        are closed in two seconds.
        """
    ) { context async throws(Finding) in
      let media = try await context.playLong()
      try await context.transport.start(try await context.serveTone(seconds: 10))
      try await context.expectRelease(of: media, after: "SetAVTransportURI")
    },
    Check(
      "http/connections", .media, .practice, "A file is fetched with at most four connections at once.",
      source: "media servers with few connections, such as those of phones", needs: needs,
      changes: [.transport],
      steps: "Plays a tone that is sent slowly. Passes if at most four connections are open for a second."
    ) { context async throws(Finding) in
      let media = try await context.playLong()
      var most = 0
      let start = context.clock.now
      while context.clock.elapsed(since: start) < .seconds(1), !Task.isCancelled {
        most = max(most, media.openConnections)
        await context.clock.sleep(.milliseconds(100))
      }
      context.measure("Connections at once", "\(most)")
      context.measure("Requests", "\(media.requests.count)")
      try context.expect(most <= 4, "at most four connections", got: "\(most)")
    },
    Check(
      "http/pause", .media, .practice, "After a pause, playback goes on without a request for the whole file.",
      source: "hzeller/gmrender-resurrect#59: bad networks",
      needs: needs + [.action("AVTransport", "Pause")], changes: [.transport],
      steps: """
        Plays a tone of 30 seconds, pauses for a second, and plays on. Passes if the first byte is not requested \
        again and the position rises. What is read during the pause is measured.
        """
    ) { context async throws(Finding) in
      let transport = context.transport
      let media = try await transport.startTone(seconds: 30)
      try await transport.pause()
      try await transport.wait(for: .paused)
      let requests = media.gets.count
      await context.clock.sleep(.seconds(1))
      let position = try await transport.position().time ?? .zero
      let ahead = Duration.seconds(Double(media.bytesSent) / Double(PCM.byteRate)) - position
      context.measure("Read ahead during the pause", Figures.seconds(ahead))
      try await transport.play()
      let outcome = try await transport.outcomeOfPlay()
      try context.expect(outcome == .plays, "that the file plays on", got: outcome.description)
      let again = media.gets.dropFirst(requests).count { $0.firstByte == 0 }
      try context.expect(again == 0, "no request for the whole file", got: "\(again)")
    },
    playlist("m3u", "audio/x-mpegurl") { "#EXTM3U\n#EXTINF:10,Tone\n\($0)\n" },
    playlist("pls", "audio/x-scpls") {
      "[playlist]\nNumberOfEntries=1\nFile1=\($0)\nTitle1=Tone\nLength1=10\nVersion=2\n"
    },
  ]

  private static func playlist(
    _ name: String, _ type: String, content: @escaping @Sendable (String) -> String
  ) -> Check {
    Check(
      "avt/2.4.1/playlist-\(name)", .media, .practice,
      "The URI of a playlist (\(type)) plays its tracks, or is an error.",
      source: "control points send the URIs of radio stations as they are; AVTransport:1 §2.4.1, error 714",
      needs: needs, changes: [.transport],
      steps: """
        Plays a playlist with one tone. Passes if the tone is requested and plays, or if an action is refused or the \
        device stops.
        """
    ) { context async throws(Finding) in
      let tone = try await context.serveTone(seconds: 10)
      let list = GeneratedMedia(
        name: "list.\(name)", bytes: Array(content(tone.url).utf8), mimeType: type, duration: 10)
      let outcome = try await context.transport.outcome(of: try await context.serve(list), isUnplayable: true)
      context.measure("Result", outcome.description)
      if outcome == .plays {
        try context.expect(!tone.gets.isEmpty, "a request for the track", got: "PLAYING without it")
      } else {
        try context.transport.expectFailure(outcome, of: "the playlist")
      }
    }
  }
}

extension CheckContext {
  /// Plays a tone of a minute that is sent at 1.5 times the speed of playback, so that the connection stays open.
  fileprivate func playLong() async throws(Finding) -> ServedMedia {
    let media = try await serveTone(seconds: 60, Manners { $0.rate = byteRate(1.5) })
    try await transport.expectPlays(media, "the file", after: .seconds(5))
    return media
  }

  /// A radio station.
  fileprivate func serveStream(_ change: (inout Manners) -> Void = { _ in }) async throws(Finding) -> ServedMedia {
    let sink = try await sink()
    let formats = [MediaFormat.mp3, .aac].lazy.compactMap { format in
      format.listed(in: sink).first.flatMap { format.generate(seconds: 10, as: $0) }
    }
    guard var media = formats.first else { throw .skip("Sink lists neither MP3 nor AAC") }
    media.duration = 0
    let manners = Manners { manners in
      manners.endless = true
      // Four times the speed of playback.
      manners.rate = Int(64_000 * clock.speed)
      change(&manners)
    }
    return try await serve(media, manners)
  }

  fileprivate func expectRelease(of media: ServedMedia, after cause: String) async throws(Finding) {
    let start = clock.now
    let isReleased = await media.waitForRelease(within: min(times.close, .seconds(2)))
    measure("Connections closed after", Figures.milliseconds(clock.now - start))
    try expect(isReleased, "that all connections are closed after \(cause)", got: "\(media.openConnections) open ones")
  }
}
