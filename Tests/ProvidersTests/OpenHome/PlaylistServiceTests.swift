import Testing
import UPnP

@testable import PlaybackModel
@testable import Providers

@Suite struct PlaylistServiceTests {
  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = [:]
  ) async throws -> Answer {
    try await renderer.call("Playlist", action, arguments)
  }

  @discardableResult
  private func insert(_ renderer: RendererUnderTest, _ uri: String, _ metadata: String = "", after: String) async throws
    -> String
  {
    let arguments = ["AfterId": after, "Uri": uri, "Metadata": metadata]
    return try #require(try await call(renderer, "Insert", arguments)["NewId"])
  }

  /// Inserts three tracks, which get the ids 1 to 3.
  private func fill(_ renderer: RendererUnderTest) async throws {
    for (uri, after) in [("http://host/a", "0"), ("http://host/b", "1"), ("http://host/c", "2")] {
      try await insert(renderer, uri, "about \(uri)", after: after)
    }
  }

  private func ids(_ renderer: RendererUnderTest) async throws -> [UInt32] {
    let array = try #require(try await call(renderer, "IdArray")["Array"])
    let bytes = try #require(Base64.decode(array.utf8))
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  private func state(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "TransportState")["Value"]
  }

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Playlist")
      #expect(event.names == (try DeclaredVariables.of(service: "Playlist")).evented)
      #expect([event["TransportState"], event["Id"], event["IdArray"]] == ["Stopped", "0", ""])
      #expect([event["Repeat"], event["Shuffle"], event["TracksMax"]] == ["0", "0", "16384"])
      #expect(event["ProtocolInfo"]?.contains("http-get:*:audio/flac:*") == true)
    }
  }

  @Test func tracksAreInsertedAndReadByteForByte() async throws {
    let metadata = "<DIDL-Lite>\r\n\t<item>&amp; \u{1F3A7} ' \" ]]&gt;</item></DIDL-Lite>"
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      try await insert(renderer, "http://host/d?x=1&y=2", metadata, after: "0")
      try await insert(renderer, "http://host/e", after: "1")
      #expect(try await ids(renderer) == [4, 1, 5, 2, 3])
      let read = try await call(renderer, "Read", ["Id": "4"])
      #expect(read["Uri"] == "http://host/d?x=1&y=2")
      #expect(read["Metadata"] == metadata)
      let list = try #require(try await call(renderer, "ReadList", ["IdList": "4 99 x 1"])["TrackList"])
      let leaves = try XMLText.leaves(of: list)
      #expect(
        leaves.map(\.text) == ["4", "http://host/d?x=1&y=2", metadata, "1", "http://host/a", "about http://host/a"])
      #expect(leaves.map { $0.path[2] } == ["Id", "Uri", "Metadata", "Id", "Uri", "Metadata"])
    }
  }

  /// Controllers may request tracks that were deleted in the meantime.
  @Test(arguments: [
    ("", []), ("2", ["2"]), ("3 1", ["3", "1"]), ("1 1 2 1", ["1", "2"]), ("  2  77 1 ", ["2", "1"]), ("1,2", []),
    ("0", []), ("x -1 4294967296 3", ["3"]),
  ])
  func readListSkipsUnknownIds(asked: String, read: [String]) async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      let list = try #require(try await call(renderer, "ReadList", ["IdList": asked])["TrackList"])
      #expect(try XMLText.leaves(of: list).filter { $0.path.last == "Id" }.map(\.text) == read)
    }
  }

  @Test(arguments: [
    ("Read", ["Id": "7"], 800), ("Read", ["Id": "0"], 800), ("DeleteId", ["Value": "7"], 800),
    ("SeekId", ["Value": "7"], 800), ("SeekId", ["Value": "-1"], 800), ("SeekIndex", ["Value": "3"], 802),
    ("Insert", ["AfterId": "7", "Uri": "http://host/x", "Metadata": ""], 800),
    ("SeekSecondAbsolute", ["Value": "99999999999"], 803), ("SeekSecondAbsolute", ["Value": "soon"], 402),
  ])
  func unknownIdsAreRefused(action: String, arguments: [String: String], fault: Int) async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      #expect(try await call(renderer, action, arguments).fault == fault)
      #expect(try await ids(renderer) == [1, 2, 3])
    }
  }

  @Test func seekInEmptyListIsRefused() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await call(renderer, "SeekSecondAbsolute", ["Value": "1"])
      #expect(answer.fault == 803)
      #expect(try await call(renderer, "SeekSecondRelative", ["Value": "-1"]).fault == 803)
      for action in ["Play", "Pause", "Stop", "Next", "Previous", "DeleteAll"] {
        #expect(try await call(renderer, action).fault == nil, "\(action)")
      }
      #expect(try await state(renderer) == "Stopped")
    }
  }

  @Test func tokenChangesWithEveryChange() async throws {
    try await RendererUnderTest.run { renderer in
      var tokens: Set<String> = []
      func note() async throws {
        let token = try #require(try await call(renderer, "IdArray")["Token"])
        #expect(try await call(renderer, "IdArrayChanged", ["Token": token])["Value"] == "0")
        for old in tokens { #expect(try await call(renderer, "IdArrayChanged", ["Token": old])["Value"] == "1") }
        tokens.insert(token)
      }
      try await note()
      try await fill(renderer)
      try await note()
      try await renderer.perform("Playlist", "DeleteId", ["Value": "2"])
      try await note()
      try await renderer.perform("Playlist", "DeleteAll")
      try await note()
      #expect(tokens.count == 4)
    }
  }

  @Test func playbackIsEventedTrackByTrack() async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      _ = try await renderer.takeEvents("Playlist")
      try await renderer.perform("Playlist", "SeekId", ["Value": "2"])
      #expect(try await state(renderer) == "Buffering")
      #expect(renderer.pipeline.current?.uri == "http://host/b")
      #expect(renderer.pipeline.staged.first?.uri == "http://host/c")
      renderer.pipeline.plays()
      try await renderer.wait("sound") { _ in try await state(renderer) == "Playing" }
      renderer.pipeline.joins(info: StreamInfo(), duration: .seconds(3))
      try await renderer.wait("the join") { _ in try await call(renderer, "Id")["Value"] == "3" }
      #expect(renderer.pipeline.staged.isEmpty)
      try await renderer.perform("Playlist", "SetRepeat", ["Value": "1"])
      #expect(renderer.pipeline.staged.first?.uri == "http://host/a")
      try await renderer.perform("Playlist", "SetRepeat", ["Value": "0"])
      renderer.pipeline.ends()
      try await renderer.wait("the end") { _ in try await state(renderer) == "Stopped" }
      #expect(try await call(renderer, "Id")["Value"] == "1")
      let events = try await renderer.takeEvents("Playlist")
      #expect(events.compactMap { $0["TransportState"] } == ["Buffering", "Playing", "Stopped"])
      #expect(events.compactMap { $0["Id"] } == ["2", "3", "1"])
      #expect(events.compactMap { $0["Repeat"] } == ["1", "0"])
      #expect(events.compactMap { $0["IdArray"] } == [])
    }
  }

  @Test func avAndPlaylistStopEachOther() async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      try await renderer.playUntilPlaying("http://host/av")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "2")
      try await renderer.perform("Playlist", "Play")
      // AVTransport shows the playlist.
      #expect(try await renderer.state() == "TRANSITIONING")
      #expect(try await state(renderer) == "Buffering")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
      try await renderer.setURI("http://host/av")
      // A stop of the source that is not current has no effect.
      #expect(try await renderer.transport("Stop").fault == nil)
      #expect(try await state(renderer) == "Buffering")
      try await renderer.play()
      #expect(try await state(renderer) == "Stopped")
      #expect(try await ids(renderer) == [1, 2, 3])
    }
  }

  @Test func nextAndPreviousDoNotAffectAnotherSource() async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      try await renderer.playUntilPlaying("http://host/av")
      for action in ["Next", "Previous"] { #expect(try await call(renderer, action).fault == nil) }
      #expect(try await renderer.state() == "PLAYING")
      #expect(try await call(renderer, "Id")["Value"] == "1")
      #expect(try await renderer.transport("Stop").fault == nil)
      for action in ["Next", "Previous"] { #expect(try await call(renderer, action).fault == nil) }
      #expect(try await state(renderer) == "Stopped")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "2")
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "0"])
      #expect(try await call(renderer, "Next").fault == nil)
      #expect(try await state(renderer) == "Buffering")
      #expect(renderer.pipeline.current?.uri == "http://host/b")
    }
  }

  @Test func repeatAndShuffleAreSharedWithTransport() async throws {
    try await RendererUnderTest.run { renderer in
      try await fill(renderer)
      #expect(
        try await renderer.call("Transport", "ModeInfo").results.map(\.value) == ["1", "1", "1", "1"])
      #expect(try await renderer.call("Transport", "SetShuffle", ["Shuffle": "1"]).fault == nil)
      #expect(try await call(renderer, "Shuffle")["Value"] == "1")
      #expect(try await renderer.takeEvents("Transport").last?["Shuffle"] == "1")
      try await renderer.perform("Playlist", "SetRepeat", ["Value": "1"])
      #expect(try await renderer.call("Transport", "Repeat")["Repeat"] == "1")
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "2"])
      #expect(try await renderer.call("Transport", "Repeat")["Repeat"] == "1")
      #expect(try await renderer.call("Transport", "ModeInfo").results.map(\.value) == ["0", "0", "0", "0"])
    }
  }
}
