import Testing

@testable import PlaybackModel

/// A playlist document as the URI: all its tracks play.
@Suite struct PlaylistTests {
  private let list = "http://host/album.m3u"
  private let tracks = ["http://host/1%20A.flac", "http://host/2%20B.flac", "http://host/3%20C.flac"]
  private let metadata = "<item><title>Album</title></item>"

  private func playing(_ renderer: RendererUnderTest) async throws {
    try await renderer.setURI(list, metadata)
    try await renderer.play()
    renderer.pipeline.reportPlaylist(tracks)
    try await renderer.wait("the tracks") { try await $0.transport("GetMediaInfo")["NrTracks"] == "3" }
    renderer.pipeline.plays()
    try await renderer.wait(forState: "PLAYING")
  }

  private func position(_ renderer: RendererUnderTest) async throws -> [String?] {
    let position = try await renderer.transport("GetPositionInfo")
    return [position["Track"], position["TrackURI"]]
  }

  @Test func tracksAreCountedAndNamed() async throws {
    try await RendererUnderTest.run { renderer in
      try await playing(renderer)
      #expect(try await position(renderer) == ["1", tracks[0]])
      let info = try await renderer.transport("GetMediaInfo")
      #expect([info["CurrentURI"], info["CurrentURIMetaData"]] == [list, metadata])
      #expect(info["MediaDuration"] == "NOT_IMPLEMENTED")
      let shown = try #require(try await renderer.transport("GetPositionInfo")["TrackMetaData"])
      #expect(try XMLText.leaves(of: shown).first { $0.path.last == "title" }?.text == "1 A.flac")
      #expect(renderer.pipeline.staged.first?.uri == tracks[1])
      #expect(try await renderer.actions() == "Play,Stop,Pause,Seek,Next")
    }
  }

  @Test func tracksAreJoinedAndEvented() async throws {
    try await RendererUnderTest.run { renderer in
      try await playing(renderer)
      _ = try await renderer.takeEvents("AVTransport")
      renderer.pipeline.joins(info: StreamInfo(isSeekable: true), duration: .seconds(60))
      try await renderer.wait("the second") { try await $0.transport("GetPositionInfo")["Track"] == "2" }
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.count == 1)
      #expect(
        events.first?.names == [
          "CurrentTrack", "CurrentTrackURI", "CurrentTrackMetaData", "CurrentTrackDuration", "CurrentTransportActions",
        ])
      #expect(events.first?["CurrentTransportActions"] == "Play,Stop,Pause,Seek,Next,Previous")
    }
  }

  @Test func skipMovesBetweenTracks() async throws {
    try await RendererUnderTest.run { renderer in
      try await playing(renderer)
      #expect(try await renderer.transport("Previous").fault == 711)
      #expect(try await renderer.transport("Next").fault == nil)
      #expect(try await position(renderer) == ["2", tracks[1]])
      #expect(try await renderer.transport("Seek", ["Unit": "TRACK_NR", "Target": "3"]).fault == nil)
      #expect(try await position(renderer) == ["3", tracks[2]])
      #expect(try await renderer.transport("Next").fault == 711)
      #expect(try await renderer.transport("Seek", ["Unit": "TRACK_NR", "Target": "4"]).fault == 711)
      #expect(try await renderer.transport("Previous").fault == nil)
      #expect(try await position(renderer) == ["2", tracks[1]])
    }
  }

  @Test func trackSeekWorksWithoutSeekableStream() async throws {
    try await RendererUnderTest.run { renderer in
      try await playing(renderer)
      renderer.pipeline.reportInfo(StreamInfo(isSeekable: false), duration: .seconds(60))
      try await renderer.wait("the duration") {
        try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:01:00"
      }
      #expect(try await renderer.transport("Seek", ["Unit": "REL_TIME", "Target": "0:00:10"]).fault == 710)
      #expect(try await renderer.transport("Seek", ["Unit": "TRACK_NR", "Target": "3"]).fault == nil)
      #expect(try await position(renderer) == ["3", tracks[2]])
    }
  }

  /// A station's list with one stream keeps the address and the metadata of the item.
  @Test func listOfOneKeepsItemMetadata() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI("http://host/station.pls", metadata)
      try await renderer.play()
      renderer.pipeline.reportPlaylist(["http://host/stream"])
      renderer.pipeline.reportInfo(StreamInfo(isLive: true))
      try await renderer.wait("the list") { _ in renderer.pipeline.current?.uri == "http://host/stream" }
      #expect(try await position(renderer) == ["1", "http://host/station.pls"])
      #expect(try await renderer.transport("GetPositionInfo")["TrackMetaData"] == metadata)
      #expect(try await renderer.transport("GetMediaInfo")["NrTracks"] == "1")
    }
  }
}
