import Testing

@testable import MediaFiles

@Suite struct NaturalOrderTests {
  @Test(arguments: [
    ["1", "2", "10"], ["Track 2", "track 10", "Track 11"], ["01 a", "1 b", "02 a"], ["a1b2", "a1b10", "a2"],
    ["2", "18446744073709551616", "18446744073709551617"], ["1.flac", "a.flac"], ["Álbum", "Ápril"],
    ["CD1", "CD2", "cd10"], ["A", "a"], ["a", "a1", "a1x"],
  ])
  func names(inOrder names: [String]) {
    #expect(names.reversed().map { NaturalName($0) }.sorted().map(\.name) == names)
    #expect(names.map { NaturalName($0) }.sorted().map(\.name) == names)
  }

  private func order(_ files: [(String, album: String?, disc: Int?, track: Int?)]) -> [String] {
    TrackOrder.sorted(files, name: \.0) { file in
      var tags = AudioTags()
      (tags.album, tags.disc, tags.track) = (file.album, file.disc, file.track)
      return tags
    }.map(\.0)
  }

  @Test func anAlbumByDiscAndTrack() {
    #expect(
      order([("a", "X", 2, 1), ("b", "X", 1, 10), ("c", "X", 1, 9), ("d", "X", nil, 30)]) == ["d", "c", "b", "a"])
  }

  @Test func noAlbumByName() {
    // Tracks of several albums.
    #expect(order([("b", "X", nil, 1), ("a", "Y", nil, 2)]) == ["a", "b"])
    // A track without a number.
    #expect(order([("c", "X", nil, 1), ("b", "X", nil, nil), ("a", "X", nil, 3)]) == ["a", "b", "c"])
  }
}
