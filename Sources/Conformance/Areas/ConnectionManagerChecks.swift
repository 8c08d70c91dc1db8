import ControlPoint
import UPnP

/// ConnectionManager: formats and connections.
enum ConnectionManagerChecks {
  private static let service = "ConnectionManager"
  private static let information = Prerequisite.action(service, "GetCurrentConnectionInfo")

  static let all: [Check] = [
    Check(
      "cm/2.4/sink", .connectionManager, .practice, "A renderer lists the formats that it plays in Sink.",
      source: "xbmc/xbmc#29130", needs: [.action(service, "GetProtocolInfo"), .service("AVTransport")],
      steps: "Calls GetProtocolInfo. Passes if Sink is not empty."
    ) { context async throws(Finding) in
      let sink = try await context.call(service, "GetProtocolInfo")["Sink"] ?? ""
      try context.expect(!sink.isEmpty, "formats in Sink", got: "an empty text")
    },
    Check(
      "cm/2.5.2/protocol-info", .connectionManager, .practice,
      "Each entry of Sink and Source has four fields that are not empty, with a MIME type or * in the third.",
      source: "ConnectionManager:1 §2.5.2; hzeller/gmrender-resurrect#231",
      needs: [.action(service, "GetProtocolInfo")],
      steps:
        "Calls GetProtocolInfo. Passes if each entry of both lists has this form; the format is only judged for http-get."
    ) { context async throws(Finding) in
      let results = try await context.call(service, "GetProtocolInfo")
      let malformed = ["Source", "Sink"].flatMap { ProtocolInfoForm.malformed(in: results[$0] ?? "") }
      try context.expectNone(malformed, "protocol:network:format:info")
    },
    Check(
      "cm/2.4/connection-ids", .connectionManager, .practice,
      "GetCurrentConnectionIDs returns a list of numbers, and 0 without PrepareForConnection.",
      source: "ConnectionManager:1 §2.4", needs: [.action(service, "GetCurrentConnectionIDs")],
      steps:
        "Calls GetCurrentConnectionIDs. Passes with a list of numbers, and with exactly 0 if PrepareForConnection is not declared."
    ) { context async throws(Finding) in
      let list = try await context.call(service, "GetCurrentConnectionIDs")["ConnectionIDs"] ?? ""
      let ids = list.split(separator: ",").map { Int(device: $0) }
      try context.expect(!ids.contains(nil), "numbers with commas between them", got: "\"\(list)\"")
      let prepares = try context.service(service).scpd?.action("PrepareForConnection") != nil
      try context.expect(prepares || list == "0", "the list 0", got: "\"\(list)\"")
    },
    Check(
      "cm/2.4/connection-info", .connectionManager, .practice,
      "Connection 0 has the RcsID and AVTransportID 0 or -1, the Direction Input or Output, and the Status OK or Unknown.",
      source: "schlarpc/castaway, docs/dlna-conformance.md", needs: [information],
      steps: "Calls GetCurrentConnectionInfo for the ConnectionID 0. Passes if the four values are among these."
    ) { context async throws(Finding) in
      let info = try await context.call(service, "GetCurrentConnectionInfo", [("ConnectionID", "0")])
      for (name, allowed) in [
        ("RcsID", ["0", "-1"]), ("AVTransportID", ["0", "-1"]), ("Direction", ["Input", "Output"]),
        ("Status", ["OK", "Unknown"]),
      ] {
        let value = info[name] ?? ""
        try context.expect(
          allowed.contains(value), "\(name) \(allowed.joined(separator: " or "))", got: "\"\(value)\"")
      }
    },
    Check(
      "cm/2.4/connection-direction", .connectionManager, .practice,
      "Connection 0 of a renderer is an Input, and that of a media server an Output.",
      source: "ConnectionManager:1 §2.2: Direction is that of the device",
      needs: [information], steps: "Calls GetCurrentConnectionInfo for the ConnectionID 0. Passes with this Direction."
    ) { context async throws(Finding) in
      let services = ["AVTransport", "ContentDirectory"].filter { context.target.service($0) != nil }
      // The connection of a device that is both may be of either.
      guard services.count == 1 else { throw .skip("the device is not either a renderer or a media server") }
      let direction = services == ["AVTransport"] ? "Input" : "Output"
      let info = try await context.call(service, "GetCurrentConnectionInfo", [("ConnectionID", "0")])
      try context.expect(
        info["Direction"] == direction, "the Direction \(direction)", got: "\"\(info["Direction"] ?? "")\"")
    },
    Check(
      "cm/2.4/unknown-connection", .connectionManager, .must, "An unknown ConnectionID is refused with 706.",
      source: "the table of error codes in ConnectionManager:1 §2.4", needs: [information],
      steps: "Calls GetCurrentConnectionInfo for the ConnectionID 4711. Passes with error 706."
    ) { context async throws(Finding) in
      let answer = try await context.answer(service, "GetCurrentConnectionInfo", [("ConnectionID", "4711")])
      try context.expectFault([706], answer, to: "the ConnectionID 4711")
    },
    Check(
      "cm/2.3/plain-events", .connectionManager, .practice,
      "SourceProtocolInfo, SinkProtocolInfo and CurrentConnectionIDs are evented as they are, not in LastChange.",
      source: "xbmc/xbmc#29130", needs: [.service(service)],
      steps: "Subscribes and reads the first event. Passes if each of the three variables is a property of its own."
    ) { context async throws(Finding) in
      let service = try context.service(service)
      let event = try await context.withSubscription(to: service) { subscription throws(Finding) in
        try await context.initialEvent(subscription)
      }
      let names = try context.propertyNames(event)
      try context.expectNone(
        ["SourceProtocolInfo", "SinkProtocolInfo", "CurrentConnectionIDs"].filter { !names.contains($0) }
          .map { "no \($0)" }, "the three variables in the initial event")
    },
  ]
}
