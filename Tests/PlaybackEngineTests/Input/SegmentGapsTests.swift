import MediaStream
import Testing

@testable import PlaybackEngine

@Suite struct SegmentGapsTests {
  private func skips(_ gaps: inout SegmentGaps, _ address: String, _ status: Int = 404) -> Bool {
    gaps.skips(address, after: .status(status))
  }

  @Test func aSegmentIsSkippedAtTheThirdFailure() {
    var gaps = SegmentGaps()
    #expect((0..<4).map { _ in skips(&gaps, "a") } == [false, false, true, false])
    #expect((0..<3).map { _ in skips(&gaps, "b", 410) } == [false, false, true])
    #expect((0..<9).allSatisfy { _ in !skips(&gaps, "c", 503) })
    #expect((0..<9).allSatisfy { _ in !gaps.skips("c", after: .endedEarly) })
  }

  @Test func onlyFiveInARowAreSkipped() {
    var gaps = SegmentGaps()
    func skipped(_ range: Range<Int>) -> Int {
      range.count { index in (0..<3).map { _ in skips(&gaps, "\(index)") }.last == true }
    }
    #expect(skipped(0..<9) == 5)
    gaps.arrived()
    #expect(skipped(9..<12) == 3)
  }
}
