import ControlPoint
import UPnP

/// OpenHome's Transport while the playlist plays.
enum TransportPlaybackChecks {
  private static let service = TransportServiceChecks.service
  private static let wiki = OpenHomeWiki.transport
  private static let player = TransportServiceChecks.player
  private static let time = Prerequisite.action("Time", "Time")
  /// Positions are whole seconds, and answers take time.
  private static let tolerance = Duration.seconds(3)

  static let all: [Check] = control + skips + seeks

  /// A check that gets a playlist of three tones, the second of which plays.
  private static func playing(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite], steps: String,
    _ body: @escaping @Sendable (CheckContext, _ media: [ServedMedia], _ ids: [UInt32]) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/transport/\(id)", .openHome, level, requirement, source: source,
      needs: [.service(PlaylistDriver.service), .action(service, "TransportState")] + needs,
      changes: [.playlist, .source, .standby], steps: "Plays the second of three tones in the playlist. " + steps
    ) { context async throws(Finding) in
      let (media, ids) = try await context.playlist.load(tones: 3, seconds: 60)
      try await context.playlist.start(ids[1])
      try await body(context, media, ids)
    }
  }

  private static func wait(_ context: CheckContext, for state: String) async throws(Finding) {
    try await context.wait(for: "TransportState \(state) of Transport", service, "TransportState", "State") {
      $0 == state
    }
  }

  // MARK: Control

  private static let control: [Check] = [
    playing(
      "follows-playlist", .practice, "TransportState becomes Playing when the playlist plays, and is evented.",
      source: player, needs: [.eventsOf(service), .action("Playlist", "Stop")],
      steps: "Stops the playlist, subscribes to Transport, and plays it again."
    ) { context, _, ids async throws(Finding) in
      try await wait(context, for: "Playing")
      try await context.playlist.call("Stop")
      try await wait(context, for: "Stopped")
      try await context.expectEvent(service, "TransportState", "with Playing", where: { $0 == "Playing" }) {
        () async throws(Finding) in
        try await context.playlist.start(ids[1])
      }
    },
    playing(
      "pause", .practice, "Pause and Play of Transport control the playlist.", source: player,
      needs: [.action(service, "Pause"), .action(service, "Play"), .action(service, "StreamInfo")],
      steps: "Calls Pause and Play of Transport. TransportState of Playlist becomes Paused and Playing."
    ) { context, _, _ async throws(Finding) in
      guard try await context.boolean("CanPause", of: "StreamInfo", service) else {
        throw .failure(expected: "CanPause while a file plays", got: "false")
      }
      try await context.call(service, "Pause")
      try await context.playlist.wait(forState: "Paused")
      try await context.call(service, "Play")
      try await context.playlist.wait(forState: "Playing")
    },
    playing(
      "stop-playing", .practice, "Stop of Transport stops the playlist.", source: player,
      needs: [.action(service, "Stop")],
      steps: "Calls Stop of Transport. TransportState of Playlist becomes Stopped, and the connection is closed."
    ) { context, media, _ async throws(Finding) in
      try await context.call(service, "Stop")
      try await context.playlist.wait(forState: "Stopped")
      try await context.expectRelease(of: media[1])
    },
    playing(
      "play-as", .practice, "PlayAs with the mode of the playlist and the command id= plays that track.",
      source: "OpenHome wiki, Av:Developer:Eriskay:TransportPlayAsCommands", needs: [.action(service, "PlayAs")],
      steps: "Calls PlayAs for the third one. Id becomes that of the third one, and it is fetched."
    ) { context, media, ids async throws(Finding) in
      let modes = try await context.texts("Modes", of: "Modes", service)
      guard let mode = modes.first(where: { $0.lowercased() == "playlist" }) else {
        throw .skip("Modes does not list Playlist")
      }
      try await context.call(service, "PlayAs", [("Mode", mode), ("Command", "id=\(ids[2])")])
      try await context.playlist.wait(forID: ids[2])
      try await context.expectFetch(of: media[2])
    },
  ]

  // MARK: Skips

  private static let modeInfo = Prerequisite.action(service, "ModeInfo")

  private static func skip(_ id: String, _ action: String, _ flag: String, to end: Int) -> Check {
    playing(
      id, .must, "\(flag) is true if there is a track to skip to, and \(action) plays it.", source: wiki,
      needs: [modeInfo, .action(service, action)],
      steps: "Reads \(flag) of ModeInfo and calls \(action). Id of Playlist follows."
    ) { context, media, ids async throws(Finding) in
      let isPossible = try await context.boolean(flag, of: "ModeInfo", service)
      try context.expect(isPossible, "\(flag) in the middle of the playlist", got: "false")
      try await context.call(service, action)
      try await context.playlist.wait(forID: ids[end])
      try await context.expectFetch(of: media[end])
    }
  }

  private static let skips: [Check] = [
    skip("skip-next", "SkipNext", "CanSkipNext", to: 2),
    skip("skip-previous", "SkipPrevious", "CanSkipPrevious", to: 0),
    playing(
      "can-repeat", .practice, "CanRepeat and CanShuffle are true while the playlist plays.", source: player,
      needs: [modeInfo], steps: "Reads CanRepeat and CanShuffle of ModeInfo."
    ) { context, _, _ async throws(Finding) in
      for flag in ["CanRepeat", "CanShuffle"] {
        let isPossible = try await context.boolean(flag, of: "ModeInfo", service)
        try context.expect(isPossible, flag, got: "false")
      }
    },
    playing(
      "new-stream-id", .must, "Another track has another StreamId.", source: wiki,
      needs: [.action(service, "StreamId"), .action(service, "SkipNext")],
      steps: "Reads StreamId, calls SkipNext, and reads it again once the third one plays."
    ) { context, _, ids async throws(Finding) in
      let before = try await context.result("StreamId", of: "StreamId", service)
      try await context.call(service, "SkipNext")
      try await context.playlist.wait(forID: ids[2])
      try await context.wait(for: "another StreamId than \(before)", service, "StreamId", "StreamId") { $0 != before }
    },
  ]

  // MARK: Seeks

  private static let streamInfo = Prerequisite.action(service, "StreamInfo")

  private static let seeks: [Check] = [
    playing(
      "seek", .practice, "SeekSecondAbsolute goes to a position of the current stream.", source: player,
      needs: [time, streamInfo, .action(service, "SeekSecondAbsolute")],
      steps: "Seeks to 30 s, and reads Time. Seconds are 30, give or take 3."
    ) { context, _, _ async throws(Finding) in
      let start = context.clock.now
      try await seek(context, "SeekSecondAbsolute", ("SecondAbsolute", "30"))
      let position = try await position(context)
      try expect(context, position, .seconds(30), since: start)
    },
    playing(
      "seek-relative", .practice, "SeekSecondRelative goes forward by a number of seconds.", source: player,
      needs: [time, streamInfo, .action(service, "SeekSecondRelative")],
      steps: "Reads Time, seeks by 20 s, and reads Time again. Seconds have risen by 20, give or take 3."
    ) { context, _, _ async throws(Finding) in
      let start = context.clock.now
      let before = try await position(context)
      try await seek(context, "SeekSecondRelative", ("SecondRelative", "20"))
      let after = try await position(context)
      try expect(context, after, before + .seconds(20), since: start)
    },
  ]

  private static func seek(
    _ context: CheckContext, _ action: String, _ argument: (name: String, value: String)
  ) async throws(Finding) {
    guard try await context.boolean("CanSeek", of: "StreamInfo", service) else {
      throw .failure(expected: "CanSeek while a file of 60 s plays", got: "false")
    }
    let stream = try await context.result("StreamId", of: "StreamInfo", service)
    try await context.call(service, action, [("StreamId", stream), argument])
    try await wait(context, for: "Playing")
  }

  private static func position(_ context: CheckContext) async throws(Finding) -> Duration {
    .seconds(try await context.integer("Seconds", of: "Time", "Time"))
  }

  private static func expect(
    _ context: CheckContext, _ position: Duration, _ target: Duration, since start: ContinuousClock.Instant
  ) throws(Finding) {
    let latest = target + context.clock.elapsed(since: start) + tolerance
    try context.expect(
      (target - tolerance...latest).contains(position), "a position of about \(target.components.seconds) s",
      got: "\(position.components.seconds) s")
  }
}
