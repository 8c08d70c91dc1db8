import Testing
import UPnP

@testable import PlaybackModel
@testable import Providers

/// Radio through SOAP and events.
@Suite struct RadioServiceTests {
  private let presets = ServicesUnderTest.presets
  private let live = StreamInfo(isLive: true)

  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = [:]
  ) async throws -> Answer {
    try await renderer.call("Radio", action, arguments)
  }

  private func setChannel(
    _ renderer: RendererUnderTest, _ uri: String, _ metadata: String = ""
  ) async throws -> Int? {
    try await call(renderer, "SetChannel", ["Uri": uri, "Metadata": metadata]).fault
  }

  private func setID(_ renderer: RendererUnderTest, _ id: UInt32, _ uri: String = "") async throws -> Int? {
    try await call(renderer, "SetId", ["Value": "\(id)", "Uri": uri]).fault
  }

  private func state(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "TransportState")["Value"]
  }

  private func id(_ renderer: RendererUnderTest) async throws -> String? { try await call(renderer, "Id")["Value"] }

  /// Plays until the state is Playing.
  private func playUntilPlaying(_ renderer: RendererUnderTest, _ info: StreamInfo? = nil) async throws {
    try await renderer.perform("Radio", "Play")
    renderer.pipeline.reportInfo(info)
    renderer.pipeline.plays()
    try await renderer.wait("sound") { _ in try await state(renderer) == "Playing" }
  }

  private func ids(_ renderer: RendererUnderTest) async throws -> [UInt32] {
    try await renderer.onLoop { services, _ in services.radio.presets.ids }
  }

  // MARK: Presets

  @Test func idArrayIsPaddedWithZeros() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await call(renderer, "IdArray")
      let bytes = try #require(answer["Array"].flatMap { Base64.decode($0.utf8) })
      #expect(bytes.count == 400)
      let found = (0..<100).map { index in bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) } }
      let known = try await ids(renderer)
      #expect(found == known + Array(repeating: 0, count: 98))
      let token = try #require(answer["Token"])
      #expect(try await call(renderer, "IdArrayChanged", ["Token": token])["Value"] == "0")
      #expect(try await call(renderer, "IdArrayChanged", ["Token": "0"])["Value"] == "1")
      #expect(try await call(renderer, "ChannelsMax")["Value"] == "100")
    }
  }

  @Test func presetMetadataIsRead() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      #expect(try await call(renderer, "Read", ["Id": "\(ids[0])"])["Metadata"] == presets[0].metadata)
      for id in ["0", "7"] {
        #expect(try await call(renderer, "Read", ["Id": id]).fault == 800)
      }
      let asked = "\(ids[1]) 0 7 x  \(ids[0]) \(ids[1]) "
      let list = try #require(try await call(renderer, "ReadList", ["IdList": asked])["ChannelList"])
      let leaves = try XMLText.leaves(of: list)
      let entry = ["ChannelList/Entry/Id", "ChannelList/Entry/Metadata"]
      #expect(leaves.map(\.text) == ["\(ids[1])", presets[1].metadata, "\(ids[0])", presets[0].metadata])
      #expect(leaves.map { $0.path.joined(separator: "/") } == Array(repeating: entry, count: 2).flatMap { $0 })
      #expect(try await call(renderer, "ReadList", ["IdList": ""])["ChannelList"] == "<ChannelList></ChannelList>")
    }
  }

  @Test func newPresetsAreEvented() async throws {
    try await RendererUnderTest.run { renderer in
      let (before, known) = (try await call(renderer, "IdArray"), try await ids(renderer))
      #expect(try await setID(renderer, known[0]) == nil)
      _ = try await renderer.takeEvents("Radio")
      try await renderer.onLoop { services, _ in services.radio.setPresets([ServicesUnderTest.presets[1]]) }
      let after = try await call(renderer, "IdArray")
      #expect(after["Array"] != before["Array"])
      #expect(try await call(renderer, "IdArrayChanged", ["Token": before["Token"] ?? ""])["Value"] == "1")
      let events = try await renderer.takeEvents("Radio")
      #expect(events.map(\.names) == [["Id", "IdArray"]])
      #expect(events.first?["IdArray"] == after["Array"])
      #expect(events.first?["Id"] == "0")
      #expect(try await call(renderer, "Channel")["Uri"] == presets[0].uri)
    }
  }

  @Test func refreshReloadsPresets() async throws {
    try await RendererUnderTest.run { renderer async throws in
      #expect(try await call(renderer, "RefreshPresets").fault == nil)
      #expect(try await renderer.onLoop { services, _ in services.refreshes.count } == 1)
    }
  }

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Radio")
      #expect(Set(event.names) == (try DeclaredVariables.of(service: "Radio").evented))
      #expect(event["ChannelsMax"] == "100")
      #expect(event["TransportState"] == "Stopped")
      #expect(event["Id"] == "0")
      #expect(event["ProtocolInfo"] == "http-get:*:audio/flac:*,http-get:*:audio/x-flac:*")
      #expect(try await call(renderer, "ProtocolInfo")["Value"] == event["ProtocolInfo"])
    }
  }

  // MARK: Channels

  @Test func presetIsSelectedThenPlayed() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      #expect(try await setID(renderer, ids[0], presets[0].uri) == nil)
      // Selecting does not play, and the current source stays.
      #expect(renderer.pipeline.current == nil)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
      #expect(try await id(renderer) == "\(ids[0])")
      let channel = try await call(renderer, "Channel")
      #expect([channel["Uri"], channel["Metadata"]] == [presets[0].uri, presets[0].metadata])
      try await renderer.perform("Radio", "Play")
      #expect(renderer.pipeline.current?.uri == presets[0].uri)
      #expect(try await state(renderer) == "Buffering")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "1")
      #expect(try await renderer.call("Info", "Track")["Metadata"] == presets[0].metadata)
    }
  }

  /// Kazoo sends SetId and then Play.
  @Test func selectingWhilePlayingStartsOnce() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      _ = try await setID(renderer, ids[0])
      try await playUntilPlaying(renderer, live)
      _ = try await renderer.takeEvents("Radio")
      #expect(try await setID(renderer, ids[1]) == nil)
      let track = renderer.pipeline.current
      #expect(track?.uri == presets[1].uri)
      #expect(try await state(renderer) == "Buffering")
      try await renderer.perform("Radio", "Play")
      #expect(renderer.pipeline.current == track)
      let events = try await renderer.takeEvents("Radio")
      #expect(events.map { $0["TransportState"] } == ["Buffering"])
      #expect(events.first?["Uri"] == presets[1].uri)
      #expect(events.first?["Id"] == "\(ids[1])")
    }
  }

  /// Home Assistant plays announcements this way: a file, repeatedly.
  @Test func fileChannelPlaysToItsEnd() async throws {
    try await RendererUnderTest.run { renderer in
      let metadata = "<DIDL-Lite><item id=\"\"><title>Bell &amp; &lt;Co></title></item></DIDL-Lite>"
      for _ in 0..<2 {
        #expect(try await setChannel(renderer, "http://host/bell.mp3", metadata) == nil)
        #expect(try await id(renderer) == "0")
        try await playUntilPlaying(renderer, StreamInfo(isSeekable: true))
        #expect(try await call(renderer, "Channel")["Metadata"] == metadata)
        renderer.pipeline.ends()
        try await renderer.wait("the end") { _ in try await state(renderer) == "Stopped" }
      }
      #expect(try await call(renderer, "Channel")["Uri"] == "http://host/bell.mp3")
    }
  }

  @Test func channelWithPresetAddressHasNoPresetId() async throws {
    try await RendererUnderTest.run { renderer in
      let fault = try await setChannel(renderer, presets[1].uri, "<mine/>")
      #expect(fault == nil)
      #expect(try await id(renderer) == "0")
      #expect(try await call(renderer, "Channel")["Metadata"] == "<mine/>")
    }
  }

  @Test func announcementInterruptsPlaylist() async throws {
    try await RendererUnderTest.run { renderer in
      let track = ["AfterId": "0", "Uri": "http://host/1.flac", "Metadata": ""]
      #expect(try await renderer.call("Playlist", "Insert", track).fault == nil)
      #expect(try await renderer.call("Playlist", "Play").fault == nil)
      renderer.pipeline.plays()
      try await renderer.wait("the playlist") {
        try await $0.call("Playlist", "TransportState")["Value"] == "Playing"
      }
      #expect(try await setChannel(renderer, "http://host/bell.mp3") == nil)
      #expect(try await renderer.call("Playlist", "TransportState")["Value"] == "Playing")
      try await renderer.perform("Radio", "Play")
      #expect(try await renderer.call("Playlist", "TransportState")["Value"] == "Stopped")
      #expect(renderer.pipeline.current?.uri == "http://host/bell.mp3")
    }
  }

  @Test func unknownPresetIsRefused() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      _ = try await setID(renderer, ids[0])
      for id in [0, 7] as [UInt32] { #expect(try await setID(renderer, id, "http://radio/x") == 803) }
      #expect(try await call(renderer, "SetId", ["Value": "x", "Uri": ""]).fault == 402)
      #expect(try await id(renderer) == "\(ids[0])")
      #expect(try await call(renderer, "Channel")["Uri"] == presets[0].uri)
    }
  }

  // MARK: Playback

  @Test func playWithoutChannelDoesNothing() async throws {
    try await RendererUnderTest.run { renderer async throws in
      for action in ["Play", "Pause", "Stop"] {
        #expect(try await call(renderer, action).fault == nil)
      }
      #expect(try await state(renderer) == "Stopped")
      #expect(try await call(renderer, "SeekSecondAbsolute", ["Value": "1"]).fault == 803)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
    }
  }

  @Test func pauseStopsLiveStream() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setChannel(renderer, "http://radio/live") == nil)
      try await playUntilPlaying(renderer, live)
      #expect(try await renderer.call("Transport", "StreamInfo").results.dropFirst().map(\.value) == ["0", "0"])
      #expect(try await call(renderer, "SeekSecondAbsolute", ["Value": "1"]).fault == 803)
      try await renderer.perform("Radio", "Pause")
      #expect(try await state(renderer) == "Stopped")
    }
  }

  /// Selecting the preset that plays does not interrupt it.
  @Test func selectedPresetThatPlaysGoesOn() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      #expect(try await setID(renderer, ids[0]) == nil)
      try await playUntilPlaying(renderer, live)
      let stream = try await renderer.call("Transport", "StreamId")["StreamId"]
      #expect(try await setID(renderer, ids[0]) == nil)
      #expect(try await state(renderer) == "Playing")
      #expect(try await renderer.call("Transport", "StreamId")["StreamId"] == stream)
      #expect(try await setID(renderer, ids[1]) == nil)
      #expect(try await state(renderer) == "Buffering")
    }
  }

  @Test func fileIsPausedAndSeeked() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await setChannel(renderer, "http://host/talk.flac") == nil)
      try await playUntilPlaying(renderer, StreamInfo(isSeekable: true))
      renderer.pipeline.reportInfo(duration: .seconds(60))
      try await renderer.wait("the duration") { try await $0.call("Time", "Time")["Duration"] == "60" }
      try await renderer.perform("Radio", "Pause")
      #expect(try await state(renderer) == "Paused")
      for (action, value, fault, position) in [
        ("SeekSecondAbsolute", "40", nil, "40"), ("SeekSecondRelative", "-15", nil, "25"),
        ("SeekSecondRelative", "-100", nil, "0"), ("SeekSecondAbsolute", "61", 803, "0"),
        ("SeekSecondAbsolute", "-1", 803, "0"),
      ] as [(String, String, Int?, String)] {
        #expect(try await call(renderer, action, ["Value": value]).fault == fault, "\(action) \(value)")
        #expect(try await renderer.call("Time", "Time")["Seconds"] == position, "\(action) \(value)")
      }
      // A seek plays.
      #expect(try await state(renderer) != "Paused")
      try await renderer.perform("Radio", "Stop")
      #expect(try await state(renderer) == "Stopped")
    }
  }

  @Test func streamTitlesAreMetatext() async throws {
    try await RendererUnderTest.run { renderer in
      let ids = try await ids(renderer)
      _ = try await setID(renderer, ids[0])
      try await playUntilPlaying(renderer, live)
      renderer.pipeline.reportInfo(title: "Now & Then")
      try await renderer.wait("the title") {
        try await $0.call("Info", "Metatext")["Value"]?.contains("Now &amp; Then") == true
      }
      // The channel's metadata stays.
      #expect(try await call(renderer, "Channel")["Metadata"] == presets[0].metadata)
    }
  }
}
