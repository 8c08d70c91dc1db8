import ControlPoint
import UPnP

/// OpenHome's Transport, without playing.
enum TransportServiceChecks {
  static let service = "Transport"
  private static let wiki = OpenHomeWiki.transport
  static let player = "openhome/ohPipeline: OpenHome/Av/ProviderTransport.cpp"

  static let all: [Check] = state + mode("Repeat", .repeats) + mode("Shuffle", .shuffles) + refusals

  // MARK: State

  private static let state: [Check] = [
    Check(
      "oh/transport/modes", .openHome, .must, "Modes is a JSON array of texts, and not empty.", source: wiki,
      needs: [.action(service, "Modes")], steps: "Reads Modes."
    ) { context async throws(Finding) in
      let modes = try await context.texts("Modes", of: "Modes", service)
      try context.expect(!modes.isEmpty && !modes.contains(""), "modes", got: modes.isEmpty ? "none" : "an empty one")
    },
    Check(
      "oh/transport/mode-sources", .openHome, .practice, "Sources of the types Playlist, Radio and Receiver are modes.",
      source: player, needs: [.action(service, "Modes"), .action("Product", "SourceXml")],
      steps: "Compares Modes with SourceXml, without regard to case."
    ) { context async throws(Finding) in
      let modes = Set(try await context.texts("Modes", of: "Modes", service).map { $0.lowercased() })
      let types = Set(try await context.sources().compactMap(\.type)).intersection(["Playlist", "Radio", "Receiver"])
      try context.expectNone(
        types.filter { !modes.contains($0.lowercased()) }.sorted().map { "no mode \($0)" }, "modes for the sources")
    },
    Check(
      "oh/transport/state", .openHome, .practice,
      "TransportState is Playing, Paused, Stopped, Buffering or Waiting.",
      source: "home-assistant/core: components/openhome/media_player.py takes other texts for playing",
      needs: [.action(service, "TransportState")], steps: "Reads TransportState."
    ) { context async throws(Finding) in
      let state = try await context.result("State", of: "TransportState", service)
      try context.expect(
        ["Playing", "Paused", "Stopped", "Buffering", "Waiting"].contains(state), "one of these states",
        got: "\"\(state)\"")
    },
    Check(
      "oh/transport/source-state", .openHome, .practice, "TransportState is that of the service of the current source.",
      source: "bazwilliams/openhomedevice: device.py reads either of them",
      needs: [.action(service, "TransportState"), .action("Product", "SourceXml")],
      steps: "Reads TransportState of Transport, and of Playlist, Radio or Receiver if it is the current source."
    ) { context async throws(Finding) in
      let sources = try await context.sources()
      let index = try await context.integer(of: "SourceIndex", "Product")
      guard sources.indices.contains(index), let type = sources[index].type,
        ["Playlist", "Radio", "Receiver"].contains(type), context.target.service(type) != nil
      else { throw .skip("the current source has no service") }
      let state = try await context.result("State", of: "TransportState", service)
      try await context.expectSoon(state, of: "TransportState", type, "of \(type)")
    },
    Check(
      "oh/transport/stream-id", .openHome, .must, "StreamInfo and StreamId return the same id.", source: wiki,
      needs: [.action(service, "StreamInfo"), .action(service, "StreamId")], steps: "Compares the two."
    ) { context async throws(Finding) in
      let one = try await context.integer("StreamId", of: "StreamInfo", service)
      let other = try await context.integer("StreamId", of: "StreamId", service)
      try context.expect(one == other, "the id \(one)", got: "\(other)")
    },
    Check(
      "oh/transport/stop", .openHome, .practice, "Stop succeeds while nothing plays.", source: player,
      needs: [.action(service, "Stop")], changes: [.source, .standby],
      steps: "Calls Stop, twice. Passes if both calls succeed and the state is not Playing."
    ) { context async throws(Finding) in
      for _ in 0..<2 { try await context.call(service, "Stop") }
      let state = try await context.result("State", of: "TransportState", service)
      try context.expect(state != "Playing", "another state than Playing", got: state)
    },
  ]

  // MARK: Repeat and shuffle

  private static func mode(_ name: String, _ setting: Setting) -> [Check] {
    let lower = name.lowercased()
    let needs: [Prerequisite] = [.action(service, name), .action(service, "Set\(name)")]
    return [
      Check(
        "oh/transport/\(lower)", .openHome, .practice, "\(name) returns what Set\(name) has set.", source: player,
        needs: needs, changes: [setting], steps: "Sets \(lower) to true and to false. \(name) becomes each of them."
      ) { context async throws(Finding) in
        for value in ["1", "0"] {
          try await context.write(setting, value)
          try await context.expectSoon(value, name, of: name, service, "after Set\(name)")
        }
      },
      Check(
        "oh/transport/\(lower)-playlist", .openHome, .practice, "Transport and Playlist have the same \(lower).",
        source: player, needs: needs + [.action("Playlist", name), .action("Playlist", "Set\(name)")],
        changes: [setting], steps: "Sets \(lower) with Transport and reads it with Playlist, and the reverse."
      ) { context async throws(Finding) in
        try await context.write(setting, "1")
        try await context.expectSoon("1", of: name, "Playlist", "of Playlist after Set\(name) of Transport")
        try await context.call("Playlist", "Set\(name)", [("Value", "0")])
        try await context.expectSoon("0", name, of: name, service, "of Transport after Set\(name) of Playlist")
      },
      Check(
        "oh/transport/\(lower)-event", .openHome, .practice, "A change of \(lower) is evented.",
        source: "UDA 1.0 §4.2: the SCPD events \(name)", needs: needs + [.eventsOf(service)], changes: [setting],
        steps: "Subscribes to Transport, and sets \(lower) to the other value."
      ) { context async throws(Finding) in
        let isOn = try await context.boolean(name, of: name, service)
        try await context.expectEvent(service, name, "after Set\(name)") {
          CheckContext.boolean($0) == !isOn
        } after: {
          () async throws(Finding) in
          try await context.write(setting, isOn ? "0" : "1")
        }
      },
    ]
  }

  // MARK: Refusals

  private static let refusals: [Check] = [
    Check(
      "oh/transport/unknown-mode", .openHome, .practice, "PlayAs refuses an unknown mode with 801.", source: player,
      needs: [.action(service, "PlayAs")], changes: [.source, .standby],
      steps: "Calls PlayAs with the mode NoSuchMode. Passes with 801, or 402, 600 or 601 of UDA."
    ) { context async throws(Finding) in
      let answer = try await context.answer(service, "PlayAs", [("Mode", "NoSuchMode"), ("Command", "")])
      try context.expectFault([402, 600, 601, 801], answer, to: "the mode NoSuchMode")
    },
    Check(
      "oh/transport/stale-stream", .openHome, .practice, "A seek in another stream than the current one is refused.",
      source: player, needs: [.action(service, "SeekSecondAbsolute"), .action(service, "StreamId")],
      changes: [.source, .standby],
      steps:
        "Calls SeekSecondAbsolute with the current StreamId + 100. Passes with 804 (other stream) or 803 (seek failed)."
    ) { context async throws(Finding) in
      let stream = try await context.integer("StreamId", of: "StreamId", service)
      let answer = try await context.answer(
        service, "SeekSecondAbsolute", [("StreamId", "\((stream + 100) % 1_000_000)"), ("SecondAbsolute", "1")])
      try context.expectFault([803, 804], answer, to: "the stream \(stream + 100)")
    },
  ]
}
