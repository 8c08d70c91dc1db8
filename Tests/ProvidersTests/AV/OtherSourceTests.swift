import Testing

@testable import PlaybackModel
@testable import Providers

/// AVTransport while OpenHome plays the playlist or the radio.
@Suite struct OtherSourceTests {
  private typealias Action = TransportTable.Action
  private static let a = "http://host/a.flac"
  private static let b = "http://host/b.flac"
  private static let own = "http://host/own.flac"

  /// A source in a state, as OpenHome brings it there.
  struct Scene: Sendable, CustomTestStringConvertible {
    var isRadio: Bool
    /// The radio's stream is live.
    var isLive = false
    /// Whether it is at the last track or preset.
    var isLast: Bool
    var state: TransportTable.State

    var testDescription: String {
      "\(isRadio ? "radio" : "playlist")\(isLive ? ", live" : "")\(isLast ? ", last" : ""), \(state.rawValue)"
    }

    /// What each action leads to, in the order of `Action.allCases`, written by hand from docs/controllers.md.
    var outcomes: [String] {
      let own =
        switch state {
        case _ where isLive: ["PLAYING", "STOPPED", "STOPPED", "710"]
        case .noMediaPresent: ["701", "–", "701", "701"]
        case .stopped: ["TRANSITIONING", "STOPPED", "–", "STOPPED"]
        case .transitioning: ["TRANSITIONING", "STOPPED", "PAUSED_PLAYBACK", "TRANSITIONING"]
        case .playing: ["PLAYING", "STOPPED", "PAUSED_PLAYBACK", "PLAYING"]
        case .pausedPlayback: ["PLAYING", "STOPPED", "–", "PAUSED_PLAYBACK"]
        }
      let next = isLast ? "711" : "TRANSITIONING"
      // The playlist starts its first track again; before the first of two presets there is none.
      let previous = isRadio && !isLast ? "711" : "TRANSITIONING"
      return own + [next, previous]
    }

    func set(_ renderer: RendererUnderTest) async throws {
      let service = isRadio ? "Radio" : "Playlist"
      if isRadio {
        let ids = try await renderer.onLoop { services, _ in services.radio.presets.ids }
        try await renderer.perform("Radio", "SetId", ["Value": "\(ids[isLast ? 1 : 0])", "Uri": ""])
        try await renderer.perform("Product", "SetSourceBySystemName", ["Value": "Radio"])
      } else {
        try await insert(renderer, OtherSourceTests.a, after: 0)
        if !isLast { try await insert(renderer, OtherSourceTests.b, after: 1) }
      }
      guard state != .stopped else { return }
      try await renderer.perform(service, "Play")
      guard state != .transitioning else { return }
      renderer.pipeline.reportInfo(
        StreamInfo(isSeekable: !isLive, isLive: isLive), duration: isLive ? nil : .seconds(60))
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
      if state == .pausedPlayback { try await renderer.perform(service, "Pause") }
    }

    private func insert(_ renderer: RendererUnderTest, _ uri: String, after id: Int) async throws {
      try await renderer.perform("Playlist", "Insert", ["AfterId": "\(id)", "Uri": uri, "Metadata": ""])
    }
  }

  static let scenes: [Scene] =
    TransportTable.otherStates.flatMap { state in
      [true, false].flatMap { isLast in
        [Scene(isRadio: false, isLast: isLast, state: state), Scene(isRadio: true, isLast: isLast, state: state)]
      }
    } + [Scene(isRadio: true, isLive: true, isLast: false, state: .playing)]

  @Test(arguments: scenes, TransportTable.Action.allCases)
  func everyActionFollowsTableOnAnotherSource(scene: Scene, action: TransportTable.Action) async throws {
    try await RendererUnderTest.run { renderer in
      try await scene.set(renderer)
      #expect(try await renderer.state() == scene.state.rawValue)
      let row = TransportTableTests.Row(state: scene.state, outcomes: scene.outcomes)
      #expect(try await renderer.actions() == row.offered)
      try await TransportTableTests.perform(action, renderer, in: scene.state, expecting: scene.outcomes)
      let source = try await renderer.onLoop { _, player in player.immediately { $0.source } }
      #expect(source == (scene.isRadio ? .radio : .playlist))
    }
  }

