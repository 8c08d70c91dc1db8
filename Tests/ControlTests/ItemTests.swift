import ControlPoint
import FileServing
import Glibc
import Testing

@testable import swiftlet_control

@Suite struct ItemReferenceTests {
  @Test(arguments: [
    ("http://192.0.2.1/a.flac", ItemReference.url("http://192.0.2.1/a.flac")),
    ("station:fip", .station("fip")), ("station:tag:jazz", .station("tag:jazz")),
    ("station:/Music", .server("station", path: "/Music")),
    ("HTTPS://example.org/", .url("HTTPS://example.org/")),
    ("/music", .path("/music")), ("./a.flac", .path("./a.flac")), ("../a", .path("../a")), (".", .path(".")),
    ("..", .path("..")), ("Library:/Music/Blue", .server("Library", path: "/Music/Blue")),
    ("Library:/", .server("Library", path: "/")), ("kind of blue", .search("kind of blue")),
    (":/x", .search(":/x")), ("Act 1: Scene 2", .search("Act 1: Scene 2")), (".hidden", .search(".hidden")),
  ])
  func tellsWhatIsMeant(text: String, reference: ItemReference) {
    #expect(ItemReference(text) == reference)
  }

  @Test(arguments: [
    (["kind", "of", "blue"], [ItemReference.search("kind of blue")]),
    (["station:radio", "paradise", "./a", "b"], [.station("radio paradise"), .path("./a"), .search("b")]),
    (
      ["station:radio paradise", "blue", "station:fip"], [.station("radio paradise"), .search("blue"), .station("fip")]
    ),
    (["so what", "blue in green"], [.search("so what"), .search("blue in green")]),
    (["misty", "so what", "blue", "in"], [.search("misty"), .search("so what"), .search("blue in")]),
    (["miles", "./a", "blue"], [.search("miles"), .path("./a"), .search("blue")]), ([], []),
  ])
  func joinsAdjacentWords(texts: [String], references: [ItemReference]) {
    #expect(ItemReference.list(texts) == references)
  }
}

@Suite struct SearchSelectionTests {
  private static let tracks = [
    MediaObject(id: "1", parentID: "a", title: "Blue", artists: [.init("Two")], album: "Hits", originalTrackNumber: 1),
    MediaObject(
      id: "2", parentID: "b", title: "So What", artists: [.init("One")], album: "Kind", originalTrackNumber: 2),
    MediaObject(
      id: "3", parentID: "b", title: "Freddie", artists: [.init("One")], album: "Kind", originalTrackNumber: 1),
    MediaObject(
      id: "4", parentID: "c", title: "Freddie", artists: [.init("Two")], album: "Kind", originalTrackNumber: 3),
  ]

  @Test(arguments: [
    ("blue", ["1"]), ("FREDDIE", ["3"]), ("kind", ["3", "2"]), ("two", ["1", "4"]), ("e", ["1", "3", "2", "4"]),
  ])
  func prefersAnExactTitleThenAnAlbumThenAnArtist(text: String, ids: [String]) {
    var selection = SearchSelection(text)
    for track in Self.tracks { selection.add(track) }
    #expect(selection.chosen.map(\.id) == ids)
  }

  private static func track(_ number: Int, title: String? = nil) -> MediaObject {
    MediaObject(id: "many \(number)", parentID: "a", title: title ?? "Blue", artists: [.init("Two")], album: "Hits")
  }

  @Test func keepsABoundedNumberOfTracks() {
    var selection = SearchSelection("x")
    for number in 0...SearchSelection.maximumTracks { selection.add(Self.track(number)) }
    #expect(selection.chosen.count == SearchSelection.maximumTracks)
    #expect(selection.exceededLimit == SearchSelection.maximumTracks)
  }

  @Test func albumKeepsTracksOfAllArtists() {
    var selection = SearchSelection("hits")
    for (number, artist) in [(2, "One"), (1, "Two"), (3, "Three")] {
      selection.add(
        MediaObject(
          id: "\(number)", parentID: "a", title: "Song \(number)", artists: [.init(artist)], album: "Hits",
          originalTrackNumber: number))
    }
    #expect(selection.chosen.map(\.id) == ["1", "2", "3"])
  }

  @Test(arguments: ["so what", "kind", "one"])
  func keepsAnExactMatchAfterManyPartialOnes(text: String) {
    var selection = SearchSelection(text)
    for number in 0...SearchSelection.maximumTracks { selection.add(Self.track(number)) }
    selection.add(Self.tracks[1])
    #expect(selection.chosen.map(\.id) == ["2"])
    #expect(selection.exceededLimit == nil)
  }

