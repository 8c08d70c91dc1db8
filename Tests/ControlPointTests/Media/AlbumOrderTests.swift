import Testing

@testable import ControlPoint

@Suite struct AlbumOrderTests {
  /// Disc and track of each track in the server's order, the order to play them, and their discs. `0` is an unknown number.
  typealias Row = (name: String, numbers: [(Int, Int)], order: [Int], discs: [Int])

  static let rows: [Row] = [
    ("by track", [(0, 10), (0, 2), (0, 1)], [2, 1, 0], [0, 0, 0]),
    ("by disc and track", [(2, 1), (1, 2), (2, 2), (1, 1)], [3, 1, 0, 2], [2, 1, 2, 1]),
    ("without a number last", [(0, 0), (0, 2), (0, 0), (0, 1)], [3, 1, 0, 2], [0, 0, 0, 0]),
    ("without numbers as listed", [(0, 0), (0, 0)], [0, 1], [0, 0]),
    ("a track without a disc is on the first one", [(2, 1), (0, 2), (1, 1)], [2, 1, 0], [2, 0, 1]),
    ("the same number twice as listed", [(0, 2), (0, 1), (0, 1)], [1, 2, 0], [0, 0, 0]),
    ("disc after disc", [(0, 1), (0, 2), (0, 3), (0, 1), (0, 2)], [0, 1, 2, 3, 4], [1, 1, 1, 2, 2]),
    ("a last disc of one track", [(0, 1), (0, 2), (0, 1)], [0, 1, 2], [1, 1, 2]),
    ("sorted by track only", [(0, 1), (0, 1), (0, 2), (0, 2)], [0, 1, 2, 3], [0, 0, 0, 0]),
    ("by file name", [(0, 2), (0, 2), (0, 3), (0, 3), (0, 1), (0, 1)], [4, 5, 0, 1, 2, 3], [0, 0, 0, 0, 0, 0]),
    ("all tracks have the number 1", [(0, 1), (0, 1)], [0, 1], [0, 0]),
    ("a half in front of the other", [(0, 3), (0, 4), (0, 1), (0, 2)], [2, 3, 0, 1], [0, 0, 0, 0]),
    ("one track", [(0, 7)], [0], [0]), ("empty", [], [], []),
  ]

  @Test(arguments: rows) func sortsByDiscAndTrack(row: Row) {
    let numbers = row.numbers.map { disc, track in
      AlbumOrder.Number(disc: disc == 0 ? nil : disc, track: track == 0 ? nil : track)
    }
    #expect(AlbumOrder.order(numbers) == row.order, "\(row.name)")
    #expect(AlbumOrder.discs(of: numbers).map { $0 ?? 0 } == row.discs, "\(row.name)")
  }

  @Test(arguments: [
    ("object.container.album.musicAlbum", true), ("object.container.album", true),
    ("object.container.playlistContainer", false), ("object.container.storageFolder", false),
    ("object.container", false), ("object.container.person.musicArtist", false), ("object.container.albums", false),
  ])
  func onlyAlbumsAreSorted(objectClass: String, isAlbum: Bool) {
    #expect(AlbumOrder.applies(to: MediaObject(.container, title: "", objectClass: objectClass)) == isAlbum)
    #expect(!AlbumOrder.applies(to: MediaObject(title: "", objectClass: objectClass)))
  }

  @Test func sortsEachAlbumOfAContainerByItself() {
    func track(_ id: String, _ album: String?, _ number: Int) -> MediaObject {
      MediaObject(id: id, title: id, album: album, originalTrackNumber: number)
    }
    let children = [
      track("b2", "B", 2), MediaObject(.container, id: "bonus", title: "Bonus"), track("a2", "A", 2),
      track("b1", "B", 1),
      track("a1", "A", 1), track("x", nil, 1),
    ]
    #expect(AlbumOrder.sorted(children).map(\.id) == ["bonus", "b1", "b2", "a1", "a2", "x"])
  }

  @Test func setsTheDiscsThatItFinds() {
    let tracks = [1, 2, 1, 2].map { MediaObject(title: "", album: "A", originalTrackNumber: $0) }
    #expect(AlbumOrder.sorted(tracks).map(\.originalDiscNumber) == [1, 1, 2, 2])
  }

  @Test(arguments: [
    ("", ""), ("dc:title", ""), ("upnp:originalTrackNumber,dc:title", "+upnp:originalTrackNumber"),
    ("*", "+upnp:originalDiscNumber,+upnp:originalTrackNumber"),
  ])
  func asksTheServerForTheOrder(capabilities: String, sort: String) {
    #expect(MediaServer.albumSort(MediaCapabilities(capabilities)) == sort)
  }

  @Test(arguments: [
    ("7", 7), ("10/10", 10), ("03", 3), (" 4 ", 4), ("2 / 9", 2), ("0", nil), ("A1", nil), ("", nil), ("-1", nil),
    ("1.5", nil), ("99999999999999999999", nil),
  ])
  func readsNumbersAsServersSendThem(text: String, number: Int?) {
    let item = """
      <item id="1" parentID="0"><dc:title>T</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>\
      <upnp:originalTrackNumber>\(text)</upnp:originalTrackNumber>
      """
    func read(_ more: String) -> MediaObject? { MediaObjects(didlLite: item + more + "</item>").objects.first }
    #expect(read("")?.originalTrackNumber == number)
    #expect(read("<upnp:originalDiscNumber>\(text)</upnp:originalDiscNumber>")?.originalDiscNumber == number)
    // Gerbera's name for the disc.
    #expect(read("<upnp:episodeSeason>\(text)</upnp:episodeSeason>")?.originalDiscNumber == number)
  }
}
