/// Compares the events of all services with all getters after a series of changes.
enum OracleChecks {
  static let all: [Check] = [
    check(
      "settings", "volume, mute and play modes", needs: [.speaker("RenderingControl")],
      changes: [.volume, .mute]
    ) { context async throws(Finding) in
      let rendering = try context.device(with: "RenderingControl")
      let volumes = try await rendering.quietVolumes(steps: 1)
      for volume in [volumes.lowerBound, volumes.upperBound, volumes.upperBound - 1] {
        try await rendering.write(.volume, "\(volume)")
      }
      for mute in ["1", "0", "1"] { try await rendering.write(.mute, mute) }
    },
    check(
      "playback", "a URI, Play, Pause, Play and Stop", needs: [.speaker(TransportDriver.service)],
      changes: [.transport]
    ) { context async throws(Finding) in
      let transport = try context.device(with: TransportDriver.service).transport
      _ = try await transport.startTone(seconds: 30)
      try await transport.pause()
      try await transport.play()
      try await transport.stop()
    },
    check(
      "playlist", "insertions, deletions, modes, SeekId, Next and Stop", needs: [.speaker(PlaylistDriver.service)],
      changes: [.playlist]
    ) { context async throws(Finding) in
      let playlist = try context.device(with: PlaylistDriver.service).playlist
      let (_, ids) = try await playlist.load(tones: 3, seconds: 30)
      try await playlist.setModes(repeats: true)
      try await playlist.seek(id: ids[0])
      try await playlist.call("Next")
      try await playlist.delete(ids[0])
      try await playlist.setModes(repeats: false)
      try await playlist.call("Stop")
      _ = try await playlist.insert(playlist.uri(1), after: ids[2])
    },
  ]

  private static func check(
    _ id: String, _ what: String, needs: [Prerequisite], changes: Set<Setting>,
    _ script: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "share/oracle/\(id)", .sharing, .practice,
      "After \(what) in a row, the events of all services have the values of the getters.",
      source: "UDA 1.0 §4: events keep control points up to date", needs: needs, changes: changes,
      steps: """
        Subscribes to all services of the speaker and sends \(what) without a pause. Once the device is at rest, all events \
        together must yield what the getters return.
        """
    ) { context async throws(Finding) in
      try await context.observing(context.eventedSpeakerServices) { observation throws(Finding) in
        let (_, changed) = try await observation.follow("after \(what)", script)
        context.measure("variables changed", "\(changed.count)")
      }
    }
  }
}
