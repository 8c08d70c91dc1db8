import Glibc
import LocalLibrary
import Testing
import UPnP

/// The library of real files: lists, searches and files.
@Suite struct MusicLibraryTests {
  private let tree: LibraryTree

  init() throws { tree = try LibraryTree() }

  private func makeAlbums() throws {
    try tree.track(
      "Abba/Arrival/10 Ten.flac",
      [
        "TITLE": "Ten", "ARTIST": "ABBA", "ALBUM": "Arrival", "TRACKNUMBER": "10", "DATE": "1976-10-11",
        "GENRE": "Pop", "COMPOSER": "Benny",
      ])
    try tree.track(
      "Abba/Arrival/02 Two.flac",
      [
        "TITLE": "Two", "ARTIST": "ABBA", "ALBUM": "Arrival", "TRACKNUMBER": "2", "DATE": "1976", "GENRE": "Pop",
        "GENRE": "Dance",
      ], picture: LibraryTree.jpeg)
    try tree.track(
      "Mix/a.flac",
      ["TITLE": "Ångström", "ARTIST": "Zoë", "ALBUM": "Hits", "COMPILATION": "1", "TRACKNUMBER": "1"])
    try tree.track(
      "Mix/b.flac", ["TITLE": "Bee", "ARTIST": "ABBA", "ALBUM": "Hits", "COMPILATION": "1", "TRACKNUMBER": "2"])
    try tree.track("loose.flac", ["ARTIST": "Zoë", "GENRE": "Pop"])
    try tree.write("Mix/cover.jpg", LibraryTree.jpeg)
    try tree.write("Mix/notes.txt", [1])
  }

