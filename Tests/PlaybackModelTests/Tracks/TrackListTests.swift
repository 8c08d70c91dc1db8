import Testing

@testable import PlaybackModel

@Suite struct TrackListTests {
  @Test func aPlaylistIsReplacedByItsTracks() throws {
    let list = try #require(TrackList(["a", "b", "c"].listed).at(1)?.expanded(by: ["x", "y"].listed))
    #expect(list.tracks.map(\.address) == ["a", "x", "y", "c"])
    #expect(list.track.address == "x")
  }

  @Test func beyondItsEndsThereIsNothing() {
    #expect(TrackList(["a"].listed).at(1) == nil)
    #expect(TrackList(["a"].listed).at(-1) == nil)
  }

  @Test func listsWithinListsEnd() {
    var list: TrackList? = TrackList(["a"].listed)
    var count = 0
    while let next = list?.expanded(by: ["a"].listed) {
      list = next
      count += 1
    }
    #expect(count == 7)
  }

  @Test func listsDoNotGrowWithoutBound() {
    let many = (0..<900).map { "\($0)" }
    #expect(TrackList(many.listed).expanded(by: many.listed)?.tracks.count == 1000)
  }
}