  @Test func playsTheDiscsOfAnAlbumInFoldersOfTheirOwn() {
    var selection = SearchSelection("mass in b minor")
    for (disc, number) in [(1, 2), (1, 1), (1, 3), (2, 1), (2, 3), (2, 2)] {
      selection.add(
        MediaObject(
          id: "\(disc).\(number)", parentID: "CD\(disc)", title: "Part \(disc).\(number)", artists: [.init("Bach")],
          album: "Mass in B minor", originalTrackNumber: number))
    }
    #expect(selection.chosen.map(\.id) == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"])
    #expect(selection.others.isEmpty)
  }

  /// A server may list the folders of an album in any order.
  @Test(arguments: ["mass in b minor", "bach"])
  func discsInFoldersAreInTheOrderOfTheirTitles(text: String) {
    var found = SearchSelection(text)
    for (folder, number) in [("z", 1), ("z", 2), ("x", 1), ("x", 2), ("y", 1), ("y", 2)] {
      found.add(
        MediaObject(
          id: "\(folder)\(number)", parentID: folder, title: "Part \(folder)\(number)", artists: [.init("Bach")],
          album: "Mass in B minor", originalTrackNumber: number))
    }
    #expect(found.discContainers == ["x", "y", "z"])
    found.setTitles(["x": "CD 2", "y": "CD 10", "z": "CD 1"])
    var selection = SearchSelection(text)
    selection.add(found)
    #expect(selection.chosen.map(\.id) == ["z1", "z2", "x1", "x2", "y1", "y2"])
  }

  @Test func showsThatSeveralTracksHaveTheTitle() {
    var selection = SearchSelection("blue")
    for (id, artist) in [("1", "One"), ("2", "Two"), ("3", "Three")] {
      selection.add(MediaObject(id: id, title: "Blue", artists: [.init(artist)]))
    }
    #expect(selection.chosen.map(\.id) == ["1"])
    #expect(selection.others.map(\.id) == ["2", "3"])
  }

  @Test func showsThatSeveralAlbumsHaveTheTitle() {
    var selection = SearchSelection("hits")
    for (id, artist) in [("1", "One"), ("2", "Two"), ("3", "One")] {
      selection.add(MediaObject(id: id, parentID: id, title: "Song \(id)", artists: [.init(artist)], album: "Hits"))
    }
    #expect(selection.chosen.map(\.id) == ["1", "3"])
    #expect(selection.others.map(\.id) == ["2"])
  }

  @Test func playsATrackOnceThatIsOnTwoServersOrInTwoViews() {
    var selection = SearchSelection("bach")
    for server in 0..<2 {
      var found = SearchSelection("bach")
      // The album has two tracks of one title. One is also listed in another view.
      for (id, title) in [("1", "Interlude"), ("2", "Air"), ("3", "Interlude"), ("2", "Air")] {
        let artist = MediaObject.Artist(server == 0 ? "Bach" : "BACH")
        found.add(MediaObject(id: id, title: title, artists: [artist], album: "Suite", originalTrackNumber: Int(id)))
      }
      selection.add(found)
    }
    #expect(selection.chosen.map(\.id) == ["1", "2", "3"])
  }

  @Test func choosesTheAlbumOfOneServer() {
    var selection = SearchSelection("kind")
    for _ in 0..<2 {
      var server = SearchSelection("kind")
      server.add(Self.tracks[1])
      selection.add(server)
    }
    #expect(selection.chosen.map(\.id) == ["2"])
  }
}

@Suite struct PlaylistWithURLsTests {
  private func links(_ lines: String) throws -> [ServedTrack]? {
    let path = "/tmp/swiftlet-links-\(UInt64.random(in: .min ... .max)).m3u"
    let file = try #require(fopen(path, "w"))
    fputs(lines, file)
    fclose(file)
    defer { unlink(path) }
    return PlayableItems.links(in: try MediaScan(path))
  }

