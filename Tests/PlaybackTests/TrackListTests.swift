import Testing

@testable import Playback

@Suite struct TrackListTests {
  @Test func aTrackThatIsAListGivesWayToItsTracks() throws {
    let list = try #require(TrackList(["a", "b", "c"]).at(1)?.expanded(by: ["x", "y"]))
    #expect(list.addresses == ["a", "x", "y", "c"])
    #expect(list.address == "x")
  }

  @Test func beyondItsEndsThereIsNothing() {
    #expect(TrackList(["a"]).at(1) == nil)
    #expect(TrackList(["a"]).at(-1) == nil)
  }

  @Test func listsWithinListsEnd() {
    var list: TrackList? = TrackList(["a"])
    var count = 0
    while let next = list?.expanded(by: ["a"]) {
      list = next
      count += 1
    }
    #expect(count == 7)
  }

  @Test func listsDoNotGrowWithoutBound() {
    let many = (0..<900).map { "\($0)" }
    #expect(TrackList(many).expanded(by: many)?.addresses.count == 1000)
  }
}
