import Testing
import UPnP

@testable import ControlPoint

@Suite struct MediaSearchTests {
  static let criteria: [(text: String, capabilities: String, criteria: String?)] = [
    ("jazz", "dc:title", #"(dc:title contains "jazz")"#),
    (
      "Blue  Note", "upnp:album,dc:title",
      #"(dc:title contains "blue" or upnp:album contains "blue") and (dc:title contains "note" or upnp:album contains "note")"#
    ),
    ("a", "dc:title, upnp:class", #"upnp:class derivedfrom "object.item.audioItem" and (dc:title contains "a")"#),
    (#"7" \o"#, "dc:title", #"(dc:title contains "7\"") and (dc:title contains "\\o")"#),
    (
      "a", "*",
      #"upnp:class derivedfrom "object.item.audioItem" and (dc:title contains "a" or upnp:artist contains "a" or dc:creator contains "a" or upnp:album contains "a")"#
    ),
    ("a", "", nil), ("a", "upnp:class,@id", nil), (" ", "*", nil),
  ]

  @Test(arguments: criteria)
  func asksForWhatTheServerCanSearch(text: String, capabilities: String, criteria: String?) {
    #expect(MediaSearch(text).criteria(MediaCapabilities(capabilities)) == criteria)
  }

  @Test(
    arguments: [
      (MediaSearch.Kind.album, "*", #"upnp:class derivedfrom "object.container.album.musicAlbum" and "#),
      (
        .artist, "upnp:class,dc:title", #"upnp:class derivedfrom "object.container.person" and (dc:title contains "a")"#
      ),
      (.album, "dc:title", nil), (.artist, "upnp:class,upnp:artist", nil),
    ] as [(MediaSearch.Kind, String, String?)])
  func findsAlbumsAndArtistsOnlyByTheirClass(kind: MediaSearch.Kind, capabilities: String, beginning: String?) {
    let criteria = MediaSearch("a", for: kind).criteria(MediaCapabilities(capabilities))
    #expect(criteria.map { $0.hasPrefix(beginning ?? "?") } == beginning.map { _ in true })
  }

  @Test func withoutWordsFindsAllAlbumsAndArtistsButNotAllTracks() {
    let all = MediaCapabilities("*")
    #expect(
      MediaSearch("", for: .album).criteria(all) == #"upnp:class derivedfrom "object.container.album.musicAlbum""#)
    #expect(MediaSearch("", for: .artist).criteria(all) == #"upnp:class derivedfrom "object.container.person""#)
    #expect(MediaSearch("").criteria(all) == nil)
    #expect(MediaSearch("", for: .album).criteria(MediaCapabilities("dc:title")) == nil)
  }

  /// A word as it may be typed, and as a server may have it.
  @Test(arguments: [
    ("bjork", "Björk"), ("BJÖRK", "Björk"), ("björk", "Bjork"), ("beyonce", "Beyoncé"), ("dvořák", "Dvořák"),
    ("asgeir", "Ásgeir"),
    ("abba", "ABBA"), ("sigur", "Sigur"), ("ros", "Rós"), ("motorhead", "Motörhead"), ("queensryche", "Queensrÿche"),
  ])
  func asksForOtherSpellings(typed: String, written: String) {
    for capabilities in ["dc:title", "*"] {
      let criteria = MediaSearch(typed).criteria(MediaCapabilities(capabilities), .spellings) ?? ""
      #expect(criteria.contains("dc:title contains \"\(written)\""), "\(criteria)")
      #expect(criteria.utf8.count < 2000)
    }
    #expect(MediaSearch(typed).matches(MediaObject(title: written)))
  }

  @Test(arguments: [
    ("ÄÖÜ", "aou"), ("Straße", "strasse"), ("Æsir", "aesir"), ("Bjo\u{308}rk", "bjork"), ("don’t", "don't"),
    ("ABC", "abc"),
    ("Ωμέγα", "ωμεγα"), ("Ёлка", "елка"), ("日本", "日本"), ("", ""),
  ])
  func foldsCaseAndAccents(text: String, folded: String) {
    #expect(FoldedText.folded(text) == folded)
  }

  @Test func longSearchesStayShort() {
    let words = (0..<8).map { "anotherlongword\($0)" }.joined(separator: " ")
    let criteria = MediaSearch(words).criteria(MediaCapabilities("*"), .spellings) ?? ""
    #expect(criteria.utf8.count < 2000 && criteria.contains("anotherlongword7"))
  }

  @Test func showsEachAlbumAndArtistOnce() {
    func container(_ id: String, _ title: String, _ artist: String, _ count: Int) -> MediaObject {
      var object = MediaObject(.container, id: id, title: title, artists: [.init(artist)])
      object.childCount = count
      return object
    }
    let found = [
      container("1", "Debut", "Björk", 3), container("2", "Début", "Bjork", 10), container("3", "Debut", "Other", 1),
    ]
    #expect(MediaSearch("d", for: .album).unique(found).map(\.id) == ["2", "3"])
    #expect(MediaSearch("d", for: .artist).unique(found).map(\.id) == ["2"])
    #expect(MediaSearch("d").unique(found).map(\.id) == ["1", "2", "3"])
  }

  @Test(arguments: [
    ("blue", true), ("BLUE davis", true), ("kind miles", true), ("green", false), ("blue green", false), ("", false),
  ])
  func matchesAllWords(text: String, isFound: Bool) {
    let track = MediaObject(title: "Blue Train", artists: [.init("Miles Davis")], album: "Kind of Blue")
    #expect(MediaSearch(text).matches(track) == isFound)
  }

  @Test func matchesOnlyAudioItems() {
    #expect(!MediaSearch("a").matches(MediaObject(.container, title: "A", objectClass: "object.container")))
    #expect(!MediaSearch("a").matches(MediaObject(title: "A", objectClass: "object.item.videoItem")))
    let untyped = MediaObject(
      title: "A", objectClass: "",
      resources: [MediaResource(uri: "http://192.0.2.1/a", protocolInfo: ProtocolInfo("http-get:*:audio/flac:*"))])
    #expect(MediaSearch("a").matches(untyped))
  }

  @Test func findsATrackOnceInAllViews() {
    func item(_ id: String, refID: String? = nil, uri: String? = nil) -> MediaObject {
      var item = MediaObject(id: id, title: "A", resources: uri.map { [MediaResource(uri: $0)] } ?? [])
      item.refID = refID
      return item
    }
    var walk = MediaWalk(root: "0")
    let items = [
      item("1", uri: "a"), item("2", uri: "a"), item("3", refID: "4", uri: "b"), item("4", uri: "c"), item("5"),
      item("6", refID: "5"), item("7"), item("8", uri: "d"),
    ]
    let new = items.filter { walk.isNew($0) }.map(\.id)
    #expect(new == ["1", "3", "5", "7", "8"])

    func file(_ id: String, _ title: String, size: UInt64 = 9) -> MediaObject {
      MediaObject(id: id, title: title, resources: [MediaResource(uri: id, duration: .seconds(1), size: size)])
    }
    let files = [file("a", "X - Train"), file("b", "Train"), file("c", "Rain"), file("d", "Train", size: 8)]
    walk = MediaWalk(root: "0")
    let newFiles = (files + [file("e", "Y - Train")]).filter { walk.isNew($0) }.map(\.id)
    #expect(newFiles == ["a", "c", "d", "e"])
  }

  @Test(arguments: [
    ("Björk - Debut - Night Train", "Night Train"), ("Night Train", "Night Train"),
    ("Björk - Debut - ", "Björk - Debut - "),
  ])
  func titlesHaveNoArtistAndAlbumBeforeThem(title: String, plain: String) {
    let track = MediaObject(id: "1", title: title, artists: [.init("Björk")], album: "Debut")
    #expect(track.withPlainTitle.title == plain)
  }

  @Test func walksEachContainerOnceAndWithinLimits() {
    func container(_ id: String) -> MediaObject { MediaObject(.container, id: id, title: id) }
    var walk = MediaWalk(root: "0")
    let children = ["0": ["a", "b", "a", "0", ""], "a": ["c"]]
    var visited: [String] = []
    while let id = walk.next() {
      visited.append(id)
      for child in children[id] ?? [] { _ = walk.add(container(child)) }
    }
    #expect(visited == ["0", "a", "b", "c"] && walk.isComplete)

    var deep = MediaWalk(root: "0")
    var count = 0
    while deep.next() != nil {
      count += 1
      _ = deep.add(container("level \(count)"))
    }
    #expect(count == MediaWalk.maximumDepth + 1 && !deep.isComplete)

    var wide = MediaWalk(root: "0")
    _ = wide.next()
    count = 0
    while wide.add(container("\(count)")), count < 1_000_000 { count += 1 }
    #expect(count == MediaWalk.maximumObjects - 1 && !wide.isComplete)
    let next = wide.next()
    #expect(next == nil)
  }
}