  @Test func trackOfPlaylistIsShown() async throws {
    try await RendererUnderTest.run { renderer in
      try await Scene(isRadio: false, isLast: false, state: .playing).set(renderer)
      let media = try await renderer.transport("GetMediaInfo")
      #expect(media["CurrentURI"] == Self.a)
      #expect(media["NrTracks"] == "1")
      #expect(media["MediaDuration"] == "0:01:00")
      #expect(media["PlayMedium"] == "NETWORK")
      // The next item is one that a controller staged.
      #expect(media["NextURI"] == "")
      try await renderer.perform("AVTransport", "Seek", ["Unit": "REL_TIME", "Target": "0:00:20"])
      let position = try await renderer.transport("GetPositionInfo")
      #expect(position["TrackURI"] == Self.a)
      #expect(position["TrackDuration"] == "0:01:00")
      #expect(position["RelTime"] == "0:00:20")
      #expect(position["TrackMetaData"]?.contains("<dc:title>a.flac</dc:title>") == true)
      #expect(try await renderer.transport("Seek", ["Unit": "REL_TIME", "Target": "0:02:00"]).fault == 711)
    }
  }

  /// One event replaces the item: no state between its own PLAYING and the other source's.
  @Test func takeoverIsOneEvent() async throws {
    try await RendererUnderTest.run { renderer in
      try await Scene(isRadio: false, isLast: true, state: .stopped).set(renderer)
      try await renderer.playUntilPlaying(Self.own)
      _ = try await renderer.takeEvents("AVTransport")
      try await renderer.perform("Playlist", "Play")
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.count == 1)
      #expect(events.first?["TransportState"] == "TRANSITIONING")
      #expect(events.first?["AVTransportURI"] == Self.a)
      renderer.pipeline.plays()
      try await renderer.wait(forState: "PLAYING")
      renderer.pipeline.ends()
      try await renderer.wait(forState: "STOPPED")
      let later = try await renderer.takeEvents("AVTransport")
      #expect(later.compactMap { $0["TransportState"] } == ["PLAYING", "STOPPED"])
      #expect(later.allSatisfy { $0["AVTransportURI"] == nil && $0["TransportStatus"] == nil })
    }
  }

  /// The items and the play mode that controllers set belong to the source UPnP AV.
  @Test func itemsOfControllersAreKept() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(Self.own)
      try await Scene(isRadio: false, isLast: true, state: .stopped).set(renderer)
      try await renderer.perform("Playlist", "Play")
      try await renderer.setNextURI(Self.b)
      try await renderer.perform("AVTransport", "SetPlayMode", ["NewPlayMode": "REPEAT_ONE"])
      #expect(try await renderer.transport("GetMediaInfo")["NextURI"] == "")
      #expect(try await renderer.transport("GetTransportSettings")["PlayMode"] == "NORMAL")
      #expect(renderer.pipeline.current?.uri == Self.a && renderer.pipeline.staged.isEmpty)

      try await renderer.perform("Product", "SetSourceBySystemName", ["Value": "UPnP AV"])
      let media = try await renderer.transport("GetMediaInfo")
      #expect([media["CurrentURI"], media["NextURI"]] == [Self.own, Self.b])
      #expect(try await renderer.transport("GetTransportSettings")["PlayMode"] == "REPEAT_ONE")
      #expect(try await renderer.state() == "STOPPED")
      try await renderer.play()
      #expect(renderer.pipeline.current?.uri == Self.own)
    }
  }

  /// As before: setting an item does not interrupt the other source, Play does.
  @Test func setItemTakesOverAtPlay() async throws {
    try await RendererUnderTest.run { renderer in
      try await Scene(isRadio: true, isLast: false, state: .playing).set(renderer)
      try await renderer.setURI(Self.own)
      #expect(try await renderer.state() == "STOPPED")
      #expect(try await renderer.actions() == "Play,Stop,Seek")
      // Pause and Stop act on the new item.
      for action in ["Pause", "Stop"] { try await renderer.perform("AVTransport", action) }
      #expect(try await renderer.call("Radio", "TransportState")["Value"] == "Playing")
      try await renderer.play()
      #expect(try await renderer.state() == "TRANSITIONING")
      #expect(renderer.pipeline.current?.uri == Self.own)
      #expect(try await renderer.call("Radio", "TransportState")["Value"] == "Stopped")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "2")
    }
  }

  /// Edits of the playlist change what Next can do.
  @Test func actionsFollowPlaylist() async throws {
    try await RendererUnderTest.run { renderer in
      try await Scene(isRadio: false, isLast: true, state: .playing).set(renderer)
      #expect(try await renderer.actions() == "Play,Stop,Pause,Seek,Previous")
      _ = try await renderer.takeEvents("AVTransport")
      try await renderer.perform("Playlist", "Insert", ["AfterId": "1", "Uri": Self.b, "Metadata": ""])
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.map(\.values) == [[.init(name: "CurrentTransportActions"): "Play,Stop,Pause,Seek,Next,Previous"]])
    }
  }
}
