import ControlPoint
import MediaOrigin
import UPnP

/// OpenHome's Playlist while it plays.
enum PlaylistPlaybackChecks {
  private static let service = PlaylistDriver.service
  private static let wiki = PlaylistChecks.wiki
  private static let player = "openhome/ohPipeline: OpenHome/Av/Playlist/SourcePlaylist.cpp"

  static let all: [Check] = starting + skipping + ending + editing + seeking

  // MARK: Starting

  private static let starting: [Check] = [
    PlaylistChecks.editing(
      "play", .must, "Play fetches the current track, and TransportState becomes Playing and is evented.",
      source: wiki + ", Play", needs: [.eventsOf(service)],
      steps: "Inserts a tone, subscribes, and sends Play. Its URI has to be fetched and Playing has to be evented."
    ) { playlist async throws(Finding) in
      let (media, _) = try await playlist.load(tones: 1, seconds: 10)
      try await playlist.context.expectEvent(service, "TransportState", "with Playing", where: { $0 == "Playing" }) {
        () async throws(Finding) in
        try await playlist.call("Play")
        try await playlist.context.expectFetch(of: media[0])
        try await playlist.wait(forState: "Playing")
      }
    },
    seek("seek-id", "SeekId", "the id of") { $0 },
    seek("seek-index", "SeekIndex", "the index of") { _ in 1 },
    PlaylistChecks.editing(
      "seek-id-and-play", .practice, "SeekId and Play in a row start a track only once.",
      source: "control points send both; \(wiki), Play, lets it restart only what plays already",
      steps: """
        Plays a tone with SeekId and counts the GETs; then another one with SeekId and Play at once. There must not be \
        more.
        """
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 2, seconds: 20)
      try await playlist.start(ids[0])
      await playlist.context.clock.sleep(.seconds(1))
      let expected = media[0].gets.count
      try await playlist.call("Stop")
      try await playlist.wait(forState: "Stopped")
      let before = media[1].gets.count
      try await playlist.seek(id: ids[1])
      try await playlist.call("Play")
      try await playlist.wait(forState: "Playing")
      await playlist.context.clock.sleep(.seconds(1))
      let count = media[1].gets.count - before
      try playlist.context.expect(count <= expected, "\(expected) GETs as without Play", got: "\(count)")
    },
    PlaylistChecks.editing(
      "pause", .practice, "Pause makes TransportState Paused, and Play goes on.", source: wiki + ", TransportState",
      needs: [.action(service, "Pause")],
      steps: "Plays a tone, sends Pause and then Play, and reads TransportState after each."
    ) { playlist async throws(Finding) in
      let (_, ids) = try await playlist.load(tones: 1, seconds: 20)
      try await playlist.start(ids[0])
      try await playlist.call("Pause")
      try await playlist.wait(forState: "Paused")
      try await playlist.call("Play")
      try await playlist.wait(forState: "Playing")
    },
    PlaylistChecks.editing(
      "stop", .practice, "Stop makes TransportState Stopped, and the connection is closed.", source: wiki,
      steps: "Plays a tone that is sent slowly, and sends Stop. The connection to the tone has to be closed."
    ) { playlist async throws(Finding) in
      let media = try await playlist.context.slowTone()
      let ids = try await playlist.load([media])
      try await playlist.start(ids[0])
      try await playlist.call("Stop")
      try await playlist.wait(forState: "Stopped")
      try await playlist.context.expectRelease(of: media)
    },
  ]

  /// SeekId or SeekIndex of the second of three tracks.
  private static func seek(
    _ id: String, _ action: String, _ what: String, _ argument: @escaping @Sendable (UInt32) -> UInt32
  ) -> Check {
    PlaylistChecks.editing(
      id, .practice, "\(action) plays the track, and Id is evented.", source: player,
      needs: [.eventsOf(service), .action(service, action)],
      steps: "Sends \(action) with \(what) the second of three tones. It has to be fetched, and its Id evented."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 3, seconds: 30)
      try await playlist.context.expectEvent(service, "Id", "with \(ids[1])", where: { $0 == "\(ids[1])" }) {
        () async throws(Finding) in
        try await playlist.call(action, [("Value", "\(argument(ids[1]))")])
        try await playlist.context.expectFetch(of: media[1])
        try await playlist.wait(forState: "Playing")
      }
    }
  }

  // MARK: Next and Previous

  /// Plays one of three tracks, sends an action, and checks which track plays then.
  private static func skip(
    _ id: String, _ level: Level, _ action: String, from start: Int, to end: Int, repeats: Bool, source: String
  ) -> Check {
    let names = ["first", "second", "third"]
    return PlaylistChecks.editing(
      id, level,
      "\(action) goes from the \(names[start]) of three tracks to the \(names[end])\(repeats ? " with Repeat" : "").",
      source: source, needs: [.action(service, action), .action(service, "SetRepeat")],
      steps: "Plays the \(names[start]) of three tones and sends \(action). Id and TransportState have to follow."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 3, seconds: 30)
      try await playlist.setModes(repeats: repeats)
      try await playlist.start(ids[start])
      try await playlist.call(action)
      try await playlist.wait(forID: ids[end])
      try await playlist.context.expectFetch(of: media[end])
      try await playlist.wait(forState: "Playing")
    }
  }

  private static let repeatSource = wiki + ", Repeat: Next and Previous depend on it at the ends"

  private static let skipping: [Check] = [
    skip("next", .practice, "Next", from: 0, to: 1, repeats: false, source: wiki + ", Next"),
    skip("previous", .practice, "Previous", from: 1, to: 0, repeats: false, source: wiki + ", Previous"),
    skip("next-wraps", .practice, "Next", from: 2, to: 0, repeats: true, source: repeatSource),
    skip("previous-wraps", .practice, "Previous", from: 0, to: 2, repeats: true, source: repeatSource),
    PlaylistChecks.editing(
      "next-at-end", .practice, "Next at the last track stops without Repeat.", source: repeatSource,
      steps: "Plays the last of two tones and sends Next. TransportState has to become Stopped."
    ) { playlist async throws(Finding) in
      let (_, ids) = try await playlist.load(tones: 2, seconds: 30)
      try await playlist.setModes(repeats: false)
      try await playlist.start(ids[1])
      try await playlist.call("Next")
      try await playlist.wait(forState: "Stopped")
      let id = try await playlist.currentID()
      playlist.context.measure("Id after Next at the end", id == ids[0] ? "the first track" : "another")
    },
  ]

  // MARK: Ends

  private static let ending: [Check] = [
    PlaylistChecks.editing(
      "sequence", .must, "The tracks are played one after the other, and then the playlist stops.",
      source: wiki + ", Repeat", needs: [.eventsOf(service)],
      steps: "Plays three tones of 2 s. Their ids have to be evented in order, and after the last one Stopped."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (media, ids) = try await playlist.load(tones: 3, seconds: 2)
      try await playlist.setModes(repeats: false)
      try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await playlist.start(ids[0])
        try await playlist.wait(forState: "Stopped", after: .seconds(6))
        let played = media.map { $0.gets.isEmpty }
        try context.expect(!played.contains(true), "GETs of all three tones", got: "\(played.count { !$0 })")
        let shown = try await context.values(of: "Id", in: subscription).compactMap { UInt32($0) }
        let order = ids.map { id in shown.firstIndex(of: id) ?? -1 }
        try context.expect(
          !order.dropFirst().contains(-1) && order.dropFirst().sorted() == Array(order.dropFirst()),
          "events with the Ids \(ids) in order", got: "\(shown)")
      }
    },
    PlaylistChecks.editing(
      "end", .practice, "After the last track, Id is the first track again.", source: player,
      steps: "Plays the second of two tones to its end, and reads Id."
    ) { playlist async throws(Finding) in
      let (_, ids) = try await playlist.load(tones: 2, seconds: 1.5)
      try await playlist.setModes(repeats: false)
      try await playlist.start(ids[1])
      try await playlist.wait(forState: "Stopped", after: .seconds(2))
      try await playlist.wait(forID: ids[0])
    },
    PlaylistChecks.editing(
      "repeat-plays", .must, "With Repeat, the first track plays at once after the last one.",
      source: wiki + ", Repeat",
      steps: "Plays the last of two tones to its end with Repeat. The first one has to be fetched and become current."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 2, seconds: 2)
      try await playlist.setModes(repeats: true)
      try await playlist.start(ids[1])
      try await playlist.wait(forID: ids[0], after: .seconds(2))
      try await playlist.context.expectFetch(of: media[0])
    },
    PlaylistChecks.editing(
      "shuffle-plays", .must, "With Shuffle, each track is played once, and then the playlist stops.",
      source: wiki + ", Shuffle",
      steps: "Plays three tones of 1.5 s with Shuffle, and counts the changes of Id until Stopped."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (media, _) = try await playlist.load(tones: 3, seconds: 1.5)
      try await playlist.setModes(repeats: false, shuffles: true)
      try await playlist.call("Play")
      try await playlist.wait(forState: "Playing")
      try await playlist.wait(forState: "Stopped", after: .seconds(6))
      let played = media.count { !$0.gets.isEmpty }
      try context.expect(played == 3, "GETs of all three tones", got: "GETs of \(played)")
    },
    PlaylistChecks.editing(
      "join", .practice, "The next track is opened before the end of the current one, for a gapless join.",
      source: "openhome/ohPipeline, which opens the next track while the current one plays",
      steps: """
        Plays two tones of 4 s. The second one has to be fetched while Id is still the first one, or a second before \
        the end.
        """
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (media, ids) = try await playlist.load(tones: 2, seconds: 4)
      try await playlist.setModes(repeats: false)
      let start = context.clock.now
      try await playlist.start(ids[0])
      guard await media[1].waitForGet(within: context.clock.real(.seconds(5)) + context.times.transition) != nil else {
        throw .failure(expected: "a GET of the second track", got: "none")
      }
      let lead = .seconds(4) - context.clock.elapsed(since: start)
      let id = try await playlist.currentID()
      context.measure("next track opened before the end of the current one", Figures.seconds(lead))
      try context.expect(
        id == ids[0] || lead > .seconds(1), "a GET of the second track before the end of the first one",
        got: "one at the end")
      try await playlist.wait(forID: ids[1], after: .seconds(4))
    },
    PlaylistChecks.editing(
      "failing-track", .practice, "A track that the server refuses is skipped.", source: player,
      steps: "Plays a URI that answers 404, with a tone after it. The tone has to be fetched and to become current."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 2, seconds: 30)
      media[0].remove()
      try await playlist.seek(id: ids[0])
      try await playlist.wait(forID: ids[1])
      try await playlist.context.expectFetch(of: media[1])
    },
  ]

  // MARK: Editing

  private static let editing: [Check] = [
    PlaylistChecks.editing(
      "delete-playing", .practice, "After the deletion of the playing track, the next one plays.", source: player,
      steps: "Plays the first of two tones and deletes it. The second one has to be fetched and to become current."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 2, seconds: 30)
      try await playlist.start(ids[0])
      try await playlist.delete(ids[0])
      try await playlist.wait(forID: ids[1])
      try await playlist.context.expectFetch(of: media[1])
    },
    PlaylistChecks.editing(
      "delete-only", .practice, "The deletion of the only track stops it.", source: player,
      steps: "Plays a tone and deletes it. TransportState has to become Stopped and Id 0."
    ) { playlist async throws(Finding) in
      let media = try await playlist.context.slowTone()
      let ids = try await playlist.load([media])
      try await playlist.start(ids[0])
      try await playlist.delete(ids[0])
      try await playlist.wait(forState: "Stopped")
      try await playlist.wait(forID: 0)
      try await playlist.context.expectRelease(of: media)
    },
    PlaylistChecks.editing(
      "insert-while-playing", .practice, "An insertion before the playing track does not disturb it.", source: player,
      steps: "Plays a tone and inserts another one before it. Id stays, and the tone is not fetched again."
    ) { playlist async throws(Finding) in
      let (media, ids) = try await playlist.load(tones: 1, seconds: 20)
      try await playlist.start(ids[0])
      await playlist.context.clock.sleep(.seconds(1))
      let count = media[0].gets.count
      _ = try await playlist.insert(playlist.uri(1), after: 0)
      await playlist.context.clock.sleep(.seconds(1))
      let id = try await playlist.currentID()
      try playlist.context.expect(id == ids[0], "the Id \(ids[0])", got: "\(id)")
      let state = try await playlist.state()
      try playlist.context.expect(state == "Playing", "Playing", got: state)
      try playlist.context.expect(media[0].gets.count == count, "no further GET", got: "\(media[0].gets.count - count)")
    },
  ]

  // MARK: Seeking

  /// A seek within the track, from about a second after its start.
  private static func seekSecond(_ action: String, _ argument: Int, to target: Int) -> Check {
    PlaylistChecks.editing(
      "seek-second-\(action == "SeekSecondAbsolute" ? "absolute" : "relative")", .practice,
      "\(action) moves the position.", source: player, needs: [.action(service, action), .action("Time", "Time")],
      steps: "Plays a tone of 30 s, sends \(action) with \(argument), and reads Seconds of Time."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      let (_, ids) = try await playlist.load(tones: 1, seconds: 30)
      try await playlist.start(ids[0])
      try await context.wait(for: "Seconds of at least 1", "Time", "Time", "Seconds") { Int(device: $0) ?? 0 >= 1 }
      try await playlist.call(action, [("Value", "\(argument)")])
      try await context.wait(for: "Seconds from \(target - 1) to \(target + 8)", "Time", "Time", "Seconds") {
        (target - 1...target + 8).contains(Int(device: $0) ?? -1)
      }
      try await playlist.wait(forState: "Playing")
    }
  }

  private static let seeking: [Check] = [
    seekSecond("SeekSecondAbsolute", 15, to: 15), seekSecond("SeekSecondRelative", 10, to: 11),
  ]
}
