import ControlPoint
import MediaOrigin
import UPnP

/// The effects of Play, Pause, Stop, Next and Previous.
enum TransportStateChecks {
  static let all: [Check] = [
    .playing(
      "avt/2.4/play", "Play fetches the file and leads to PLAYING.", source: "AVTransport:1 §2.4",
      steps: """
        Sets a tone and plays it. Passes if the device requests the file and reports PLAYING within 10 s. The report has \
        both times.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.set(media)
      let start = transport.context.clock.now
      try await transport.play()
      guard let request = await media.waitForGet(within: transport.context.times.transition) else {
        throw .failure(expected: "a request for the file", got: "none")
      }
      try await transport.wait(for: .playing)
      transport.context.measure("request after Play", Figures.milliseconds(max(.zero, request.time - start)))
      transport.context.measure("PLAYING after Play", Figures.milliseconds(transport.context.clock.now - start))
    },
    .playing(
      "avt/2.4/play-twice", "Play in PLAYING does not begin again.",
      source: "hzeller/gmrender-resurrect#139: controllers repeat actions",
      steps: """
        Plays a tone for 2 s and sends Play again. Passes if the state stays PLAYING and the position goes on rising.
        """
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.wait(forPosition: .seconds(2))
      let first = try await transport.position()
      let answer = try await transport.answer("Play", [("Speed", "1")])
      if answer.results == nil { try transport.context.expectFault([701], answer, to: "Play in PLAYING") }
      await transport.context.clock.sleep(.milliseconds(300))
      try await transport.wait(for: .playing)
      try await transport.expectProgress(since: first)
    },
    .playing(
      "avt/2.4/pause", "Pause leads to PAUSED_PLAYBACK.", source: "Intel Device Validator, StateVariable Values",
      needs: [.transport("Pause")], steps: "Plays a tone and pauses it. Passes if the state becomes PAUSED_PLAYBACK."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.pause()
      try await transport.wait(for: .paused)
    },
    .playing(
      "avt/2.4/pause-twice", "A second Pause does not resume playback.",
      source: "hzeller/gmrender-resurrect#139: controllers repeat actions", needs: [.transport("Pause")],
      steps: """
        Plays a tone and pauses it twice. Passes if the state stays PAUSED_PLAYBACK; the second Pause may be refused with \
        701.
        """
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.pause()
      try await transport.wait(for: .paused)
      let answer = try await transport.answer("Pause")
      if answer.results == nil { try transport.context.expectFault([701], answer, to: "a second Pause") }
      await transport.context.clock.sleep(.milliseconds(500))
      let state = try await transport.state()
      try transport.context.expect(state == .paused, "PAUSED_PLAYBACK", got: state.rawValue)
    },
    .playing(
      "avt/2.4/stop-twice", "Stop succeeds in STOPPED.",
      source: "xbmc/xbmc#4232: Kodi begins with a Stop, and gives up if it fails",
      steps: "Plays a tone and stops it twice. Passes if both succeed and the state is STOPPED."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.stop()
      try await transport.wait(for: .stopped)
      try await transport.stop()
      try await transport.wait(for: .stopped)
    },
    .playing(
      "avt/2.4/stop-releases", "Stop closes the connection to the server.",
      source: "measured with gmediarender 0.1 and Rygel 0.42.1",
      steps: """
        Plays a tone from a server that sends it at twice its speed, and stops it. Passes if the device closes the \
        connection; the report says after which time.
        """
    ) { transport async throws(Finding) in
      let context = transport.context
      let media = try await transport.startSlowTone()
      // PLAYING may come first.
      try await context.expectFetch(of: media)
      try context.expect(media.openConnections > 0, "an open connection during playback", got: "none")
      let start = context.clock.now
      try await transport.stop()
      let isReleased = await media.waitForRelease(within: context.times.close)
      try context.expect(isReleased, "the connection to be closed", got: "an open one")
      context.measure("connection closed after Stop", Figures.milliseconds(context.clock.now - start))
    },
    .playing(
      "avt/2.4/end", "At the end of the media, the state becomes STOPPED.", source: "Windows HCK, DMR EOS-01",
      steps: "Plays a tone of 2 s. Passes if the state becomes STOPPED at its end, with the status OK."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone(seconds: 2)
      try await transport.waitForEnd(of: .seconds(2))
      let status = try await transport.call("GetTransportInfo")["CurrentTransportStatus"] ?? ""
      try transport.context.expect(status == "OK", "the status OK", got: status)
    },
    .playing(
      "avt/2.4/play-after-end", "After the end of the media, Play plays it again.",
      source: "measured with Rygel 0.42.1 and Kodi 20.1",
      steps: "Plays a tone of 2 s to its end and plays it again. Passes if the state becomes PLAYING."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone(seconds: 2)
      try await transport.waitForEnd(of: .seconds(2))
      try await transport.play()
      try await transport.wait(for: .playing)
    },
    .playing(
      "avt/2.4/rapid-changes", "Of several items set and played at once, the last one plays.",
      source: "measured with Swiftlet 0.1.0",
      steps: """
        Sets and plays six tones without waiting. Passes if the state becomes PLAYING with the last URI, and the \
        connections to the other ones are closed. The report says how many were requested.
        """
    ) { transport async throws(Finding) in
      let context = transport.context
      var media: [ServedMedia] = []
      for _ in 0..<6 { media.append(try await transport.serveSlowTone()) }
      for tone in media {
        try await transport.set(tone)
        try await transport.begin()
      }
      let last = media[media.count - 1]
      try await transport.wait(for: .playing)
      let request = await last.waitForGet(within: context.times.effect)
      try context.expect(request != nil, "a request for the last tone", got: "none")
      let uri = try await transport.position().values["TrackURI"] ?? ""
      try context.expect(uri == last.url, "TrackURI \(last.url)", got: uri)
      for tone in media.dropLast() {
        let isReleased = await tone.waitForRelease(within: context.times.close)
        try context.expect(isReleased, "the connections to the other tones to be closed", got: "an open one")
      }
      context.measure("tones requested", "\(media.count { !$0.gets.isEmpty }) of \(media.count)")
    },
    skip("Next"), skip("Previous"),
    .playing(
      "avt/2.4/unknown-instance", "All actions for an unknown instance are refused with 718.", area: .avTransport,
      source: "the table of error codes in AVTransport:1 §2.4",
      steps: """
        Sends SetAVTransportURI, Play and Stop for instance 4711 while a tone plays. Passes if all are refused with 718 \
        and the tone goes on.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.startTone()
      let actions: [(String, [(name: String, value: String)])] = [
        ("SetAVTransportURI", [("CurrentURI", media.url), ("CurrentURIMetaData", "")]), ("Play", [("Speed", "1")]),
        ("Stop", []),
      ]
      for (action, arguments) in actions {
        let answer = try await transport.context.answer(
          TransportDriver.service, action, [("InstanceID", "4711")] + arguments)
        try transport.context.expectFault([718], answer, to: "\(action) for instance 4711")
      }
      let state = try await transport.state()
      try transport.context.expect(state == .playing, "PLAYING", got: state.rawValue)
    },
    speed("unlisted-speed", "8", "a speed that the SCPD does not list"),
    speed("invalid-speed", "fast", "a speed that is no number"),
  ]

