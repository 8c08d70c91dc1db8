import Testing
import UPnP

@testable import ControlPoint

@Suite struct TrackSearchTests {
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
    #expect(TrackSearch(text).criteria(MediaCapabilities(capabilities)) == criteria)
  }

  @Test(arguments: [
    ("blue", true), ("BLUE davis", true), ("kind miles", true), ("green", false), ("blue green", false), ("", false),
  ])
  func matchesAllWords(text: String, isFound: Bool) {
    let track = MediaObject(title: "Blue Train", artists: [.init("Miles Davis")], album: "Kind of Blue")
    #expect(TrackSearch(text).matches(track) == isFound)
  }

  @Test func matchesOnlyAudioItems() {
    #expect(!TrackSearch("a").matches(MediaObject(.container, title: "A", objectClass: "object.container")))
    #expect(!TrackSearch("a").matches(MediaObject(title: "A", objectClass: "object.item.videoItem")))
    let untyped = MediaObject(
      title: "A", objectClass: "",
      resources: [MediaResource(uri: "http://192.0.2.1/a", protocolInfo: ProtocolInfo("http-get:*:audio/flac:*"))])
    #expect(TrackSearch("a").matches(untyped))
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
    let newFiles = files.filter { walk.isNew($0) }.map(\.id)
    #expect(newFiles == ["a", "c", "d"])
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
