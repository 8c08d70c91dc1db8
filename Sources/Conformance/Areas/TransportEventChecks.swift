import ControlPoint
import UPnP

/// The events of AVTransport during playback.
enum TransportEventChecks {
  private static let noPolling = "Home Assistant's dlna_dmr does not poll while it is subscribed"

  static let all: [Check] = [
    event("playing", "TransportState", "PLAYING", after: "Play"),
    event("paused", "TransportState", "PAUSED_PLAYBACK", after: "Pause"),
    event("stopped", "TransportState", "STOPPED", after: "Stop"),
    .playing(
      "avt/2.3/event-end", "The end of the media is evented as STOPPED.",
      source: "Windows HCK, DMR EVENT-01 and EOS-01; \(noPolling)", needs: [.transportEvents],
      steps: "Plays a tone of 3 s. Passes if an event with the state STOPPED follows at its end."
    ) { transport async throws(Finding) in
      try await transport.withEvents { events throws(Finding) in
        try await transport.start(try await transport.context.serveTone(seconds: 3))
        try await transport.waitForEnd(of: .seconds(3))
        try await transport.expectEndEvent(events)
      }
    },
    .playing(
      "avt/2.3/event-uri", "A new URI is evented.", source: noPolling, needs: [.transportEvents],
      steps: "Sets a URI. Passes if an event has AVTransportURI with this value."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.withEvents { events throws(Finding) in
        try await transport.set(media)
        try await transport.expect(events, "AVTransportURI", [media.url], after: 1)
      }
    },
    .playing(
      "avt/2.3/event-track", "What plays is evented: its URI, its metadata and its duration.",
      source: "Home Assistant's dlna_dmr shows the title from CurrentTrackMetaData", needs: [.transportEvents],
      steps: """
        Plays a tone. Passes if events have CurrentTrackURI with its URI, CurrentTrackMetaData with its title, and \
        CurrentTrackDuration 0:00:10, give or take 1 s.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.withEvents { events throws(Finding) in
        try await transport.start(media)
        try await transport.expect(events, "CurrentTrackURI", [media.url], after: 0)
        try await transport.expect(events, "CurrentTrackMetaData", "the title of the tone", after: 0) {
          $0.contains("Conformance test")
        }
        try await transport.expect(events, "CurrentTrackDuration", "0:00:10", after: 0) { text in
          UPnPTime.duration(text).map { (.seconds(9)...Duration.seconds(11)).contains($0) } ?? false
        }
      }
    },
    .playing(
      "avt/2.3/event-actions", "CurrentTransportActions is evented when it changes.",
      source: "Home Assistant's dlna_dmr waits for Play in it after SetAVTransportURI",
      needs: [.transportEvents, .transport("GetCurrentTransportActions")],
      steps: """
        Sets a tone and plays it. Passes if the last CurrentTransportActions in events is what \
        GetCurrentTransportActions returns in PLAYING.
        """
    ) { transport async throws(Finding) in
      try await transport.withEvents { events throws(Finding) in
        try await transport.start(try await transport.context.serveTone(seconds: 10))
        let actions = try await transport.actions()
        let list = actions.sorted().joined(separator: ",")
        try await transport.expect(events, "CurrentTransportActions", list, after: 0) { text in
          TransportDriver.actions(text) == actions
        }
      }
    },
    .playing(
      "avt/2.3/events-equal-getters", "After playback, all events together say what the getters say.",
      source: noPolling, needs: [.transportEvents],
      steps: """
        Sets a tone, plays, pauses, plays and stops it. Passes if the last evented TransportState, TransportStatus, \
        AVTransportURI, AVTransportURIMetaData, NumberOfTracks and CurrentTransportActions are what the getters return.
        """
    ) { transport async throws(Finding) in
      try await transport.withEvents { events throws(Finding) in
        try await transport.start(try await transport.context.serveTone(seconds: 10))
        if transport.context.missing(.transport("Pause")) == nil {
          try await transport.pause()
          try await transport.wait(for: .paused)
          try await transport.play()
          try await transport.wait(for: .playing)
        }
        try await transport.stop()
        try await transport.wait(for: .stopped)
        try await transport.expectAgreement(events)
      }
    },
    .playing(
      "avt/2.3/moderation", "LastChange is sent at most every 0.2 s.", source: "AVTransport:1 §2.3",
      needs: [.transportEvents, .transport("Pause")],
      steps: """
        Plays a tone, pauses and plays it ten times as fast as it can, pauses it, and waits for a second. Passes if \
        there are at most five events per second.
        """
    ) { transport async throws(Finding) in
      try await transport.withEvents { events throws(Finding) in
        _ = try await transport.startTone()
        let start = transport.context.clock.now
        let before = await events.count()
        for _ in 0..<10 {
          try await transport.pause()
          try await transport.play()
        }
        // A device may send nothing if the state is the same at the end.
        try await transport.pause()
        // Time for the last events to arrive.
        await transport.context.clock.sleep(real: .seconds(1))
        let after = await events.count()
        let elapsed = transport.context.clock.now - start
        let most = Int((elapsed / .milliseconds(200)).rounded(.up)) + 2
        try transport.context.expectInTime(
          after - before <= most, "at most \(most) events in \(Figures.seconds(elapsed))", got: "\(after - before)")
      }
    },
  ]

  private static func event(_ name: String, _ variable: String, _ value: String, after action: String) -> Check {
    .playing(
      "avt/2.3/event-\(name)", "\(action) is evented as \(value).", source: "Windows HCK, DMR EVENT-01; \(noPolling)",
      needs: [.transportEvents, .transport(action)],
      steps: "Plays a tone, and sends \(action). Passes if an event has \(variable) \(value)."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.set(media)
      if action != "Play" {
        try await transport.play()
        try await transport.wait(for: .playing)
      }
      try await transport.withEvents { events throws(Finding) in
        try await transport.call(action, action == "Play" ? [("Speed", "1")] : [])
        try await transport.expect(events, variable, [value], after: 1)
      }
    }
  }
}
