import ControlPoint
import UPnP

/// OpenHome's Playlist: modes, refusals, events, and the list without tracks.
enum PlaylistStateChecks {
  private static let service = PlaylistChecks.service
  private static let states: Set = ["Playing", "Paused", "Stopped", "Buffering"]

  static let all: [Check] = modes + refusals + events + formats

  // MARK: Modes

  /// Repeat or Shuffle.
  private static func mode(_ name: String) -> [Check] {
    [
      PlaylistChecks.editing(
        "\(name.lowercased())", .must, "\(name) returns what Set\(name) has set.",
        source: PlaylistChecks.wiki, needs: [.action(service, "Set\(name)")],
        steps: "Sets \(name) to true and to false, and reads it after each."
      ) { playlist async throws(Finding) in
        for value in [true, false] {
          try await playlist.call("Set\(name)", [("Value", value ? "1" : "0")])
          let text = try await playlist.value(name)
          guard case .value(let result) = Bool.read(text), result == value else {
            throw .failure(expected: "\(name) \(value)", got: "\"\(text)\"")
          }
        }
      },
      PlaylistChecks.editing(
        "\(name.lowercased())-event", .practice, "A change of \(name) is evented.",
        source: "UDA 1.0 §4.2: the SCPD events \(name)", needs: [.eventsOf(service)],
        steps: "Subscribes to Playlist, and sets \(name) to another value."
      ) { playlist async throws(Finding) in
        let value = Bool.read(try await playlist.value(name))
        guard case .value(let isSet) = value else { throw .failure(expected: "a boolean as \(name)", got: "a text") }
        try await playlist.context.expectEvent(service, name, "after Set\(name)") { text in
          if case .value(let value) = Bool.read(text) { value != isSet } else { false }
        } after: { () async throws(Finding) in
          try await playlist.call("Set\(name)", [("Value", isSet ? "0" : "1")])
        }
      },
    ]
  }

  private static let modes = mode("Repeat") + mode("Shuffle")

  // MARK: Refusals

  /// An action on an empty list, which has nothing to do.
  private static func empty(_ action: String) -> Check {
    PlaylistChecks.editing(
      "empty/\(action.lowercased())", .practice, "\(action) on an empty list succeeds, and the state is Stopped.",
      source: PlaylistChecks.player, steps: "Empties the list, sends \(action), and reads TransportState and Id."
    ) { playlist async throws(Finding) in
      try await playlist.deleteAll()
      try await playlist.call(action)
      try await playlist.wait(forState: "Stopped")
      let id = try await playlist.value("Id")
      try playlist.context.expect(id == "0", "the Id 0", got: id)
    }
  }

  private static let refusals: [Check] =
    [
      PlaylistChecks.editing(
        "seek-id-unknown", .practice, "SeekId to an unknown id is refused with 800.", source: PlaylistChecks.player,
        steps: "Sends SeekId with the id of a track that was deleted."
      ) { playlist async throws(Finding) in
        let ids = try await playlist.fill(2)
        try await playlist.delete(ids[0])
        let answer = try await playlist.answer("SeekId", [("Value", "\(ids[0])")])
        try playlist.context.expectFault([800], answer, to: "an unknown id")
      },
      PlaylistChecks.editing(
        "seek-index-beyond", .practice, "SeekIndex beyond the list is refused with 802.", source: PlaylistChecks.player,
        steps: "Sends SeekIndex with the index 2 for a list of two tracks."
      ) { playlist async throws(Finding) in
        try await playlist.fill(2)
        let answer = try await playlist.answer("SeekIndex", [("Value", "2")])
        try playlist.context.expectFault([802], answer, to: "the index 2 of two tracks")
      },
    ] + ["Play", "Pause", "Stop", "Next", "Previous"].map { empty($0) }

  // MARK: Events

  private static let events: [Check] = [
    PlaylistChecks.editing(
      "id-array-event", .practice, "Each change of the list is evented in IdArray.",
      source: "UDA 1.0 §4.2: the SCPD events IdArray", needs: [.eventsOf(service)],
      steps: "Subscribes to Playlist, inserts two tracks and deletes one. An event has to have the remaining ids."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(1)
      try await playlist.context.withSubscription(to: playlist.context.service(service)) {
        subscription throws(Finding) in
        _ = try await playlist.context.initialEvent(subscription)
        let second = try await playlist.insert(playlist.uri(2), after: ids[0])
        let third = try await playlist.insert(playlist.uri(3), after: second)
        try await playlist.delete(ids[0])
        try await playlist.context.expectEvent(of: "IdArray", in: subscription, "of the ids \(second) and \(third)") {
          IDArray.ids($0) == [second, third]
        }
      }
    },
    PlaylistChecks.editing(
      "id-array-moderation", .practice, "Changes of the list in a row are merged into few events.",
      source: PlaylistChecks.player + " (one event per 0.3 s)", needs: [.eventsOf(service)],
      steps: "Inserts twenty tracks. There may be one event per 0.15 s of that time, and three more."
    ) { playlist async throws(Finding) in
      let context = playlist.context
      try await playlist.deleteAll()
      try await context.withSubscription(to: context.service(service)) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        let start = context.clock.now
        var ids: [UInt32] = []
        for number in 0..<20 { ids.append(try await playlist.insert(playlist.uri(number), after: ids.last ?? 0)) }
        let time = context.clock.now - start
        let expected = ids
        try await context.expectEvent(of: "IdArray", in: subscription, "of all tracks") { IDArray.ids($0) == expected }
        let events = await subscription.wait(.zero) { $0 } ?? []
        let count = events.dropFirst().count { event in
          (try? EventReader.read(event.body).variables)?.contains { $0.name == "IdArray" } ?? false
        }
        context.measure("events of 20 insertions", "\(count)")
        let most = 3 + Int(time / .milliseconds(150))
        try context.expect(count <= most, "at most \(most) events of IdArray", got: "\(count)")
      }
    },
  ]

  // MARK: Formats

  private static let formats: [Check] = [
    Check(
      "oh/playlist/transport-state", .openHome, .must,
      "TransportState is Playing, Paused, Stopped or Buffering.", source: PlaylistChecks.wiki,
      needs: [.action(service, "TransportState")], steps: "Reads TransportState."
    ) { context async throws(Finding) in
      let state = try await context.playlist.state()
      try context.expect(states.contains(state), "one of the four states", got: "\"\(state)\"")
    },
    OpenHomeFormats.protocolInfo(
      "oh/playlist/protocol-info", service, source: PlaylistChecks.wiki + "; hzeller/gmrender-resurrect#231"),
    Check(
      "oh/playlist/protocol-info-radio", .openHome, .must,
      "The ProtocolInfo of Playlist is that of Radio.", source: PlaylistChecks.wiki,
      needs: [.action(service, "ProtocolInfo"), .action("Radio", "ProtocolInfo")],
      steps: "Reads ProtocolInfo of Playlist and of Radio, which have to be the same."
    ) { context async throws(Finding) in
      let playlist = try await context.call(service, "ProtocolInfo")["Value"] ?? ""
      let radio = try await context.call("Radio", "ProtocolInfo")["Value"] ?? ""
      try context.expect(playlist == radio, "the same list", got: "\"\(radio.prefix(60))\" of Radio")
    },
  ]
}
