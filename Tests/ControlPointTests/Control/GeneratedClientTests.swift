import Testing
import UPnP

@testable import ControlPoint

/// The clients that are generated from service-xml/complete, on a device without a network.
@Suite struct GeneratedClientTests {
  // MARK: Inputs

  @Test func inputsAreSentInTheOrderOfTheDevice() async throws {
    let device = DeviceStandIn("SetVolume")
    let client = device.client(
      RenderingControl1Client.self, actions: ["SetVolume": ["Channel", "DesiredVolume", "InstanceID"]])
    try await client.setVolume(desiredVolume: 40)
    #expect(device.requests.count == 1)
    #expect(
      device.requests[0].contains(
        """
        <u:SetVolume xmlns:u="urn:schemas-upnp-org:service:RenderingControl:1"><Channel>Master</Channel>\
        <DesiredVolume>40</DesiredVolume><InstanceID>0</InstanceID></u:SetVolume>
        """))
  }

  @Test func inputsThatAreLeftOutHaveDefaults() async throws {
    let device = DeviceStandIn(
      "Browse", ["Result": "", "NumberReturned": "0", "TotalMatches": "0", "UpdateID": "1"])
    let client = device.client(
      ContentDirectory1Client.self,
      actions: ["Browse": ["ObjectID", "BrowseFlag", "Filter", "StartingIndex", "RequestedCount", "SortCriteria"]])
    let output = try await client.browse(objectID: "0", browseFlag: .browseDirectChildren, requestedCount: 20)
    #expect(output.updateID == 1)
    #expect(
      device.requests[0].contains(
        """
        <BrowseFlag>BrowseDirectChildren</BrowseFlag><Filter>*</Filter><StartingIndex>0</StartingIndex>\
        <RequestedCount>20</RequestedCount><SortCriteria></SortCriteria></u:Browse>
        """))
  }

  @Test func inputsOfEveryType() async throws {
    let device = DeviceStandIn("X")
    let transport = device.client(
      AVTransport1Client.self,
      actions: ["SetAVTransportURI": ["InstanceID", "CurrentURI", "CurrentURIMetaData"], "Seek": ["Unit", "Target"]])
    try await transport.setAVTransportURI(instanceID: 7, currentURI: "http://a/?b&c", currentURIMetaData: "")
    #expect(device.requests[0].contains("<InstanceID>7</InstanceID><CurrentURI>http://a/?b&amp;c</CurrentURI>"))
    try await transport.seek(unit: .relTime, target: "0:01:23")
    #expect(device.requests[1].contains("<Unit>REL_TIME</Unit><Target>0:01:23</Target>"))
    try await transport.seek(unit: .other("X_FRAMES"), target: "1")
    #expect(device.requests[2].contains("<Unit>X_FRAMES</Unit>"))
    let pins = device.client(
      Credentials1Client.self, actions: ["Set": ["Id", "UserName", "Password"], "SetEnabled": ["Id", "Enabled"]])
    try await pins.set(id: "a", userName: "b", password: [1, 2, 3])
    #expect(device.requests[3].contains("<Password>AQID</Password>"))
    try await pins.setEnabled(id: "a", enabled: true)
    #expect(device.requests[4].contains("<Enabled>1</Enabled>"))
  }

  @Test(arguments: [
    (["A", "B"], ["A=1", "B=2"], ["A=1", "B=2"]),
    (["B", "A"], ["A=1", "B=2"], ["B=2", "A=1"]),
    (["A"], ["A=1", "B=2"], ["A=1"]),
    (["A", "B", "C"], ["A=1", "B=2"], ["A=1", "B=2"]),
    (["A", "A"], ["A=1"], ["A=1"]),
    (["a"], ["A=1"], []),
    ([], ["A=1"], []),
    (["A"], [], []),
  ])
  func ordersArguments(declared: [String], given: [String], sent: [String]) {
    let action = ServiceDescription.Action(
      name: "X",
      arguments: declared.map { .init(name: $0, isInput: true, variable: "") }
        + [.init(name: "B", isInput: false, variable: "")])
    let arguments = given.map { (name: String($0.prefix(1)), value: String($0.suffix(1))) }
    #expect(action.ordered(arguments).map { "\($0.name)=\($0.value)" } == sent)
  }

  @Test func undeclaredActionIsNotSent() async throws {
    let device = DeviceStandIn("Play")
    let client = device.client(AVTransport1Client.self, actions: ["Play": ["InstanceID", "Speed"]])
    await #expect(throws: ControlPointError.notOffered("the action Pause of AVTransport")) { try await client.pause() }
    #expect(device.requests == [])
  }

  // MARK: Results

  @Test func severalResultsInAnyOrder() async throws {
    let device = DeviceStandIn(
      "GetTransportInfo",
      ["CurrentSpeed": "1", "Extra": "x", "CurrentTransportStatus": "OK", "CurrentTransportState": "PLAYING"])
    let client = device.client(AVTransport1Client.self, actions: ["GetTransportInfo": ["InstanceID"]])
    let info = try await client.getTransportInfo()
    #expect(info.currentTransportState == .playing)
    #expect(info.currentTransportStatus == .ok)
    #expect(info.currentSpeed == "1")
  }

  @Test(arguments: [
    ("PLAYING", AVTransport1Client.TransportState.playing), (" PLAYING\n", .playing),
    ("playing", .other("playing")), (" X_BUSY ", .other(" X_BUSY ")), ("", .other("")),
  ])
  func unknownEnumValuesAreKept(text: String, state: AVTransport1Client.TransportState) async throws {
    let device = DeviceStandIn(
      "GetTransportInfo",
      ["CurrentTransportState": text, "CurrentTransportStatus": "OK", "CurrentSpeed": "1"])
    let client = device.client(AVTransport1Client.self, actions: ["GetTransportInfo": ["InstanceID"]])
    #expect(try await client.getTransportInfo().currentTransportState == state)
  }

  @Test func enumValuesAreEqualIfTheirTextIs() {
    typealias State = AVTransport1Client.TransportState
    #expect(State.other("PLAYING") == .playing)
    #expect(Set([State.other("PLAYING"), .playing]).count == 1)
    #expect(State(rawValue: "PAUSED_PLAYBACK") == .pausedPlayback)
    #expect(State(rawValue: "x").rawValue == "x")
    #expect(State.specified.allSatisfy { State(rawValue: $0.rawValue) == $0 })
  }

  @Test(arguments: [("1", true), (" True ", true), ("yes", true), ("0", false), ("FALSE", false), ("no", false)])
  func booleansOfAnySpelling(text: String, value: Bool) async throws {
    let device = DeviceStandIn("GetMute", ["CurrentMute": text])
    let client = device.client(RenderingControl1Client.self, actions: ["GetMute": ["InstanceID", "Channel"]])
    #expect(try await client.getMute() == value)
  }

  @Test(
    arguments: [
      ("3", 3), (" 3\n", 3), ("", nil), (" ", nil), ("NOT_IMPLEMENTED", nil), ("2147483647", .max),
      // Too large for i4: some devices mean an unknown position.
      ("4294967295", nil),
    ] as [(String, Int32?)])
  func optionalNumbers(text: String, count: Int32?) async throws {
    #expect(try await position(relativeCount: text).relCount == count)
  }

  @Test func missingOptionalNumberIsNil() async throws {
    #expect(try await position(relativeCount: nil).relCount == nil)
  }

  @Test func otherTextIsNoOptionalNumber() async throws {
    await #expect(
      throws: ControlPointError.malformed("The answer to GetPositionInfo has the invalid RelCount \"many\".")
    ) {
      try await position(relativeCount: "many")
    }
  }

  private func position(relativeCount: String?) async throws -> AVTransport1Client.GetPositionInfoOutput {
    let texts = ["TrackDuration", "TrackMetaData", "TrackURI", "RelTime", "AbsTime"].map { "<\($0)/>" }.joined()
    let count = relativeCount.map { "<RelCount>\($0)</RelCount>" } ?? ""
    let device = DeviceStandIn(
      answer: "<R><Track>1</Track>\(texts)\(count)<AbsCount>2</AbsCount></R>")
    let client = device.client(AVTransport1Client.self, actions: ["GetPositionInfo": ["InstanceID"]])
    return try await client.getPositionInfo()
  }

  @Test(
    arguments: [
      (["CurrentVolume": "loud"], "The answer to GetVolume has the invalid CurrentVolume \"loud\"."),
      (["CurrentVolume": ""], "The answer to GetVolume has the invalid CurrentVolume \"\"."),
      (["CurrentVolume": "65536"], "The answer to GetVolume has the invalid CurrentVolume \"65536\"."),
      ([:], "The answer to GetVolume has no CurrentVolume."),
    ] as [(KeyValuePairs<String, String>, String)])
  func malformedResult(results: KeyValuePairs<String, String>, message: String) async throws {
    let device = DeviceStandIn("GetVolume", results)
    let client = device.client(RenderingControl1Client.self, actions: ["GetVolume": ["InstanceID", "Channel"]])
    await #expect(throws: ControlPointError.malformed(message)) { try await client.getVolume() }
  }

  @Test func binaryResult() async throws {
    let device = DeviceStandIn("IdArray", ["Token": "5", "Array": "AAAA\nAQ=="])
    let output = try await device.client(Playlist1Client.self, actions: ["IdArray": []]).idArray()
    #expect(output.token == 5)
    #expect(output.array == [0, 0, 0, 1])
  }

  @Test func faultHasItsCode() async throws {
    let device = DeviceStandIn(fault: 701, "Transition not available")
    let client = device.client(AVTransport1Client.self, actions: ["Play": ["InstanceID", "Speed"]])
    await #expect(throws: ControlPointError.fault(code: 701, description: "Transition not available")) {
      try await client.play()
    }
  }
}
