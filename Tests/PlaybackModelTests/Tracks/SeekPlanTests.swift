import Testing

@testable import PlaybackModel

struct SeekPlanTests {
  /// A file of 100 s and 100 MB, of which 10 MB may be read.
  @Test(arguments: [
    ("with an index", false, false, 100, 100, 0, 90, true, 90),
    ("near the beginning", true, false, 100, 100, 0, 10, true, 10),
    ("too far", true, false, 100, 100, 0, 11, false, 11),
    ("far, but indexed", true, false, 100, 100, 85, 90, true, 90),
    ("four times as far where the length is estimated", true, true, 100, 100, 0, 40, true, 40),
    ("the same fraction of an estimate", true, true, 100, 200, 0, 60, false, 120),
    ("beyond the end of an estimate", true, true, 100, 200, 0, 120, false, 200),
    ("without a length", true, false, nil, 100, 0, 90, true, 90),
  ])
  func isPlanned(
    _ name: String, isWithoutIndex: Bool, isEstimated: Bool, seconds: Int?, parserSeconds: Int, indexed: Int,
    target: Int, isExact: Bool, place: Int
  ) {
    let plan = SeekPlan(
      to: .seconds(target),
      in: .init(
        isWithoutIndex: isWithoutIndex, isEstimated: isEstimated, duration: seconds.map { .seconds($0) },
        parserDuration: .seconds(parserSeconds), size: 100_000_000, indexed: .seconds(indexed)),
      exactSeekBytes: 10_000_000)
    #expect(plan.isExact == isExact)
    #expect(plan.place == .seconds(place))
  }
}
