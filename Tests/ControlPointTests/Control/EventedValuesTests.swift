import Testing

@testable import ControlPoint

/// The evented variables of generated clients.
@Suite struct EventedValuesTests {
  @Test(
    arguments: [
      (EventedVariable("TransportState", "PLAYING"), true, values { $0.transportState = .playing }),
      (EventedVariable("TransportState", "X_BUSY"), true, values { $0.transportState = .other("X_BUSY") }),
      (EventedVariable("DRMState", "OK"), true, values { $0.drmState = .ok }),
      (EventedVariable("CurrentTrack", " 12 "), true, values { $0.currentTrack = 12 }),
      (EventedVariable("CurrentTrack", "NOT_IMPLEMENTED"), true, values { $0.currentTrack = nil }),
      (EventedVariable("CurrentTrack", ""), true, values { $0.currentTrack = nil }),
      (EventedVariable("CurrentTrack", "twelve"), false, values { _ in }),
      (EventedVariable("CurrentTrack", "-1"), false, values { _ in }),
      (
        EventedVariable("CurrentTrackDuration", "NOT_IMPLEMENTED"), true,
        values { $0.currentTrackDuration = "NOT_IMPLEMENTED" }
      ),
      (EventedVariable("CurrentTrackMetaData", ""), true, values { $0.currentTrackMetaData = "" }),
      (EventedVariable("LastChange", "<Event/>"), false, values { _ in }),
      (EventedVariable("A_ARG_TYPE_InstanceID", "0"), false, values { _ in }),
      (EventedVariable("currenttrack", "1"), false, values { _ in }),
    ] as [(EventedVariable, Bool, AVTransport2Client.Values)])
  func setsOneVariable(variable: EventedVariable, isValid: Bool, expected: AVTransport2Client.Values) {
    var values = Self.values { _ in }
    let wasSet = values.set(variable)
    #expect(wasSet == isValid)
    #expect(values == expected)
  }

  /// Values with CurrentTrack 3 and more changes.
  private static func values(_ change: (inout AVTransport2Client.Values) -> Void) -> AVTransport2Client.Values {
    var values = AVTransport2Client.Values()
    values.currentTrack = 3
    change(&values)
    return values
  }

  @Test(
    arguments: [
      (EventedVariable("Volume", channel: "Master", "40"), true, ["Master": 40, "LF": 7]),
      (EventedVariable("Volume", channel: "LF", "40"), true, ["LF": 40]),
      (EventedVariable("Volume", "40"), true, ["Master": 40, "LF": 7]),
      (EventedVariable("Volume", channel: "LF", ""), true, [:]),
      (EventedVariable("Volume", channel: "LF", "loud"), false, ["LF": 7]),
      (EventedVariable("Volume", channel: "Master", "-1"), false, ["LF": 7]),
    ] as [(EventedVariable, Bool, [String: UInt16])])
  func setsOneChannel(variable: EventedVariable, isValid: Bool, volume: [String: UInt16]) {
    var values = RenderingControl1Client.Values()
    values.volume["LF"] = 7
    let wasSet = values.set(variable)
    #expect(wasSet == isValid)
    #expect(values.volume == volume)
  }

  @Test func inventedChannelsAreBounded() {
    var values = RenderingControl1Client.Values()
    let accepted = (0..<100).filter { values.set(EventedVariable("Mute", channel: "X\($0)", "1")) }
    #expect(accepted == Array(0..<64))
    #expect(values.mute.count == 64)
    // A known channel still changes.
    let wasSet = values.set(EventedVariable("Mute", channel: "X0", "0"))
    #expect(wasSet)
    #expect(values.mute["X0"] == false)
  }

  @Test func propertiesOfOpenHome() {
    var values = Playlist1Client.Values()
    let variables = [
      EventedVariable("IdArray", "AAAAAQ=="), EventedVariable("Shuffle", "true"),
      EventedVariable("TransportState", "Playing"), EventedVariable("IdArray", "%"),
    ]
    let wasSet = variables.map { values.set($0) }
    #expect(wasSet == [true, true, true, false])
    #expect(values.idArray == [0, 0, 0, 1])
    #expect(values.shuffle == true)
    #expect(values.transportState == .playing)
  }

  @Test func onlyAVServicesHaveLastChange() {
    #expect(AVTransport2Client.lastChangeNamespace == "urn:schemas-upnp-org:metadata-1-0/AVT/")
    #expect(RenderingControl1Client.lastChangeNamespace == "urn:schemas-upnp-org:metadata-1-0/RCS/")
    #expect(ConnectionManager1Client.lastChangeNamespace == nil)
    #expect(Playlist1Client.lastChangeNamespace == nil)
  }
}
