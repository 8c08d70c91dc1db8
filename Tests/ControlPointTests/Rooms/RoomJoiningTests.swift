import Testing

@testable import ControlPoint

/// The requests that a speaker receives when it joins and leaves a group.
@Suite struct RoomJoiningTests {
  private static let product = [
    "SourceXml": [], "SourceIndex": [], "SetSourceIndex": ["Value"], "Standby": [], "SetStandby": ["Value"],
  ]
  private static let uri = "ohz://239.255.255.250:51972/zone"

  private static func device(source: Int, standby: Bool = false) -> SpeakerStandIn {
    SpeakerStandIn([
      "Product:2": product, "Sender:2": ["Metadata": [], "Status": []],
      "Receiver:1": ["Sender": [], "SetSender": ["Uri", "Metadata"], "Play": [], "Stop": [], "TransportState": []],
    ]) { call in
      switch (call.service, call.action) {
      case (_, "Standby"): .results(["Value": standby ? "1" : "0"])
      case (_, "SourceIndex"): .results(["Value": "\(source)"])
      case (_, "SourceXml"):
        .results([
          "Value": "<SourceList>"
            + ["Playlist", "Receiver"].map {
              "<Source><Name>\($0)</Name><Type>\($0)</Type><Visible>1</Visible></Source>"
            }.joined() + "</SourceList>"
        ])
      case ("Sender:2", "Metadata"): .results(["Value": ""])
      case ("Sender:2", "Status"): .results(["Value": "Disabled"])
      case ("Receiver:1", "Sender"): .results(["Uri": uri, "Metadata": "m"])
      case ("Receiver:1", "TransportState"): .results(["Value": "Waiting"])
      default: .results([:])
      }
    }
  }

  @Test(arguments: [(0, false), (1, true)]) func saysWhetherItReceives(source: Int, isCurrent: Bool) async throws {
    let state = try await Self.device(source: source).speaker("av-openhome-org").roomState()
    #expect(state.sender == RoomSender(uri: "", metadata: "", status: .disabled))
    let sender = RoomSender(uri: Self.uri, metadata: "m")
    #expect(state.receiver == .init(sender: sender, isCurrent: isCurrent, state: .waiting))
    #expect(state.received == (isCurrent ? sender : nil))
    #expect(state.hosts == ["192.0.2.1"])
  }

  @Test func rendererHasNeitherSenderNorReceiver() async throws {
    let device = SpeakerStandIn(["AVTransport:1": ["Play": []]]) { _ in .results([:]) }
    let speaker = try await device.speaker("schemas-upnp-org")
    let state = try await speaker.roomState()
    #expect(state.sender == nil)
    #expect(state.receiver == nil)
    await #expect(throws: ControlPointError.self) { try await speaker.join(RoomSender(uri: "x", metadata: "")) }
  }

  @Test(arguments: [
    (0, true, ["SetStandby 0", "SetSender \(uri)", "SetSourceIndex 1", "Play"]),
    (1, false, ["SetSender \(uri)", "Play"]),
  ])
  func joins(source: Int, standby: Bool, commands: [String]) async throws {
    let device = Self.device(source: source, standby: standby)
    try await device.speaker("av-openhome-org").join(RoomSender(uri: Self.uri, metadata: "m"))
    #expect(device.commands == commands)
  }

  @Test(arguments: [(0, []), (1, ["SetSourceIndex 0"])]) func leaves(source: Int, commands: [String]) async throws {
    let device = Self.device(source: source)
    try await device.speaker("av-openhome-org").leave()
    #expect(device.commands == commands)
  }
}
