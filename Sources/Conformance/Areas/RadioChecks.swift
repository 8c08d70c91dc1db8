import ControlPoint
import UPnP

/// OpenHome's Radio: presets and channels.
enum RadioChecks {
  static let service = "Radio"
  static let wiki = "OpenHome wiki, Av:Developer:RadioService"
  private static let player = "openhome/ohPipeline: OpenHome/Av/Radio/ProviderRadio.cpp"

  static let all: [Check] = presets + channel

  // MARK: Presets

  private static func reading(
    _ id: String, _ level: Level, _ requirement: String, source: String, steps: String,
    procedure: @escaping @Sendable (CheckContext, [UInt32]) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/radio/\(id)", .openHome, level, requirement, source: source, needs: [.action(service, "IdArray")],
      steps: steps
    ) { context async throws(Finding) in
      try await procedure(context, try await context.idArray(service).ids)
    }
  }

  /// The ids of presets that are set.
  private static func set(_ ids: [UInt32]) throws(Finding) -> [UInt32] {
    let set = ids.filter { $0 != 0 }
    if set.isEmpty { throw .skip("the radio has no presets") }
    return set
  }

  private static func list(_ context: CheckContext, _ ids: [UInt32]) async throws(Finding) -> [ListEntry] {
    try await context.readList(service, "ChannelList", ids: ids)
  }

  private static let presets: [Check] = [
    reading(
      "channels-max", .must, "IdArray has ChannelsMax elements, with 0 for presets that are not set.",
      source: wiki + "; Linn documentation, Developer:Davaar:RadioService",
      steps: "Reads ChannelsMax and IdArray, and compares the count of ids."
    ) { context, ids async throws(Finding) in
      let text = try await context.call(service, "ChannelsMax")["Value"] ?? ""
      try context.expect(Int(device: text) == ids.count, "\(ids.count) ids", got: "ChannelsMax \"\(text)\"")
    },
    reading(
      "ids-unique", .practice, "Each preset has an id of its own.", source: player,
      steps: "Reads IdArray. Ids other than 0 have to differ."
    ) { context, ids async throws(Finding) in
      let ids = try set(ids)
      try context.expect(Set(ids).count == ids.count, "ids that differ", got: "\(ids)")
    },
    reading(
      "read-list", .practice, "ReadList returns the presets in the order in which it was asked.", source: player,
      steps: "Calls ReadList for all presets in reverse order."
    ) { context, ids async throws(Finding) in
      let asked = Array(try set(ids).prefix(50).reversed())
      let entries = try await list(context, asked)
      try context.expect(entries.map(\.id) == asked, "the ids \(asked)", got: "\(entries.map(\.id))")
    },
    reading(
      "read-list-empty", .practice, "ReadList leaves out the zeros of IdArray, or answers them without metadata.",
      source: player, steps: "Calls ReadList for 0 and two presets."
    ) { context, ids async throws(Finding) in
      let entries = try await list(context, [0] + ids.filter { $0 != 0 }.prefix(2))
      let wrong = entries.filter { $0.id == 0 && !$0.metadata.isEmpty }
      try context.expectNone(wrong.map { "\"\($0.metadata.prefix(40))\"" }, "no metadata for the id 0")
    },
    reading(
      "read", .practice, "Read and ReadList return the same metadata.", source: player,
      steps: "Calls Read and ReadList for the first five presets."
    ) { context, ids async throws(Finding) in
      let asked = Array(try set(ids).prefix(5))
      for entry in try await list(context, asked) {
        let metadata = try await context.call(service, "Read", [("Id", "\(entry.id)")])["Metadata"] ?? ""
        try context.expect(
          metadata == entry.metadata, "\"\(entry.metadata.prefix(40))\" as of ReadList",
          got: "\"\(metadata.prefix(40))\"")
      }
    },
    reading(
      "preset-metadata", .practice, "The metadata of a preset is DIDL-Lite with a title and a URI.",
      source: "SetId needs the URI, and the metadata is the only place where Radio returns it",
      steps: "Reads the first twenty presets. Each needs a <dc:title> and a <res> with a URI."
    ) { context, ids async throws(Finding) in
      var problems: [String] = []
      for entry in try await list(context, Array(try set(ids).prefix(20))) {
        let texts = DIDLLite.texts(of: ["title", "res"], in: entry.metadata)
        if texts["title"] == nil { problems.append("no title of preset \(entry.id)") }
        if texts["res"] == nil { problems.append("no URI of preset \(entry.id)") }
      }
      try context.expectNone(problems, "title and URI")
    },
    reading(
      "read-unknown", .practice, "Read of an unknown id is refused with 800.", source: player,
      steps: "Calls Read with an id that is not in IdArray."
    ) { context, ids async throws(Finding) in
      let answer = try await context.answer(service, "Read", [("Id", "\(unknown(ids))")])
      try context.expectFault([800], answer, to: "an unknown id")
    },
    reading(
      "token", .must, "IdArrayChanged returns false while the presets stay as they are.", source: wiki,
      steps: "Calls IdArrayChanged with the token that IdArray returned just before."
    ) { context, _ async throws(Finding) in
      let token = try await context.idArray(service).token
      let text = try await context.call(service, "IdArrayChanged", [("Token", token)])["Value"] ?? ""
      guard case .value(false) = Bool.read(text) else { throw .failure(expected: "false", got: "\"\(text)\"") }
    },
    OpenHomeFormats.protocolInfo("oh/radio/protocol-info", service, source: wiki + "; hzeller/gmrender-resurrect#231"),
    Check(
      "oh/radio/transport-state", .openHome, .practice, "TransportState is Playing, Paused, Stopped or Buffering.",
      source: "openhome/ohNet: the allowedValueList of Radio's SCPD", needs: [.action(service, "TransportState")],
      steps: "Reads TransportState."
    ) { context async throws(Finding) in
      let state = try await context.call(service, "TransportState")["Value"] ?? ""
      try context.expect(
        ["Playing", "Paused", "Stopped", "Buffering"].contains(state), "one of the four states", got: "\"\(state)\"")
    },
  ]

  private static func unknown(_ ids: [UInt32]) -> UInt32 { (ids.max() ?? 0) + 4711 }

  // MARK: Channel

  /// A check that sets the channel without playing it.
  private static func setting(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/radio/\(id)", .openHome, level, requirement, source: source,
      needs: [.action(service, "SetChannel"), .action(service, "Channel")] + needs, changes: [.channel], steps: steps,
      procedure: procedure)
  }

  private static let metadata = """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/">\
    <item id="1" parentID="0" restricted="1"><dc:title>Ö1 &amp; "Klassik"</dc:title></item></DIDL-Lite>
    """

  /// A new address on this host that is never played.
  private static func uri(_ context: CheckContext) -> String {
    context.sink.url("/\(UInt32.random(in: .min ... .max)).wav") + "?a=1&b=2"
  }

  private static let channel: [Check] = [
    setting(
      "set-channel", .must, "Channel returns the URI and metadata that SetChannel has set.", source: wiki,
      steps: "Sends SetChannel with metadata in DIDL-Lite, and compares what Channel returns, byte for byte."
    ) { context async throws(Finding) in
      let uri = uri(context)
      try await context.call(service, "SetChannel", [("Uri", uri), ("Metadata", metadata)])
      let values = try await context.call(service, "Channel")
      try context.expect(values["Uri"] == uri, "the URI \(uri)", got: "\"\(values["Uri"] ?? "")\"")
      try context.expect(
        values["Metadata"] == metadata, "the same metadata", got: "\"\((values["Metadata"] ?? "").prefix(60))\"")
    },
    setting(
      "set-channel-event", .practice, "SetChannel is evented in Uri and Metadata.",
      source: "UDA 1.0 §4.2: the SCPD events them", needs: [.eventsOf(service)],
      steps: "Subscribes to Radio and sends SetChannel. One event has to have the new Uri."
    ) { context async throws(Finding) in
      let uri = uri(context)
      try await context.expectEvent(service, "Uri", "with \(uri)", where: { $0 == uri }) { () async throws(Finding) in
        try await context.call(service, "SetChannel", [("Uri", uri), ("Metadata", metadata)])
      }
    },
    setting(
      "set-channel-id", .practice, "A channel that is no preset has the Id 0.", source: player,
      needs: [.action(service, "Id")], steps: "Sends SetChannel with a URI of its own and reads Id."
    ) { context async throws(Finding) in
      try await context.call(service, "SetChannel", [("Uri", uri(context)), ("Metadata", metadata)])
      let id = try await context.call(service, "Id")["Value"] ?? ""
      try context.expect(id == "0", "the Id 0", got: "\"\(id)\"")
    },
    setting(
      "set-id", .must, "SetId selects a preset: Id, Channel and their events follow.", source: wiki,
      needs: [.action(service, "SetId"), .eventsOf(service)],
      steps: "Sends SetId with the id and the URI of a preset. Id has to be evented, and Channel has to return the URI."
    ) { context async throws(Finding) in
      let ids = try set(try await context.idArray(service).ids)
      let current = try await context.call(service, "Id")["Value"] ?? ""
      let id = ids.first { "\($0)" != current } ?? ids[0]
      let metadata = try await list(context, [id]).first?.metadata ?? ""
      guard let uri = DIDLLite.texts(of: ["res"], in: metadata)["res"] else {
        throw .skip("preset \(id) has no URI in its metadata")
      }
      try await context.expectEvent(service, "Id", "with \(id)", where: { $0 == "\(id)" }) { () async throws(Finding) in
        try await context.call(service, "SetId", [("Value", "\(id)"), ("Uri", uri)])
      }
      let channel = try await context.call(service, "Channel")["Uri"] ?? ""
      try context.expect(channel == uri, "the URI \(uri)", got: "\"\(channel)\"")
    },
    setting(
      "set-id-unknown", .practice, "SetId with an unknown id is refused.", source: player,
      needs: [.action(service, "SetId")],
      steps: "Sends SetId with an id that is not in IdArray. Any error from 800 to 803 passes."
    ) { context async throws(Finding) in
      let ids = try await context.idArray(service).ids
      let answer = try await context.answer(
        service, "SetId", [("Value", "\(unknown(ids))"), ("Uri", uri(context))])
      try context.expectFault([800, 801, 802, 803], answer, to: "an unknown id")
    },
  ]
}