  @Test func lists() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let root = try await library.titles("0")
      #expect(
        root == [
          "Albums/", "Artists/", "Album artists/", "Composers/", "Genres/", "Years/", "Recently added/", "All tracks/",
          "Folders/",
        ])
      #expect(try await library.titles("albums") == ["Arrival/", "Hits/"])
      #expect(try await library.titles("artists") == ["ABBA/", "Zoë/"])
      #expect(try await library.titles("albumArtists") == ["ABBA/", "Various Artists/", "Zoë/"])
      #expect(try await library.titles("composers") == ["Benny/"])
      #expect(try await library.titles("genres") == ["Dance/", "Pop/"])
      #expect(try await library.titles("years") == ["1976/"])
      #expect(try await library.titles("tracks") == ["Ångström", "Bee", "loose", "Ten", "Two"])
      #expect(try await library.titles("tracks", range: 1..<3) == ["Bee", "loose"])
      #expect(try await library.page("tracks", range: 1..<3).total == 5)
      #expect(try await library.titles("tracks", range: 5..<9) == [])
      let descending = [SortKey("dc:title", isDescending: true)]
      #expect(try await library.titles("tracks", sort: descending).first == "Two")
    }
  }

  @Test func entries() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let arrival = try await library.child("Arrival", of: "albums")
      #expect(try await library.titles(arrival) == ["Two", "Ten"])
      let abba = try await library.child("ABBA", of: "artists")
      #expect(try await library.titles(abba) == ["Hits/", "Arrival/"])
      // Only her part of the compilation, then what is on no album.
      let zoe = try await library.child("Zoë", of: "artists")
      #expect(try await library.titles(zoe) == ["Hits/", "loose"])
      #expect(try await library.titles(try await library.child("Hits", of: zoe)) == ["Ångström"])
      let pop = try await library.child("Pop", of: "genres")
      #expect(try await library.titles(pop) == ["Arrival/", "loose"])
      let music = try await library.child("music", of: "folders")
      #expect(try await library.titles(music) == ["Abba/", "Mix/", "loose"])
      #expect(try await library.titles(try await library.child("Mix", of: music)) == ["Ångström", "Bee"])
    }
  }

  @Test func facts() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let track = try await library.track("Two")
      #expect(track.artists == ["ABBA"])
      #expect(track.genres == ["Pop", "Dance"])
      #expect(track.date == "1976")
      #expect(track.number == 2)
      #expect(track.duration == .seconds(60))
      #expect(track.sampleRate == 44_100)
      #expect(track.bitsPerSample == 16)
      #expect(track.channels == 2)
      #expect(track.mimeType == "audio/x-flac")
      #expect(track.cover == .embedded(track.id))
      let hits = try await library.container(try #require(LibraryContainerID(library.child("Hits", of: "albums"))))
      #expect(hits.artist == "Various Artists")
      #expect(hits.childCount == 2)
      guard case .folder = hits.cover else {
        Issue.record("The cover is \(String(describing: hits.cover))")
        return
      }
    }
  }

  @Test func missingObjects() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      for id in ["albums/1", "artists/1", "artists/1/2", "folders/1", "playlists/1", "recent/1"] {
        await #expect(throws: LibraryError.missing) { try await library.page(id) }
      }
      await #expect(throws: LibraryError.missing) { try await library.track(1) }
      await #expect(throws: LibraryError.missing) { try await library.open(track: 1) }
      await #expect(throws: LibraryError.missing) { try await library.cover(.folder(1)) }
    }
  }

  @Test(arguments: [
    ("upnp:class derivedfrom \"object.item.audioItem\" and dc:title contains \"ANGSTR\"", ["Ångström"]),
    (
      "upnp:class derivedfrom \"object.item\" and @refID exists false and upnp:artist = \"zoe\"", ["Ångström", "loose"]
    ),
    ("upnp:class = \"object.container.album.musicAlbum\" and upnp:artist contains \"abb\"", ["Arrival/"]),
    ("upnp:class = \"object.container.person.musicArtist\" and dc:title contains \"o\"", ["Zoë/"]),
    ("dc:title contains \"arr\"", ["Arrival/", "Arrival/"]),
    ("upnp:genre = \"dance\" and upnp:class derivedfrom \"object.item\"", ["Two"]),
    ("upnp:album contains \"hit\" and dc:title doesNotContain \"ee\"", ["Hits/", "Ångström"]),
    ("upnp:originalTrackNumber > \"2\" or dc:title = \"bee\"", ["Bee", "Ten"]),
    ("dc:title startsWith \"tw\"", ["Two"]),
    ("dc:date >= \"1976-10\" and upnp:class derivedfrom \"object.item\"", ["Ten"]),
    ("upnp:albumArtURI exists true and upnp:class derivedfrom \"object.item\"", ["Ångström", "Bee", "Two"]),
    ("res@duration >= \"0:01:00\" and upnp:album exists false", ["loose"]),
    ("upnp:author = \"benny\"", ["Ten"]), ("dc:title = \"\"", []), ("dc:title contains \"%\"", []),
    ("dc:title contains \"a\\\"b*c\"", []),
  ])
  func searches(criteria: String, titles: [String]) async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let found = try await library.found(criteria)
      #expect(found == titles)
    }
  }

  @Test func searchesInAContainer() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let all = "upnp:class derivedfrom \"object.item\""
      let abba = try await library.child("ABBA", of: "artists")
      #expect(try await library.found(all, in: abba) == ["Bee", "Ten", "Two"])
      let music = try await library.child("music", of: "folders")
      #expect(try await library.found(all, in: music).count == 5)
      #expect(try await library.found(all, in: try await library.child("Mix", of: music)) == ["Ångström", "Bee"])
      #expect(try await library.found("*", in: try await library.child("Hits", of: "albums")) == ["Ångström", "Bee"])
      await #expect(throws: LibraryError.unsupported) { try await library.found("upnp:rating = \"5\"") }
    }
  }

  @Test func filesAndCovers() async throws {
    try makeAlbums()
    try await tree.withLibrary { library in
      let two = try await library.track("Two")
      let file = try await library.open(track: two.id)
      #expect(file.size == two.size)
      var magic = [UInt8](repeating: 0, count: 4)
      #expect(pread(file.descriptor, &magic, 4, 0) == 4)
      #expect(magic == Array("fLaC".utf8))
      guard case .bytes(let bytes, "image/jpeg") = try await library.cover(.embedded(two.id)) else {
        Issue.record("There is no picture in the file")
        return
      }
      #expect(bytes == LibraryTree.jpeg)
      let cover = try #require(try await library.track("Bee").cover)
      guard case .file(let picture) = try await library.cover(cover) else {
        Issue.record("The picture is not in the folder")
        return
      }
      #expect(picture.size == LibraryTree.jpeg.count)
      #expect(picture.mimeType == "image/jpeg")
    }
  }

  @Test func playlists() async throws {
    try makeAlbums()
    let text = """
      #EXTM3U
      #EXTINF:60,Second
      Abba/Arrival/02 Two.flac
      Mix\\b.flac
      ../../etc/passwd.flac
      ./Mix/../loose.flac
      #EXTINF:-1,A station
      http://radio.example.org/live
      \(tree.path)/Mix/a.flac
      """
    try tree.write("list.m3u8", Array(text.utf8))
    try await tree.withLibrary { library in
      let playlists = try await library.titles("playlists")
      #expect(playlists == ["list/"])
      let list = try await library.child("list", of: "playlists")
      #expect(try await library.titles(list) == ["Two", "Bee", "loose", "A station", "Ångström"])
      #expect(try await library.page(list, range: 2..<4).entries.map(\.title) == ["loose", "A station"])
      #expect(try await library.page(list).total == 5)
    }
  }

  /// Regression: the rest was left out silently.
  @Test func aLongPlaylistIsCutWithAReport() async throws {
    let line = "http://radio.example.org/live\n"
    try tree.write("long.m3u", Array(String(repeating: line, count: 10_001).utf8))
    try tree.write("large.m3u", Array(String(repeating: "#" + line, count: 40_000).utf8))
    try tree.write("whole.m3u", Array((String(repeating: line, count: 9_999) + "http://\n" + line).utf8))
    try await tree.withLibrary { library in
      #expect(
        library.status.problems == [
          "\(tree.path)/large.m3u: more than 1 MiB; the rest is left out",
          "\(tree.path)/long.m3u: more than 10000 entries; the rest is left out",
        ])
      let whole = try await library.child("whole", of: "playlists")
      #expect(try await library.page(whole).total == 10_000)
    }
  }
}
