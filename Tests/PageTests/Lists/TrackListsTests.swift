import PlaybackModel
import Testing

@testable import Page

@Suite struct TrackListsTests {
  private static func track(_ number: Int) -> PlaylistTrack {
    PlaylistTrack(uri: "http://192.0.2.1/\(number)", metadata: "")
  }

  private final class Disk {
    var lists: [String: [PlaylistTrack]] = [:]

    func storage() -> TrackLists.Storage {
      TrackLists.Storage(saved: lists.map { ($0, $1) }) { self.lists[$0] = $1.isEmpty ? nil : $1 }
    }
  }

  @Test func keepsQueuesByName() throws {
    let disk = Disk()
    let lists = TrackLists(disk.storage())
    try lists.keep([Self.track(1), Self.track(2)], as: "b", replaces: false)
    try lists.keep([Self.track(3)], as: "A", replaces: false)
    #expect(throws: TrackLists.Failure.exists) { try lists.keep([Self.track(4)], as: "b", replaces: false) }
    #expect(try lists.tracks("b") == [1, 2].map(Self.track))
    try lists.keep([Self.track(4)], as: "b", replaces: true)
    #expect(lists.names == ["A", "b"])
    #expect(try TrackLists(disk.storage()).tracks("b") == [Self.track(4)])
    try lists.remove("b")
    #expect(throws: TrackLists.Failure.unknown) { try lists.tracks("b") }
    #expect(Array(disk.lists.keys) == ["A"])
  }

  @Test(arguments: [
    ("", 1, TrackLists.Failure.badName), ("favorites", 1, .badName), ("recent", 1, .badName), ("a\nb", 1, .badName),
    (String(repeating: "a", count: 101), 1, .badName), ("a", 0, .noTracks),
    ("a", TrackLists.maximumTracks + 1, .full),
  ])
  func refuses(name: String, count: Int, failure: TrackLists.Failure) {
    let lists = TrackLists(Disk().storage())
    #expect(throws: failure) { try lists.keep((0..<count).map(Self.track), as: name, replaces: false) }
  }

  @Test func renamesAQueue() throws {
    let disk = Disk()
    let lists = TrackLists(disk.storage())
    for name in ["a", "b"] { try lists.keep([Self.track(1)], as: name, replaces: false) }
    lists.played(Self.track(2))
    for (name, new, failure) in [
      ("a", "b", TrackLists.Failure.exists), ("c", "d", .unknown), ("a", "", .badName), ("a", "recent", .badName),
      ("recent", "d", .badName),
    ] {
      #expect(throws: failure) { try lists.rename(name, to: new) }
    }
    try lists.rename("a", to: "a")
    try lists.rename("a", to: "c")
    #expect(lists.names == ["b", "c"])
    #expect(try TrackLists(disk.storage()).tracks("c") == [Self.track(1)])
    #expect(disk.lists["a"] == nil)
  }

  @Test func aTrackIsAFavouriteOnce() throws {
    let lists = TrackLists(Disk().storage())
    for number in [1, 2, 1] { try lists.addFavorites([Self.track(number)]) }
    #expect(try lists.tracks(TrackLists.favorites) == [1, 2].map(Self.track))
    try lists.addFavorites([3, 2, 3].map(Self.track))
    #expect(try lists.tracks(TrackLists.favorites) == [3, 2, 1].map(Self.track))
    lists.removeFavorite(Self.track(1))
    #expect(lists.isFavorite(Self.track(2)) && !lists.isFavorite(Self.track(1)))
    #expect(lists.names.isEmpty)
    #expect(throws: TrackLists.Failure.full) {
      try lists.addFavorites((3...TrackLists.maximumTracks + 2).map(Self.track))
    }
    #expect(try lists.tracks(TrackLists.favorites) == [3, 2].map(Self.track))
  }

  @Test func removesATrackThatIsStillAtItsPlace() throws {
    let lists = TrackLists(Disk().storage())
    try lists.keep([1, 2, 1].map(Self.track), as: "a", replaces: false)
    try lists.remove("a", at: 2, uri: Self.track(1).uri)
    #expect(try lists.tracks("a") == [1, 2].map(Self.track))
    for (index, number) in [(0, 2), (2, 1), (-1, 1)] {
      #expect(throws: TrackLists.Failure.unknownTrack) {
        try lists.remove("a", at: index, uri: Self.track(number).uri)
      }
    }
    #expect(throws: TrackLists.Failure.unknown) { try lists.remove("b", at: 0, uri: "") }
    for number in [1, 2] { try lists.remove("a", at: 0, uri: Self.track(number).uri) }
    #expect(lists.names.isEmpty)
  }

  @Test func remembersTheTracksThatPlayedLast() throws {
    let lists = TrackLists(Disk().storage())
    for number in 0..<150 { lists.played(Self.track(number)) }
    lists.played(Self.track(100))
    let recent = try lists.tracks(TrackLists.recent)
    #expect(recent.count == TrackLists.maximumRecent)
    #expect(recent.prefix(3) == [Self.track(100), Self.track(149), Self.track(148)])
  }

  @Test func writesAnM3UWhoseTextsHaveNoLinesOfTheirOwn() {
    let items = [
      QueueItem(id: 0, title: "One\n#EXTINF", artist: "A", duration: 61.6, uri: "http://192.0.2.1/1"),
      QueueItem(id: 1, title: "Two", uri: "http://192.0.2.1/2"),
    ]
    #expect(
      M3UText(items).text
        == "#EXTM3U\n#EXTINF:62,A - One #EXTINF\nhttp://192.0.2.1/1\n#EXTINF:-1,Two\nhttp://192.0.2.1/2\n")
  }
}
