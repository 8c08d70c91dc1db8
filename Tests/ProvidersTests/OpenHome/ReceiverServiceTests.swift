import Testing
import UPnP

@testable import Playback
@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

/// Receiver through SOAP and events, and what others show of it.
@Suite struct ReceiverServiceTests {
  private let zone = "ohz://239.255.255.250:51972/kitchen"
  private let metadata = """
    <DIDL-Lite xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/">\
    <item id="0"><dc:title>Kitchen</dc:title></item></DIDL-Lite>
    """

  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = [:]
  ) async throws -> Answer {
    try await renderer.call("Receiver", action, arguments)
  }

  private func setSender(_ renderer: RendererUnderTest, _ uri: String, _ metadata: String = "") async throws -> Int? {
    try await call(renderer, "SetSender", ["Uri": uri, "Metadata": metadata]).fault
  }

  private func sender(_ renderer: RendererUnderTest) async throws -> [String] {
    try await call(renderer, "Sender").results.map(\.value)
  }

  /// The states of Receiver and Transport.
  private func states(_ renderer: RendererUnderTest) async throws -> [String?] {
    [
      try await call(renderer, "TransportState")["Value"],
      try await renderer.call("Transport", "TransportState")["State"],
    ]
  }

  private func receive(
    _ renderer: RendererUnderTest, _ body: @escaping @Sendable (ReceiverSource) -> Void
  ) async throws {
    try await renderer.onLoop { services, _ in body(services.receiver) }
  }

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Receiver")
      #expect(Set(event.names) == (try DeclaredVariables.of(service: "Receiver").evented))
      #expect([event["Uri"], event["Metadata"], event["TransportState"]] == ["", "", "Stopped"])
      #expect(event["ProtocolInfo"] == "ohz:*:*:*,ohm:*:*:*,ohu:*.*.*")
      #expect(try await call(renderer, "ProtocolInfo")["Value"] == event["ProtocolInfo"])
    }
  }

  // MARK: Senders

  @Test func senderMakesTheSourceCurrent() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await sender(renderer) == ["", ""])
      #expect(try await setSender(renderer, zone, metadata) == nil)
      #expect(try await sender(renderer) == [zone, metadata])
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "3")
      #expect(try await states(renderer) == ["Stopped", "Stopped"])
      #expect(renderer.pipeline.current == nil)
      let event = try #require(try await renderer.takeEvents("Receiver").last)
      #expect([event["Uri"], event["Metadata"]] == [zone, metadata])
    }
  }

  @Test(arguments: [
    "ohz://239.255.255.250:51972/a", "ohm://239.253.1.2:51970", "ohu://192.0.2.1:5000", "ohu://0.0.0.0:0",
    "ohm://0.0.0.0:0",
  ])
  func addressOfSenderIsAccepted(_ uri: String) async throws {
    try await RendererUnderTest.run { renderer async throws in
      #expect(try await setSender(renderer, uri) == nil)
      #expect(try await sender(renderer) == [uri, ""])
    }
  }

  @Test(arguments: [
    "x", "http://host/a", "ohz://239.255.255.250:51972/", "ohz://239.255.255.250:1/a", "ohz://192.0.2.1:51972/a",
    "ohm://192.0.2.1:51970", "ohu://239.253.1.2:51970", "ohu://192.0.2.1", "ohu://host:5000",
    "ohz://239.255.255.250:51972/" + String(repeating: "a", count: 257),
  ])
  func otherAddressIsRefused(_ uri: String) async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone, metadata) == nil)
      _ = try await renderer.takeEvents("Receiver")
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "0"])
      #expect(try await setSender(renderer, uri) == 800)
      #expect(try await sender(renderer) == [zone, metadata])
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
      #expect(try await renderer.takeEvents("Receiver").isEmpty)
    }
  }

  @Test func brokenMetadataIsRepaired() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone, "<DIDL-Lite><item><title>A & B") == nil)
      let repaired = try await sender(renderer)[1]
      #expect(try XMLText.leaves(of: repaired).map(\.text) == ["A & B"])
    }
  }

  // MARK: Playback

  @Test func playWithoutSenderDoesNothing() async throws {
    try await RendererUnderTest.run { renderer async throws in
      for action in ["Play", "Stop"] { #expect(try await call(renderer, action).fault == nil) }
      #expect(try await states(renderer) == ["Stopped", "Stopped"])
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
      let error = try await renderer.onLoop { services, _ in
        do throws(CommandError) {
          try services.control.perform(.transport(.play, of: .receiver), from: .pageOwner)
          return CommandError?.none
        } catch {
          return error
        }
      }
      #expect(error == .noSender)
    }
  }

  /// Waiting until sound arrives, then Buffering until it is heard.
  @Test func statesFollowTheSound() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone) == nil)
      try await renderer.perform("Receiver", "Play")
      #expect(renderer.pipeline.current?.uri == zone)
      #expect(try await states(renderer) == ["Waiting", "Waiting"])
      try await receive(renderer) { $0.sound(isArriving: true) }
      #expect(try await states(renderer) == ["Buffering", "Buffering"])
      renderer.pipeline.plays()
      try await renderer.wait("sound") { try await states($0) == ["Playing", "Playing"] }
      try await receive(renderer) { $0.sound(isArriving: false) }
      renderer.pipeline.runsDry(at: .zero)
      try await renderer.wait("the end of the sound") { try await states($0) == ["Waiting", "Waiting"] }
      let events = try await renderer.takeEvents("Receiver").compactMap { $0["TransportState"] }
      #expect(events == ["Waiting", "Buffering", "Playing", "Waiting"])
      try await renderer.perform("Receiver", "Stop")
      #expect(try await states(renderer) == ["Stopped", "Stopped"])
    }
  }

  @Test func nothingButPlayAndStopIsPossible() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone) == nil)
      try await renderer.perform("Receiver", "Play")
      renderer.pipeline.plays()
      try await renderer.wait("sound") { try await states($0)[0] == "Playing" }
      #expect(try await renderer.call("Transport", "StreamInfo").results.dropFirst().map(\.value) == ["0", "0"])
      #expect(try await renderer.call("Transport", "ModeInfo").results.map(\.value) == ["0", "0", "0", "0"])
      try await renderer.perform("Transport", "SkipNext")
      #expect(try await states(renderer)[0] == "Playing")
      // A pause stops, as with a station.
      try await renderer.perform("Transport", "Pause")
      #expect(try await states(renderer)[0] == "Stopped")
    }
  }

  @Test func playAsSelectsTheReceiver() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone) == nil)
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "0"])
      try await renderer.perform("Transport", "PlayAs", ["Mode": "Receiver", "Command": ""])
      #expect(try await states(renderer) == ["Waiting", "Waiting"])
      #expect(
        try await renderer.call("Transport", "PlayAs", ["Mode": "Receiver", "Command": "index=0"]).fault == 801)
    }
  }

  /// Grouping: a controller sets the sender again and plays.
  @Test func sameSenderAgainDoesNotInterrupt() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setSender(renderer, zone, metadata) == nil)
      try await renderer.perform("Receiver", "Play")
      let track = renderer.pipeline.current
      #expect(try await setSender(renderer, zone, metadata) == nil)
      try await renderer.perform("Receiver", "Play")
      #expect(renderer.pipeline.current == track)
      #expect(try await setSender(renderer, "ohu://192.0.2.1:5000") == nil)
      #expect(renderer.pipeline.current?.uri == "ohu://192.0.2.1:5000")
      #expect(try await setSender(renderer, "") == nil)
      #expect(try await states(renderer) == ["Stopped", "Stopped"])
      #expect(try await sender(renderer) == ["", ""])
    }
  }

  // MARK: What the sender announces

  @Test func announcedTrackIsShownEverywhere() async throws {
    try await RendererUnderTest.run { renderer in
      let track = DIDLLite.item(
        title: "Song", uri: "http://host/a", artwork: "http://host/a.png", artist: "Ana",
        album: "Leaves")
      #expect(try await setSender(renderer, zone, metadata) == nil)
      try await renderer.perform("Receiver", "Play")
      #expect(try await renderer.call("Info", "Track").results.map(\.value) == [zone, metadata])
      #expect(try await renderer.call("Info", "Counters").results.map(\.value) == ["1", "0", "0"])
      try await receive(renderer) { $0.announced(uri: "http://host/a", metadata: track) }
      #expect(try await renderer.call("Info", "Track").results.map(\.value) == ["http://host/a", track])
      #expect(try await renderer.call("Info", "Counters").results.map(\.value) == ["2", "0", "0"])
      #expect(try await renderer.transport("GetPositionInfo")["TrackMetaData"] == track)
      #expect(try await renderer.transport("GetMediaInfo")["CurrentURI"] == zone)
      let state = try await renderer.onLoop { services, _ in services.feed.state }
      #expect([state.title, state.artist, state.album, state.art] == ["Song", "Ana", "Leaves", "http://host/a.png"])
      #expect(state.isWaiting && state.isLive)
      #expect(try await sender(renderer) == [zone, metadata])
    }
  }

  @Test func announcedTextIsMetatext() async throws {
    try await RendererUnderTest.run { renderer in
      let text = DIDLLite.item(title: "Now & Then", artist: "Ben")
      #expect(try await setSender(renderer, zone, metadata) == nil)
      try await renderer.perform("Receiver", "Play")
      try await receive(renderer) {
        $0.announced(uri: "http://host/radio", metadata: "")
        $0.announced(text: text)
      }
      #expect(try await renderer.call("Info", "Metatext")["Value"] == text)
      #expect(try await renderer.call("Info", "Counters").results.map(\.value) == ["2", "0", "1"])
      #expect(try await renderer.takeEvents("Info").last?["Metatext"] == text)
      let state = try await renderer.onLoop { services, _ in services.feed.state }
      #expect([state.title, state.artist] == ["Now & Then", "Ben"])
      try await receive(renderer) { $0.announced(text: "") }
      #expect(try await renderer.call("Info", "Metatext")["Value"] == "")
      #expect(try await renderer.call("Info", "Counters").results.map(\.value) == ["2", "0", "2"])
    }
  }
}