  private static func skip(_ action: String) -> Check {
    .playing(
      "avt/2.4/\(action.lowercased())-alone",
      "\(action) without such a track is refused\(action == "Previous" ? ", or begins the track again" : "").",
      area: .avTransport,
      source: "Windows HCK, DMR SETNEXT-10; learn.microsoft.com, IAVTransport::\(action): a seek to the track",
      needs: [.transport(action)],
      steps: "Plays a single tone and sends \(action). Passes if it is refused with 711 or 701"
        + "\(action == "Previous" ? " or succeeds" : ""), and the tone goes on."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      let answer = try await transport.answer(action)
      if action == "Next" || answer.results == nil {
        try transport.context.expectFault([701, 711], answer, to: "\(action) with a single track")
      }
      try await transport.wait(for: .playing)
    }
  }

  private static func speed(_ name: String, _ value: String, _ what: String) -> Check {
    .playing(
      "avt/2.4/\(name)", "Play at \(what) is refused.", area: .avTransport,
      source: "the table of error codes in AVTransport:1 §2.4",
      steps: "Sets a tone and plays it at the speed \(value). "
        + "Passes if Play is refused with 717, 402, 600 or 601, and nothing plays."
    ) { transport async throws(Finding) in
      let speeds = try transport.context.service(TransportDriver.service).scpd?.variable("TransportPlaySpeed")
      if speeds?.allowedValues.contains(value) ?? false { throw .skip("the device lists the speed \(value)") }
      try await transport.set(try await transport.context.serveTone(seconds: 10))
      let answer = try await transport.answer("Play", [("Speed", value)])
      try transport.context.expectFault([402, 600, 601, 717], answer, to: "the speed \(value)")
      let state = try await transport.state()
      try transport.context.expect(state == .stopped, "STOPPED", got: state.rawValue)
    }
  }
}

extension TransportDriver {
  /// Plays a tone of 30 s from a server that sends it at twice its speed, so that the connection stays open.
  func startSlowTone() async throws(Finding) -> ServedMedia {
    let media = try await serveSlowTone()
    try await start(media)
    return media
  }

  func serveSlowTone() async throws(Finding) -> ServedMedia {
    let tone = try await context.tone(seconds: 30)
    let rate = Double(tone.bytes.count) / tone.duration * 2 * context.clock.speed
    return try await context.serve(tone, Manners { $0.rate = Int(rate) })
  }
}
