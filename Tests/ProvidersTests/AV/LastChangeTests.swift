import Testing

@testable import PlaybackModel

/// LastChange events. In all tests `RendererUnderTest` checks that events hold only declared variables with allowed
/// values and no positions (StevenLooman/async_upnp_client#32).
@Suite struct LastChangeTests {
  private let a = "http://host/a.flac"
  private let b = "http://host/b.flac"

  @Test(arguments: [
    ("AVTransport", "urn:schemas-upnp-org:metadata-1-0/AVT/"),
    ("RenderingControl", "urn:schemas-upnp-org:metadata-1-0/RCS/"),
  ])
  func initialEventIsComplete(service: String, namespace: String) async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent(service)
      #expect(event.namespace == namespace)
      #expect(event.names == (try DeclaredVariables.of(service: service).evented))
    }
  }

  @Test func onlyChangesAreEvented() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      _ = try await renderer.takeEvents("AVTransport")
      try await renderer.setURI(a)
      try await renderer.perform("AVTransport", "Stop")
      try await renderer.perform("AVTransport", "Seek", ["Unit": "REL_TIME", "Target": "0:00:05"])
      #expect(try await renderer.takeEvents("AVTransport") == [])
      try await renderer.play()
      #expect(
        try await renderer.takeEvents("AVTransport").map(\.names) == [["TransportState", "CurrentTransportActions"]])
    }
  }

  /// LMS-Community/slimserver#1367.
  @Test func joinIsOneEvent() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a, "<item><title>A</title></item>")
      renderer.pipeline.reportInfo(StreamInfo(isSeekable: true), duration: .seconds(60))
      try await renderer.wait("the duration") { try await $0.transport("GetMediaInfo")["MediaDuration"] == "0:01:00" }
      try await renderer.setNextURI(b, "<item><title>B</title></item>")
      _ = try await renderer.takeEvents("AVTransport")
      renderer.pipeline.joins(info: StreamInfo(isSeekable: true), duration: .seconds(30))
      try await renderer.wait("the join") { try await $0.transport("GetPositionInfo")["TrackURI"] == b }
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.count == 1)
      let metadata = "<item><title>B</title></item>"
      #expect(
        events.first?.values == [
          .init(name: "AVTransportURI"): b, .init(name: "AVTransportURIMetaData"): metadata,
          .init(name: "CurrentTrackURI"): b, .init(name: "CurrentTrackMetaData"): metadata,
          .init(name: "CurrentTrackDuration"): "0:00:30", .init(name: "CurrentMediaDuration"): "0:00:30",
          .init(name: "NextAVTransportURI"): "", .init(name: "NextAVTransportURIMetaData"): "",
          .init(name: "CurrentTransportActions"): "Play,Stop,Pause,Seek",
        ])
    }
  }

  @Test func errorIsEvented() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a)
      try await renderer.play()
      _ = try await renderer.takeEvents("AVTransport")
      renderer.pipeline.fails(.notFound)
      try await renderer.wait(forState: "STOPPED")
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.count == 1)
      #expect(events.first?["TransportState"] == "STOPPED")
      #expect(events.first?["TransportStatus"] == "ERROR_OCCURRED")
    }
  }

  @Test func playModeIsEvented() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.perform("AVTransport", "SetPlayMode", ["NewPlayMode": "REPEAT_ONE"])
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.map(\.values) == [[.init(name: "CurrentPlayMode"): "REPEAT_ONE"]])
    }
  }

  /// hzeller/gmrender-resurrect#42.
  @Test func volumeIsEventedWithChannelAndDecibels() async throws {
    try await RendererUnderTest.run { renderer in
      let set = try await renderer.call("RenderingControl", "SetVolume", ["Channel": "Master", "DesiredVolume": "80"])
      #expect(set.fault == nil)
      try await renderer.perform("RenderingControl", "SetMute", ["Channel": "Master", "DesiredMute": "1"])
      let events = try await renderer.takeEvents("RenderingControl")
      #expect(
        events.map(\.values) == [
          [.init(name: "Volume", channel: "Master"): "80", .init(name: "VolumeDB", channel: "Master"): "-3070"],
          [.init(name: "Mute", channel: "Master"): "1"],
        ])
    }
  }

  /// Kodi reads its list of formats from them (xbmc/xbmc#29130).
  @Test func connectionManagerEventsProperties() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("ConnectionManager")
      #expect(event.namespace == nil)
      #expect(
        event.values == [
          .init(name: "SourceProtocolInfo"): "", .init(name: "CurrentConnectionIDs"): "0",
          .init(name: "SinkProtocolInfo"): "http-get:*:audio/flac:*,http-get:*:audio/x-flac:*",
        ])
    }
  }
}
