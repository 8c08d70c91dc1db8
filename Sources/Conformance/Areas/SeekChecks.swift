import ControlPoint
import UPnP

/// Seek in all its modes, in PLAYING and in PAUSED_PLAYBACK.
enum SeekChecks {
  private static let seek = Prerequisite.transport("Seek")
  private static let errors = "the table of error codes in AVTransport:1 §2.4"
  private static let allModes = [
    "TRACK_NR", "ABS_TIME", "REL_TIME", "ABS_COUNT", "REL_COUNT", "CHANNEL_FREQ", "TAPE-INDEX", "FRAME",
  ]

  static let all: [Check] = [
    target("relative", mode: "REL_TIME", "0:00:40", .seconds(40), source: "Windows HCK, DMR SEEK-01"),
    target("absolute", mode: "ABS_TIME", "0:00:40", .seconds(40), source: "measured with Rygel 0.42.1"),
    target("start", mode: "REL_TIME", "0:00:00", .zero, source: "Windows HCK, DMR SEEK-01"),
    target(
      "two-digit-hours", mode: "REL_TIME", "00:00:40", .seconds(40),
      source: "H+:MM:SS in AVTransport:1 §2.2; measured with gmediarender 0.1, Rygel 0.42.1 and Kodi 20.1"),
    target(
      "fraction", mode: "REL_TIME", "0:00:40.500", .seconds(40),
      source: "H+:MM:SS[.F+] in AVTransport:1 §2.2; schlarpc/castaway, docs/dlna-conformance.md"),
    .playing(
      "avt/2.4/seek-paused", "Seek in PAUSED_PLAYBACK leads to the target.",
      source: "Windows HCK, DMR SEEK-15, which expects playback to begin; AVTransport:1 §2.5 expects it to stay paused",
      needs: [seek, .transport("Pause")],
      steps: """
        Plays a tone of 60 s for 1 s, pauses it, and seeks to 0:00:40. Passes if RelTime becomes 0:00:40, give or take 2 s. The \
        report says whether the device then plays.
        """
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(1))
      try await transport.pause()
      try await transport.wait(for: .paused)
      try await transport.seek(to: "0:00:40")
      try await transport.expectPosition(near: .seconds(40))
      transport.context.measure("after a seek in PAUSED_PLAYBACK", try await transport.state().rawValue)
    },
    .playing(
      "avt/2.4/seek-at-once", "A seek right after the state has become PLAYING is performed.",
      source: "measured with gmediarender 0.1; control points resume a file by Play and Seek", needs: [seek],
      steps: """
        Plays a tone of 60 s and seeks to 0:00:40 as soon as the state is PLAYING. Passes if the seek is refused, or if \
        RelTime becomes 0:00:40, give or take 2 s.
        """
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      let answer = try await transport.answer("Seek", [("Unit", "REL_TIME"), ("Target", "0:00:40")])
      if answer.faultCode != nil { return transport.context.measure("Seek", "is refused with \(answer.summary)") }
      try await transport.expectPosition(near: .seconds(40))
    },
    .playing(
      "avt/2.4/seek-burst", "Of several seeks in a row, the last one counts.",
      source: "hzeller/gmrender-resurrect#220", needs: [seek],
      steps: """
        Plays a tone of 60 s and seeks to 0:00:05, 0:00:10 and so on until 0:00:40 without waiting. Passes if all seeks \
        succeed, RelTime becomes 0:00:40, give or take 2 s, and the state PLAYING.
        """
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      for second in stride(from: 5, through: 40, by: 5) {
        try await transport.seek(to: UPnPTime.text(.seconds(second)))
      }
      try await transport.expectPosition(near: .seconds(40))
      try await transport.wait(for: .playing)
    },
    .playing(
      "avt/2.4/seek-track", "Seek to track 1 begins the only track again.", area: .avTransport,
      source: "AVTransport:1 §2.4; learn.microsoft.com, IAVTransport::Next", needs: [seek],
      steps: "Plays a tone for 3 s and seeks to TRACK_NR 1. Passes if RelTime is less than 2 s within two seconds."
    ) { transport async throws(Finding) in
      try expectMode("TRACK_NR", transport)
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(3))
      try await transport.seek("TRACK_NR", to: "1")
      try await transport.expectPosition(near: .zero)
    },
    .playing(
      "avt/2.4/seek-near-end", "After a seek to just before the end, playback goes on to the end and stops.",
      source: "Windows HCK, DMR EOS-01 and SEEK-01", needs: [seek],
      steps:
        "Plays a tone of 60 s for 1 s and seeks to 0:00:58. Passes if the state becomes STOPPED within the remaining time."
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(1))
      try await transport.seek(to: "0:00:58")
      try await transport.waitForEnd(of: .seconds(2))
    },
    .playing(
      "avt/2.4/seek-beyond-end", "Seek beyond the end is refused, or ends the track.", area: .avTransport,
      source: errors, needs: [seek],
      steps: """
        Plays a tone of 60 s for 1 s and seeks to 1:00:00. Passes if it is refused with 711 and the tone goes on, or if the track \
        ends.
        """
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(1))
      let answer = try await transport.answer("Seek", [("Unit", "REL_TIME"), ("Target", "1:00:00")])
      guard answer.results == nil else {
        try await transport.wait(for: .stopped, .noMedia)
        return transport.context.measure("a seek beyond the end", "ends the track")
      }
      try transport.context.expectFault([711], answer, to: "a target beyond the end")
      let state = try await transport.state()
      try transport.context.expect(state == .playing, "PLAYING", got: state.rawValue)
      transport.context.measure("a seek beyond the end", "is refused")
    },
    .playing(
      "avt/2.4/seek-target", "Targets that are no times are refused.", area: .avTransport, source: errors,
      needs: [seek],
      steps: """
        Plays a tone and seeks to "abc", "-0:00:01", "0:99:00" and "". Passes if all are refused with 711, 402, 600 or \
        601, and the tone goes on.
        """
    ) { transport async throws(Finding) in
      try expectMode("REL_TIME", transport)
      _ = try await transport.startTone(seconds: 60)
      for target in ["abc", "-0:00:01", "0:99:00", ""] {
        let answer = try await transport.answer("Seek", [("Unit", "REL_TIME"), ("Target", target)])
        try transport.context.expectFault([402, 600, 601, 711], answer, to: "the target \"\(target)\"")
      }
      let state = try await transport.state()
      try transport.context.expect(state == .playing, "PLAYING", got: state.rawValue)
    },
    .playing(
      "avt/2.4/seek-modes", "Seek in a mode that the SCPD does not list is refused.", area: .avTransport,
      source: errors, needs: [seek],
      steps: """
        Plays a tone and seeks in each mode of the template that the SCPD does not list, and in an unknown one. Passes if \
        all are refused with 710, 402, 600 or 601, and the tone goes on.
        """
    ) { transport async throws(Finding) in
      let modes = try modes(transport)
      _ = try await transport.startTone(seconds: 60)
      for mode in allModes.filter({ !modes.contains($0) }) + ["NO_SUCH_MODE"] {
        let answer = try await transport.answer("Seek", [("Unit", mode), ("Target", "1")])
        try transport.context.expectFault([402, 600, 601, 710], answer, to: "the mode \(mode)")
      }
      let state = try await transport.state()
      try transport.context.expect(state == .playing, "PLAYING", got: state.rawValue)
    },
  ]

  private static func target(
    _ name: String, mode: String, _ target: String, _ position: Duration, source: String
  ) -> Check {
    // A seek to the start needs a position that differs from it.
    let start = position == .zero ? 3 : 1
    return .playing(
      "avt/2.4/seek-\(name)", "Seek to the \(mode) \(target) in PLAYING leads there, and playback goes on.",
      source: source, needs: [seek],
      steps: """
        Plays a tone of 60 s for \(start) s and seeks to \(target). Passes if RelTime becomes this time, give or take 2 s, and \
        the state PLAYING.
        """
    ) { transport async throws(Finding) in
      try expectMode(mode, transport)
      _ = try await transport.startTone(seconds: 60)
      try await transport.wait(forPosition: .seconds(start))
      try await transport.seek(mode, to: target)
      try await transport.expectPosition(near: position)
      try await transport.wait(for: .playing)
    }
  }

  private static func modes(_ transport: TransportDriver) throws(Finding) -> [String] {
    try transport.context.service(TransportDriver.service).scpd?.variable("A_ARG_TYPE_SeekMode")?.allowedValues ?? []
  }

  private static func expectMode(_ mode: String, _ transport: TransportDriver) throws(Finding) {
    if try !modes(transport).contains(mode) { throw .skip("the device does not list the seek mode \(mode)") }
  }
}

extension TransportDriver {
  /// Checks that the position soon is near a time: at most two seconds away.
  func expectPosition(near target: Duration) async throws(Finding) {
    var last = ""
    let isNear = try await poll { () async throws(Finding) -> Bool in
      let position = try await position()
      last = position.values["RelTime"] ?? "none"
      return position.time.map { (target - .seconds(2)...target + .seconds(2)).contains($0) } ?? false
    }
    try context.expect(isNear, "RelTime near \(UPnPTime.text(target))", got: last)
  }
}
