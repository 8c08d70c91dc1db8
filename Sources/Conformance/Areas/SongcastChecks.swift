import ControlPoint
import UPnP

/// OpenHome's Receiver and Sender, without their audio.
enum SongcastChecks {
  private static let receiver = "Receiver"
  private static let sender = "Sender"
  private static let receiverWiki = "OpenHome wiki, Av:Developer:ReceiverService"
  private static let senderWiki = "OpenHome wiki, Av:Developer:SenderService"
  private static let schemes = ["ohz", "ohm", "ohu"]

  static let all: [Check] = receiving + sending

  // MARK: Receiver

  /// A zone without a sender.
  private static let zone = "ohz://239.255.255.250:51972/6c0a1f3e-conformance-test"

  private static func setting(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/receiver/\(id)", .openHome, level, requirement, source: source,
      needs: [.action(receiver, "SetSender"), .action(receiver, "Sender")] + needs, changes: [.sender], steps: steps,
      procedure: procedure)
  }

  private static func set(_ context: CheckContext, _ uri: String, _ metadata: String) async throws(Finding) {
    try await context.call(receiver, "SetSender", [("Uri", uri), ("Metadata", metadata)])
  }

  private static let receiving: [Check] = [
    Check(
      "oh/receiver/protocol-info", .openHome, .practice, "ProtocolInfo of Receiver names ohz, ohm and ohu.",
      source: "openhome/ohPipeline: OpenHome/Av/Songcast/SourceReceiver.cpp",
      needs: [.action(receiver, "ProtocolInfo")],
      steps: "Reads ProtocolInfo, which has to have an entry for each of the three protocols."
    ) { context async throws(Finding) in
      let text = try await context.call(receiver, "ProtocolInfo")["Value"] ?? ""
      let protocols = ProtocolInfo.list(text).map(\.transport)
      try context.expectNone(schemes.filter { !protocols.contains($0) }.map { "no \($0)" }, "ohz, ohm and ohu")
    },
    Check(
      "oh/receiver/transport-state", .openHome, .practice, "TransportState is Stopped, Playing, Waiting or Buffering.",
      source: "openhome/ohNet: the allowedValueList of Receiver's SCPD", needs: [.action(receiver, "TransportState")],
      steps: "Reads TransportState."
    ) { context async throws(Finding) in
      let state = try await context.call(receiver, "TransportState")["Value"] ?? ""
      try context.expect(
        ["Stopped", "Playing", "Waiting", "Buffering"].contains(state), "one of the four states", got: "\"\(state)\"")
    },
    setting(
      "set-sender", .must, "Sender returns what SetSender has set, byte for byte.", source: receiverWiki,
      steps: "Sends SetSender with a zone and metadata in DIDL-Lite, and reads Sender."
    ) { context async throws(Finding) in
      let metadata = "<DIDL-Lite><item id=\"0\"><res protocolInfo=\"ohz:*:*:u\">\(zone)</res></item></DIDL-Lite>"
      try await set(context, zone, metadata)
      let values = try await context.call(receiver, "Sender")
      try context.expect(values["Uri"] == zone, "the URI \(zone)", got: "\"\(values["Uri"] ?? "")\"")
      try context.expect(values["Metadata"] == metadata, "the same metadata", got: "\"\(values["Metadata"] ?? "")\"")
    },
    setting(
      "set-sender-event", .practice, "SetSender is evented in Uri.", source: "UDA 1.0 §4.2: the SCPD events Uri",
      needs: [.eventsOf(receiver)], steps: "Subscribes to Receiver and sends SetSender with a zone."
    ) { context async throws(Finding) in
      try await context.expectEvent(receiver, "Uri", "with \(zone)", where: { $0 == zone }) {
        () async throws(Finding) in
        try await set(context, zone, "")
      }
    },
    setting(
      "set-sender-source", .practice, "SetSender selects the source Receiver.",
      source: "openhome/ohPipeline: OpenHome/Av/Songcast/SourceReceiver.cpp",
      needs: [
        .action(ProductChecks.service, "SourceXml"), .action(ProductChecks.service, "SourceIndex"),
        .action(ProductChecks.service, "SetSourceIndex"),
      ],
      steps: "Selects another source, sends SetSender with a zone, and reads SourceIndex."
    ) { context async throws(Finding) in
      let sources = try await context.sources()
      guard let index = sources.firstIndex(where: { $0.type == receiver }),
        let other = sources.indices.first(where: { $0 != index })
      else { throw .skip("there is no source of the type Receiver, or no other one") }
      try await context.call(ProductChecks.service, "SetSourceIndex", [("Value", "\(other)")])
      try await set(context, zone, "")
      try await context.expectSoon("\(index)", of: "SourceIndex", ProductChecks.service, "after SetSender")
    },
    setting(
      "bad-sender", .practice, "SetSender refuses a URI of another scheme with 800.",
      source: "openhome/ohPipeline: OpenHome/Av/Songcast/ProviderReceiver.cpp",
      steps: "Sends SetSender with an http URI. It has to be refused with 800."
    ) { context async throws(Finding) in
      let answer = try await context.answer(
        receiver, "SetSender", [("Uri", context.sink.url("/sender")), ("Metadata", "")])
      try context.expectFault([800], answer, to: "an http URI")
    },
    setting(
      "no-sender", .practice, "SetSender with an empty URI clears the sender.",
      source: "openhome/ohPipeline: OpenHome/Av/Songcast/SourceReceiver.cpp",
      steps: "Sends SetSender with a zone, then with an empty URI, and reads Sender."
    ) { context async throws(Finding) in
      try await set(context, zone, "")
      try await set(context, "", "")
      let uri = try await context.call(receiver, "Sender")["Uri"] ?? ""
      try context.expect(uri.isEmpty, "an empty Uri", got: "\"\(uri)\"")
    },
  ]

  // MARK: Sender

  private static func value(_ action: String, _ context: CheckContext) async throws(Finding) -> String {
    try await context.call(sender, action)["Value"] ?? ""
  }

  /// A value that has to be one of a list.
  private static func status(_ action: String, _ allowed: [String]) -> Check {
    Check(
      "oh/sender/\(action.lowercased())", .openHome, .practice,
      "\(action) is \(allowed.dropLast().joined(separator: ", ")) or \(allowed.last ?? "").",
      source: "openhome/ohNet: the allowedValueList of Sender's SCPD", needs: [.action(sender, action)],
      steps: "Reads \(action)."
    ) { context async throws(Finding) in
      let text = try await value(action, context)
      try context.expect(allowed.contains(text), allowed.joined(separator: " or "), got: "\"\(text)\"")
    }
  }

  private static let sending: [Check] = [
    status("Status", ["Enabled", "Disabled", "Blocked"]),
    status("Status2", ["Sending", "Ready", "Blocked", "Inactive", "Disabled"]),
    Check(
      "oh/sender/enabled", .openHome, .practice, "Enabled, Status and Status2 agree.",
      source: "openhome/ohPipeline: OpenHome/Av/Songcast/ZoneHandler.cpp and ProviderSender",
      needs: [.action(sender, "Enabled"), .action(sender, "Status"), .action(sender, "Status2")],
      steps: "Reads the three. A sender that is not enabled has to be Disabled in both."
    ) { context async throws(Finding) in
      guard case .value(let isEnabled) = Bool.read(try await value("Enabled", context)) else {
        throw .failure(expected: "a boolean as Enabled", got: "a text")
      }
      for action in ["Status", "Status2"] {
        let text = try await value(action, context)
        try context.expect(
          (text == "Disabled") == !isEnabled, isEnabled ? "a \(action) other than Disabled" : "\(action) Disabled",
          got: "\"\(text)\"")
      }
    },
    Check(
      "oh/sender/audio", .openHome, .must, "Audio is a boolean, and false while nothing is sent.", source: senderWiki,
      needs: [.action(sender, "Audio"), .action(sender, "Status")],
      steps: "Reads Audio and Status. A disabled sender has to have no audio."
    ) { context async throws(Finding) in
      let text = try await value("Audio", context)
      guard case .value(let hasAudio) = Bool.read(text) else {
        throw .failure(expected: "a boolean as Audio", got: "\"\(text)\"")
      }
      let status = try await value("Status", context)
      try context.expect(status != "Disabled" || !hasAudio, "no audio while Disabled", got: "Audio \(text)")
    },
    Check(
      "oh/sender/metadata", .openHome, .must, "Metadata is DIDL-Lite with a title and a URI of Songcast.",
      source: senderWiki + "; openhome/ohPipeline: OpenHome/Av/Songcast/Sender.cpp",
      needs: [.action(sender, "Metadata"), .action(sender, "Status")],
      steps: "Reads Metadata. Its <res> needs an ohz, ohm or ohu URI, which a control point gives to SetSender."
    ) { context async throws(Finding) in
      let metadata = try await value("Metadata", context)
      let texts = DIDLLite.texts(of: ["title", "res"], in: metadata)
      if metadata.isEmpty, try await value("Status", context) == "Disabled" { throw .skip("the sender is disabled") }
      try context.expect(texts["title"] != nil, "a title", got: "\"\(metadata.prefix(60))\"")
      let uri = texts["res"] ?? ""
      try context.expect(
        schemes.contains { uri.hasPrefix("\($0)://") }, "an ohz, ohm or ohu URI", got: "\"\(uri)\"")
    },
    Check(
      "oh/sender/presentation-url", .openHome, .must, "PresentationUrl is empty or a URL.", source: senderWiki,
      needs: [.action(sender, "PresentationUrl")], steps: "Reads PresentationUrl."
    ) { context async throws(Finding) in
      let text = try await value("PresentationUrl", context)
      try context.expect(
        text.isEmpty || text.hasPrefix("http://") || text.hasPrefix("https://"), "an http URL", got: "\"\(text)\"")
    },
    Check(
      "oh/sender/attributes", .openHome, .must, "Attributes names services that the device has.", source: senderWiki,
      needs: [.action(sender, "Attributes")],
      steps: "Reads Attributes. For Info and Time, the device has to have the service."
    ) { context async throws(Finding) in
      let words = try await value("Attributes", context).split(separator: " ").map(String.init)
      let missing = ["Info", "Time"].filter { words.contains($0) && context.target.service($0) == nil }
      try context.expectNone(missing.map { "no \($0)" }, "the services in \"\(words.joined(separator: " "))\"")
    },
  ]
}
