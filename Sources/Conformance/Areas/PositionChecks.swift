import ControlPoint
import UPnP

/// The position and the durations of AVTransport while something plays.
enum PositionChecks {
  private static let polling = "BubbleUPnP, Kodi and Home Assistant's dlna_dmr show it"

  static let all: [Check] = [
    .playing(
      "avt/2.2/position-rises", "In PLAYING, the position rises with time.", source: polling,
      steps: """
        Plays a tone and, after its first second, reads RelTime twice, 2.5 s apart. Passes if the difference is the time \
        that has passed, give or take 1.5 s.
        """
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      // PLAYING may come before the sound, by the delay of a sound server.
      try await transport.wait(forPosition: .seconds(1))
      let first = try await transport.position()
      await transport.context.clock.sleep(.milliseconds(2500))
      try await transport.expectProgress(since: first)
    },
    .playing(
      "avt/2.2/position-pauses", "In PAUSED_PLAYBACK, the position stands still.", source: polling,
      needs: [.transport("Pause")],
      steps: "Plays a tone, pauses it, and reads RelTime twice, 2.5 s apart. Passes if both are the same."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone(seconds: 60)
      try await transport.pause()
      try await transport.wait(for: .paused)
      let first = try await transport.position().values["RelTime"] ?? "none"
      await transport.context.clock.sleep(.milliseconds(2500))
      let second = try await transport.position().values["RelTime"] ?? "none"
      try transport.context.expect(first == second, "RelTime \(first)", got: second)
    },
    .playing(
      "avt/2.2/position-resumes", "After a pause, playback goes on where it was paused.", source: polling,
      needs: [.transport("Pause")],
      steps: """
        Plays a tone for 3 s, pauses it, and plays on. Passes if RelTime is at most 1.5 s from where it was paused.
        """
    ) { transport async throws(Finding) in
      try await expectResumption(transport, after: .milliseconds(500))
    },
    .playing(
      "avt/2.2/long-pause", "After a pause of 45 s, playback goes on where it was paused.", mode: .slow,
      source: "measured with Swiftlet 0.1.0", needs: [.transport("Pause")],
      steps: """
        Plays a tone of 30 s from a server that sends it at twice its speed, for 3 s, pauses it for 45 s, and plays on. \
        Passes if RelTime is at most 1.5 s from where it was paused.
        """
    ) { transport async throws(Finding) in
      try await expectResumption(transport, after: .seconds(45))
    },
    .playing(
      "avt/2.2/position-restarts", "After Stop, Play begins at the beginning.",
      source: "the transport states of AVTransport:1 §2.5: Stop ends playback, Pause interrupts it",
      steps: """
        Plays a tone for 3 s, stops it, and plays it again. Passes if RelTime then is less than 2 s.
        """
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.wait(forPosition: .seconds(3))
      try await transport.stop()
      try await transport.wait(for: .stopped)
      try await transport.play()
      try await transport.wait(for: .playing)
      let position = try await transport.position()
      try transport.context.expect(
        position.time.map { $0 < .seconds(2) } ?? false, "RelTime below 0:00:02",
        got: position.values["RelTime"] ?? "none")
    },
    .playing(
      "avt/2.2/times-playing", "While something plays, RelTime and TrackDuration are H:MM:SS.",
      source: "home-assistant/core and Kodi parse them; StevenLooman/async_upnp_client",
      steps: "Plays a tone and reads the position. Passes if both are hours, two-digit minutes and two-digit seconds."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      let values = try await transport.position().values
      let wrong = ["RelTime", "TrackDuration"].filter { name in
        values[name]?.wholeMatch(of: /[0-9]+:[0-5][0-9]:[0-5][0-9](\.[0-9]+(\/[0-9]+)?)?/) == nil
      }
      try transport.context.expectNone(wrong.map { "\($0) \"\(values[$0] ?? "")\"" }, "H:MM:SS")
    },
    .playing(
      "avt/2.2/absolute-position", "With one track, AbsTime is RelTime or NOT_IMPLEMENTED.",
      source: "the definitions of both variables in AVTransport:1 §2.2",
      steps: "Plays a tone for 2 s. Passes if AbsTime is RelTime, give or take 1 s, or NOT_IMPLEMENTED."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.wait(forPosition: .seconds(2))
      let position = try await transport.position()
      let text = position.values["AbsTime"] ?? ""
      guard text != UPnPTime.notImplemented else { return }
      let difference = UPnPTime.duration(text).flatMap { absolute in position.time.map { absolute - $0 } }
      try transport.context.expect(
        difference.map { (.seconds(-1)...Duration.seconds(1)).contains($0) } ?? false,
        "AbsTime \(position.values["RelTime"] ?? "")", got: "\"\(text)\"")
    },
    duration(
      "avt/2.2/track-duration", "TrackDuration", of: "GetPositionInfo", allowed: [],
      "TrackDuration is the duration of the file."),
    duration(
      "avt/2.2/media-duration", "MediaDuration", of: "GetMediaInfo", allowed: [UPnPTime.notImplemented],
      "With one track, MediaDuration is its duration or NOT_IMPLEMENTED."),
    .playing(
      "avt/2.2/one-track", "A single file is track 1 of 1.", source: "AVTransport:1 §2.2; Kodi",
      steps: "Plays a tone. Passes if Track and NrTracks are 1."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      let track = try await transport.position().values["Track"] ?? ""
      let count = try await transport.call("GetMediaInfo")["NrTracks"] ?? ""
      try transport.context.expect(track == "1" && count == "1", "track 1 of 1", got: "track \(track) of \(count)")
    },
  ]

  /// Plays a tone, pauses it, and checks where playback resumes.
  private static func expectResumption(
    _ transport: TransportDriver, after pause: Duration
  ) async throws(Finding) {
    _ = try await transport.startSlowTone()
    try await transport.wait(forPosition: .seconds(3))
    try await transport.pause()
    try await transport.wait(for: .paused)
    await transport.context.clock.sleep(pause)
    let paused = try await transport.position()
    try await transport.play()
    try await transport.wait(for: .playing)
    try await transport.expectProgress(since: paused, atLeast: .zero)
  }

  private static func duration(
    _ id: String, _ name: String, of action: String, allowed: [String], _ requirement: String
  ) -> Check {
    .playing(
      id, requirement, source: polling,
      steps: "Plays a tone of 10 s. Passes if \(name) of \(action) becomes 0:00:10, give or take 1 s."
    ) { transport async throws(Finding) in
      _ = try await transport.startTone(seconds: 10)
      var text = ""
      let isRight = try await transport.poll { () async throws(Finding) -> Bool in
        text = try await transport.call(action)[name] ?? ""
        let duration = UPnPTime.duration(text)
        return allowed.contains(text) || duration.map { (.seconds(9)...Duration.seconds(11)).contains($0) } ?? false
      }
      try transport.context.expect(isRight, "\(name) 0:00:10", got: "\"\(text)\"")
    }
  }
}
