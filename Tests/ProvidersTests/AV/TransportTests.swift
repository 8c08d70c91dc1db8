import Testing

@testable import PlaybackModel

/// AVTransport's answers as controllers need them; see docs/controllers.md.
@Suite struct TransportTests {
  private let a = "http://host/a.flac"
  private let b = "http://host/b.flac"
  private let seekable = StreamInfo(isSeekable: true)

  @Test func stateIsPlayingOnceSoundRuns() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      try await renderer.play()
      #expect(try await renderer.state() == "TRANSITIONING")
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
      renderer.pipeline.runsDry(at: .seconds(3))
      try await renderer.wait(forState: "TRANSITIONING")
    }
  }

  @Test func playAfterEndRestarts() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.ends()
      try await renderer.wait(forState: "STOPPED")
      #expect(try await renderer.transport("GetMediaInfo")["CurrentURI"] == a)
      try await renderer.play()
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
    }
  }

  @Test func errorStatusLastsUntilNextItemPlays() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      try await renderer.play()
      renderer.pipeline.fails(.notFound)
      try await renderer.wait(forState: "STOPPED")
      #expect(try await renderer.transport("GetTransportInfo")["CurrentTransportStatus"] == "ERROR_OCCURRED")
      try await renderer.playUntilPlaying(b)
      #expect(try await renderer.transport("GetTransportInfo")["CurrentTransportStatus"] == "OK")
    }
  }

  @Test func nextPlaysNextItem() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      #expect(try await renderer.transport("Next").fault == 711)
      try await renderer.setNextURI(b, "<item><dc:title xmlns:dc='x'>B</dc:title></item>")
      #expect(try await renderer.transport("Next").fault == nil)
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
      let info = try await renderer.transport("GetMediaInfo")
      #expect([info["CurrentURI"], info["NextURI"], info["NextURIMetaData"]] == [b, "", ""])
    }
  }

  @Test func emptyNextURIClearsNextItem() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      try await renderer.setNextURI(b, "metadata")
      try await renderer.setNextURI("", "")
      let info = try await renderer.transport("GetMediaInfo")
      #expect([info["NextURI"], info["NextURIMetaData"]] == ["", ""])
      #expect(renderer.pipeline.staged.isEmpty)
    }
  }

  @Test func seekWorksAfterJoin() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      try await renderer.setNextURI(b)
      renderer.pipeline.joins(info: seekable, duration: .seconds(60))
      try await renderer.wait("the join") { try await $0.transport("GetPositionInfo")["TrackURI"] == b }
      #expect(try await renderer.transport("Seek", ["Unit": "REL_TIME", "Target": "0:00:30"]).fault == nil)
      #expect(try await renderer.transport("GetPositionInfo")["RelTime"] == "0:00:30")
    }
  }

  /// REL_TIME is a position within the track, not an offset. The position changes at once
  /// (hzeller/gmrender-resurrect#220, #252).
  @Test(arguments: ["REL_TIME", "ABS_TIME"])
  func seekChangesPositionAtOnce(unit: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.reportInfo(seekable, duration: .seconds(3725))
      for target in ["0:00:20", "1:02:03.500", "00:00:10"] {
        #expect(try await renderer.transport("Seek", ["Unit": unit, "Target": target]).fault == nil)
        let position = try await renderer.transport("GetPositionInfo")
        let shown = ["0:00:20": "0:00:20", "1:02:03.500": "1:02:03", "00:00:10": "0:00:10"][target]
        #expect(position["RelTime"] == shown)
        #expect(position["AbsTime"] == shown)
      }
    }
  }

  @Test(arguments: [
    ("REL_TIME", "0:01:01", 711), ("ABS_TIME", "-0:00:01", 711), ("REL_TIME", "soon", 711), ("REL_TIME", "", 711),
    ("TRACK_NR", "0", 711), ("TRACK_NR", "2", 711), ("TRACK_NR", "x", 711), ("REL_COUNT", "5", 710),
    ("FRAME", "5", 710),
  ])
  func invalidSeekTargetIsRefused(unit: String, target: String, fault: Int) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.reportInfo(seekable, duration: .seconds(60))
      try await renderer.wait("the duration") {
        try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:01:00"
      }
      #expect(try await renderer.transport("Seek", ["Unit": unit, "Target": target]).fault == fault)
    }
  }

  @Test func trackOneIsTheBeginning() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      try await renderer.perform("AVTransport", "Seek", ["Unit": "REL_TIME", "Target": "0:00:20"])
      #expect(try await renderer.transport("Seek", ["Unit": "TRACK_NR", "Target": "1"]).fault == nil)
      #expect(try await renderer.transport("GetPositionInfo")["RelTime"] == "0:00:00")
    }
  }

  /// NOT_IMPLEMENTED is only for values that can never be known.
  @Test func unknownDurationIsZeroAndLiveDurationNotImplemented() async throws {
    try await RendererUnderTest.run { renderer in
      func durations() async throws -> [String?] {
        [
          try await renderer.transport("GetPositionInfo")["TrackDuration"],
          try await renderer.transport("GetMediaInfo")["MediaDuration"],
        ]
      }
      #expect(try await durations() == ["0:00:00", "0:00:00"])
      try await renderer.playUntilPlaying(a)
      #expect(try await durations() == ["0:00:00", "0:00:00"])
      renderer.pipeline.reportInfo(seekable, duration: .milliseconds(3_725_999))
      try await renderer.wait("the duration") { _ in try await durations() == ["1:02:05", "1:02:05"] }
      try await renderer.playUntilPlaying("http://host/radio")
      renderer.pipeline.reportInfo(StreamInfo(isLive: true))
      try await renderer.wait("a live stream") { _ in try await durations() == ["NOT_IMPLEMENTED", "NOT_IMPLEMENTED"] }
      let position = try await renderer.transport("GetPositionInfo")
      #expect(try #require(position["RelTime"]).hasPrefix("0:00:"))
      #expect(position["AbsTime"] == position["RelTime"])
    }
  }

  @Test func metadataDurationAppliesUntilStreamReportsOne() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a, "<item><res duration=\"0:04:05.123\">\(a)</res></item>")
      #expect(try await renderer.transport("GetPositionInfo")["TrackDuration"] == "0:04:05")
      try await renderer.play()
      renderer.pipeline.reportInfo(seekable, duration: .seconds(244))
      try await renderer.wait("the stream's own") {
        try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:04:04"
      }
    }
  }

  @Test func unsupportedPropertiesAreNotImplemented() async throws {
    try await RendererUnderTest.run { renderer in
      let position = try await renderer.transport("GetPositionInfo")
      #expect([position["Track"], position["RelCount"], position["AbsCount"]] == ["0", "2147483647", "2147483647"])
      let info = try await renderer.transport("GetMediaInfo")
      #expect([info["RecordMedium"], info["WriteStatus"]] == ["NOT_IMPLEMENTED", "NOT_IMPLEMENTED"])
      let capabilities = try await renderer.transport("GetDeviceCapabilities")
      #expect(capabilities.results.map(\.value) == ["NETWORK", "NOT_IMPLEMENTED", "NOT_IMPLEMENTED"])
      #expect(try await renderer.transport("GetTransportInfo")["CurrentSpeed"] == "1")
      try await renderer.setURI(a)
      #expect(try await renderer.transport("GetPositionInfo")["Track"] == "1")
      #expect(try await renderer.transport("GetMediaInfo")["NrTracks"] == "1")
    }
  }

  @Test func repeatOneRepeatsItem() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      try await renderer.setNextURI(b)
      #expect(try await renderer.transport("SetPlayMode", ["NewPlayMode": "REPEAT_ONE"]).fault == nil)
      #expect(try await renderer.transport("GetTransportSettings")["PlayMode"] == "REPEAT_ONE")
      #expect(renderer.pipeline.staged.first?.uri == a)
      renderer.pipeline.joins(info: seekable, duration: .seconds(60))
      try await renderer.wait("the repetition") {
        try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:01:00"
      }
      let info = try await renderer.transport("GetMediaInfo")
      #expect([info["CurrentURI"], info["NextURI"]] == [a, b])
      #expect(try await renderer.transport("SetPlayMode", ["NewPlayMode": "NORMAL"]).fault == nil)
      #expect(renderer.pipeline.staged.first?.uri == b)
    }
  }

  @Test func faultsHaveServiceSpecificCodes() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      #expect(try await renderer.transport("SetPlayMode", ["NewPlayMode": "SHUFFLE"]).fault == 712)
      #expect(try await renderer.transport("Play", ["Speed": "2"]).fault == 717)
      #expect(try await renderer.call("AVTransport", "Stop", instance: "1").fault == 718)
      #expect(try await renderer.transport("Record").fault == 401)
      #expect(try await renderer.transport("Play").fault == 402)
    }
  }
}
