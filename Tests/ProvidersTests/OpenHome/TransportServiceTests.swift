import Testing

@testable import PlaybackModel

/// OpenHome's Transport.
@Suite struct TransportServiceTests {
  private let a = "http://host/a.flac"
  private let seekable = StreamInfo(isSeekable: true)

  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = [:]
  ) async throws -> Answer {
    try await renderer.call("Transport", action, arguments)
  }

  private func state(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "TransportState")["State"]
  }

  private func info(_ renderer: RendererUnderTest) async throws -> [String] {
    try await call(renderer, "StreamInfo").results.dropFirst().map(\.value)
  }

  @Test func variablesFollowPlayer() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await state(renderer) == "Stopped")
      #expect(try await info(renderer) == ["0", "0"])
      try await renderer.setURI(a)
      try await renderer.play()
      #expect(try await state(renderer) == "Buffering")
      renderer.pipeline.plays()
      try await renderer.wait("sound") { _ in try await state(renderer) == "Playing" }
      #expect(try await call(renderer, "Pause").fault == nil)
      #expect(try await state(renderer) == "Paused")
      // CanPause depends on the stream, not on the state.
      #expect(try await info(renderer) == ["1", "1"])
      #expect(try await call(renderer, "Play").fault == nil)
      renderer.pipeline.plays()
      try await renderer.wait("sound") { _ in try await state(renderer) == "Playing" }
      #expect(try await call(renderer, "Stop").fault == nil)
      #expect(try await state(renderer) == "Stopped")
      let states = try await renderer.takeEvents("Transport").compactMap { $0["TransportState"] }
      #expect(states == ["Buffering", "Playing", "Paused", "Playing", "Stopped"])
    }
  }

  @Test func playWithoutMediaDoesNothing() async throws {
    try await RendererUnderTest.run { renderer in
      for source in ["Playlist", "Radio", "UPnP AV"] {
        try await renderer.perform("Product", "SetSourceBySystemName", ["Value": source])
        for command in ["Play", "Pause", "Stop", "SkipNext", "SkipPrevious"] {
          #expect(try await call(renderer, command).fault == nil, "\(command) of \(source)")
        }
      }
      #expect(try await state(renderer) == "Stopped")
    }
  }

  @Test func skipNextPlaysNextItem() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      #expect(try await call(renderer, "ModeInfo").results.map(\.value) == ["0", "0", "0", "0"])
      try await renderer.setNextURI("http://host/b.flac")
      #expect(try await call(renderer, "ModeInfo")["CanSkipNext"] == "1")
      #expect(try await renderer.takeEvents("Transport").last?["CanSkipNext"] == "1")
      #expect(try await call(renderer, "SkipNext").fault == nil)
      #expect(renderer.pipeline.current?.uri == "http://host/b.flac")
    }
  }

  @Test func seekRequiresCurrentStreamId() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.reportInfo(seekable, duration: .seconds(60))
      try await renderer.wait("the duration") { try await $0.call("Time", "Time")["Duration"] == "60" }
      let stream = try #require(try await call(renderer, "StreamId")["StreamId"])
      for (action, stream, seconds, fault, position) in [
        ("SeekSecondAbsolute", stream, ("SecondAbsolute", "40"), nil, "40"),
        ("SeekSecondRelative", stream, ("SecondRelative", "-15"), nil, "25"),
        ("SeekSecondRelative", stream, ("SecondRelative", "-100"), nil, "0"),
        ("SeekSecondAbsolute", stream, ("SecondAbsolute", "61"), 803, "0"),
        ("SeekSecondAbsolute", stream, ("SecondAbsolute", "-1"), 803, "0"),
        ("SeekSecondAbsolute", "\((Int(stream) ?? 0) + 1)", ("SecondAbsolute", "30"), 804, "0"),
        ("SeekSecondRelative", "-1", ("SecondRelative", "30"), 804, "0"),
      ] as [(String, String, (String, String), Int?, String)] {
        let answer = try await call(renderer, action, ["StreamId": stream, seconds.0: seconds.1])
        #expect(answer.fault == fault, "\(action) \(seconds.1)")
        #expect(try await renderer.call("Time", "Time")["Seconds"] == position, "\(action) \(seconds.1)")
      }
    }
  }

  /// As the texts of the services say. A seek by UPnP AV does not, see `TransportTable`.
  @Test(arguments: ["Playlist", "Radio", "Transport"]) func seekPlaysFromPauseAndStop(_ service: String) async throws {
    try await RendererUnderTest.run { renderer in
      if service == "Radio" {
        try await renderer.perform("Radio", "SetChannel", ["Uri": a, "Metadata": ""])
        try await renderer.perform("Radio", "Play")
      } else {
        try await renderer.perform("Playlist", "Insert", ["AfterId": "0", "Uri": a, "Metadata": ""])
        try await renderer.perform("Playlist", "Play")
      }
      renderer.pipeline.reportInfo(seekable, duration: .seconds(60))
      try await renderer.wait("the duration") { try await $0.call("Time", "Time")["Duration"] == "60" }
      for (number, before) in ["Pause", "Stop", "Pause"].enumerated() {
        renderer.pipeline.plays()
        try await renderer.wait("sound") { _ in try await state(renderer) == "Playing" }
        #expect(try await call(renderer, before).fault == nil)
        let seconds = "\(20 + number)"
        var arguments = [service == "Transport" ? "SecondAbsolute" : "Value": seconds]
        if service == "Transport" { arguments["StreamId"] = try await call(renderer, "StreamId")["StreamId"] }
        try await renderer.perform(service, "SeekSecondAbsolute", arguments)
        #expect(["Buffering", "Playing"].contains(try await state(renderer)), "after \(before)")
        #expect(try await renderer.call("Time", "Time")["Seconds"] == seconds)
      }
    }
  }

  @Test(arguments: [("Transport", "SkipNext"), ("Playlist", "Next")])
  func nextAtTheEndEndsStandby(service: String, action: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("Playlist", "Insert", ["AfterId": "0", "Uri": a, "Metadata": ""])
      try await renderer.perform("Product", "SetStandby", ["Value": "1"])
      try await renderer.perform(service, action)
      #expect(try await renderer.call("Product", "Standby")["Value"] == "0")
      #expect(try await state(renderer) == "Stopped")
    }
  }

  @Test func pauseStopsLiveStream() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/radio")
      renderer.pipeline.reportInfo(StreamInfo(isLive: true))
      try await renderer.wait("a live stream") { _ in try await info(renderer) == ["0", "0"] }
      #expect(try await call(renderer, "Pause").fault == nil)
      #expect(try await state(renderer) == "Stopped")
    }
  }

  @Test func playAsPlaysSource() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await call(renderer, "Modes")["Modes"] == #"["Playlist","Radio","UpnpAv","Receiver"]"#)
      try await renderer.setURI(a)
      #expect(try await call(renderer, "PlayAs", ["Mode": "UpnpAv", "Command": ""]).fault == nil)
      #expect(renderer.pipeline.current?.uri == a)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "2")
      #expect(try await call(renderer, "PlayAs", ["Mode": "Cassette", "Command": ""]).fault == 801)
    }
  }

  @Test(arguments: [
    ("Playlist", "id=2", "http://host/2.flac"), ("Playlist", "index=2", "http://host/3.flac"),
    ("Playlist", "", "http://host/1.flac"), ("Playlist", "id=9", nil), ("Playlist", "index=3", nil),
    ("Playlist", "track=1", nil), ("Playlist", "id=", nil), ("Playlist", "2", nil),
    ("Radio", "index=1", "http://radio/2"), ("Radio", "index=2", nil), ("Radio", "id=7", nil),
    ("UpnpAv", "index=0", nil),
  ])
  func playAsPlaysTrackOrPreset(_ mode: String, _ command: String, _ uri: String?) async throws {
    try await RendererUnderTest.run { renderer in
      for number in 1...3 {
        let track = ["AfterId": "\(number - 1)", "Uri": "http://host/\(number).flac", "Metadata": ""]
        try await renderer.perform("Playlist", "Insert", track)
      }
      let answer = try await call(renderer, "PlayAs", ["Mode": mode, "Command": command])
      #expect(answer.fault == (uri == nil ? 801 : nil))
      #expect(renderer.pipeline.current?.uri == uri)
    }
  }

  @Test func skipMovesBetweenPresets() async throws {
    try await RendererUnderTest.run { renderer in
      func canSkip() async throws -> [String] {
        Array(try await call(renderer, "ModeInfo").results.map(\.value).prefix(2))
      }
      let presets = try await renderer.onLoop { services, _ in services.radio.presets.ids }
      let mode = ["Mode": "Radio", "Command": "id=\(presets[0])"]
      #expect(try await call(renderer, "PlayAs", mode).fault == nil)
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[0].uri)
      #expect(try await canSkip() == ["1", "0"])
      #expect(try await call(renderer, "SkipPrevious").fault == nil)
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[0].uri)
      #expect(try await call(renderer, "SkipNext").fault == nil)
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[1].uri)
      #expect(try await renderer.call("Radio", "Id")["Value"] == "\(presets[1])")
      #expect(try await canSkip() == ["0", "1"])
      #expect(try await renderer.takeEvents("Transport").compactMap { $0["CanSkipPrevious"] } == ["1"])
      // SkipPrevious starts playback, like Next of the playlist.
      #expect(try await call(renderer, "Stop").fault == nil)
      #expect(try await call(renderer, "SkipPrevious").fault == nil)
      #expect(try await state(renderer) == "Buffering")
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[0].uri)
      // A channel that is not a preset has no neighbours.
      try await renderer.perform("Radio", "SetChannel", ["Uri": "http://other/", "Metadata": ""])
      #expect(try await canSkip() == ["0", "0"])
      #expect(try await call(renderer, "SkipNext").fault == nil)
      #expect(renderer.pipeline.current?.uri == "http://other/")
    }
  }

  @Test func skipWithoutTargetDoesNothing() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      for command in ["SkipNext", "SkipPrevious"] { #expect(try await call(renderer, command).fault == nil) }
      #expect(try await state(renderer) == "Playing")
      #expect(renderer.pipeline.current?.uri == a)
    }
  }

  /// Repeat and shuffle have one value in both services, whichever source is current.
  @Test(arguments: ["Playlist", "Radio", "UPnP AV"])
  func repeatAndShuffleAreShared(_ source: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("Product", "SetSourceBySystemName", ["Value": source])
      for (mode, value) in [("Repeat", "1"), ("Shuffle", "1"), ("Repeat", "0"), ("Shuffle", "0")] {
        for (setter, argument) in [("Transport", mode), ("Playlist", "Value")] {
          // Both services report a change by either.
          let opposite = value == "1" ? "0" : "1"
          try await renderer.perform(setter, "Set\(mode)", [argument: opposite])
          _ = try await (renderer.takeEvents("Transport"), renderer.takeEvents("Playlist"))
          #expect(try await renderer.call(setter, "Set\(mode)", [argument: value]).fault == nil)
          #expect(try await call(renderer, mode)[mode] == value, "\(mode) set by \(setter)")
          #expect(try await renderer.call("Playlist", mode)["Value"] == value, "\(mode) set by \(setter)")
          for service in ["Transport", "Playlist"] {
            #expect(try await renderer.takeEvents(service).map(\.values) == [[.init(name: mode): value]])
          }
        }
      }
      #expect(try await renderer.call("AVTransport", "GetTransportSettings")["PlayMode"] == "NORMAL")
      #expect(try await renderer.takeEvents("AVTransport").isEmpty)
    }
  }
}
