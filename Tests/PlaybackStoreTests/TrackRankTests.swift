import Testing

@testable import PlaybackStore

@Suite struct TrackRankTests {
  private static let gap = TrackRank.gap

  @Test(
    arguments: [
      (nil, nil, 0), (0, nil, gap), (nil, 0, -gap), (0, gap, gap / 2), (-gap, gap, 0), (3, 5, 4), (3, 4, nil),
      (Int64.max - gap + 1, nil, nil), (nil, Int64.min + gap - 1, nil), (Int64.min, Int64.max, -1),
    ] as [(Int64?, Int64?, Int64?)])
  func rankIsBetweenNeighbours(lower: Int64?, upper: Int64?, rank: Int64?) {
    #expect(TrackRank.between(lower, upper) == rank)
  }
}