  @Test func needsNoServer() throws {
    let tracks = try #require(try links("http://192.0.2.1/station\n"))
    #expect(tracks.map(\.url) == ["http://192.0.2.1/station"])
    #expect(PlayableItems.served(tracks).isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1))) struct ServerSearchTests {
  @Test func serverThatNeverEndsDoesNotHoldUpTheOthers() async {
    let endless: ServerSearch.Search = { found in
      found(MediaObject(title: "1"))
      try await Task.sleep(for: .seconds(3600))
    }
    let quick: ServerSearch.Search = { found in
      for number in 0..<1000 { found(MediaObject(id: "\(number)", title: "2")) }
    }
    let results = await ServerSearch.run([endless, quick], text: "x", limit: .milliseconds(10))
    #expect(results.map(\.isCutShort) == [true, false])
    #expect(results.map { $0.selection.chosen.first?.title } == ["1", "2"])
    #expect(results[1].selection.exceededLimit == SearchSelection.maximumTracks)
  }

  @Test func endsBeforeTheLimit() async {
    let failing: ServerSearch.Search = { _ in throw ControlPointError.status(500) }
    let results = await ServerSearch.run([failing, { _ in }], text: "x", limit: .seconds(3600))
    #expect(results.map { $0.error as? ControlPointError } == [.status(500), nil])
    #expect(results.allSatisfy { !$0.isCutShort })
  }
}

@Suite struct ServedPlaybackTests {
  /// A row: state, current track, queue, verdict, repetitions.
  private typealias Row = (PlaybackState, String?, Set<String>, ServedPlayback.Verdict, Int)

  /// One row's repetition is a second.
  private static let patience = Int(ServedPlayback.patience.components.seconds)

  private func check(_ rows: [Row]) {
    var playback = ServedPlayback(urls: Set(["a", "b"].map { PlayedURI($0) }))
    var time = 0
    for (number, row) in rows.enumerated() {
      for _ in 0..<row.4 {
        let verdict = playback.observe(
          .init(state: row.0, current: row.1.map { PlayedURI($0) }, queue: Set(row.2.map { PlayedURI($0) })),
          at: .seconds(time))
        time += 1
        #expect(verdict == row.3, "row \(number)")
      }
    }
  }

  @Test func servesUntilTheLastFileHasBeenPlayed() {
    check([
      (.buffering, "a", ["a", "b"], .serve, 3), (.playing, "a", ["a", "b"], .serve, 100),
      (.playing, "b", ["a", "b"], .serve, 100), (.stopped, "b", ["a", "b"], .end, 1),
    ])
  }

  @Test func servesWhileTheFilesRepeat() {
    check([
      (.playing, "a", ["a", "b"], .serve, 1), (.playing, "b", ["a", "b"], .serve, 1),
      (.playing, "a", ["a", "b"], .serve, 100), (.stopped, "a", ["a", "b"], .serve, 1),
      (.playing, "b", ["a", "b"], .serve, 100), (.stopped, "b", ["a", "b"], .end, 1),
    ])
  }

  @Test func endsAfterManyMissingAnswersInARow() {
    var playback = ServedPlayback(urls: [PlayedURI("a")])
    for _ in 0..<2 {
      for _ in 1..<ServedPlayback.maximumMisses {
        let canMiss = playback.canMissAnswer()
        #expect(canMiss)
      }
      _ = playback.observe(
        .init(state: .playing, current: PlayedURI("a"), queue: [PlayedURI("a")]), at: .zero)
    }
    let last = (1...ServedPlayback.maximumMisses).map { _ in playback.canMissAnswer() }.last
    #expect(last == false)
  }

  @Test func servesWhileOtherTracksPlayBefore() {
    check([(.playing, "x", ["x", "a", "b"], .serve, 100), (.playing, "a", ["x", "a", "b"], .serve, 1)])
  }

  @Test func servesWhilePausedAndBetweenTracks() {
    check([
      (.playing, "a", ["a", "b"], .serve, 1), (.paused, "a", ["a", "b"], .serve, 1000),
      (.stopped, "a", ["a", "b"], .serve, Self.patience), (.playing, "b", ["a", "b"], .serve, 1),
    ])
  }

  @Test func endsWhenSomeoneStopsTheSpeaker() {
    check([
      (.playing, "a", ["a", "b"], .serve, 1), (.stopped, "a", ["a", "b"], .serve, Self.patience),
      (.stopped, "a", ["a", "b"], .end, 1),
    ])
  }

  @Test func waitsForAQueueThatHasNotBegun() {
    check([(.stopped, nil, ["x", "a", "b"], .serve, 100)])
  }

  @Test func endsWhenTheFilesAreRemoved() {
    check([(.playing, "a", ["a", "b"], .serve, 1), (.playing, "x", ["x"], .end, 1)])
    check([(.stopped, nil, [], .serve, Self.patience), (.stopped, nil, [], .end, 1)])
  }
}
