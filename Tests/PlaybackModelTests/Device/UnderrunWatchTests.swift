import Testing

@testable import PlaybackModel

@Suite struct UnderrunWatchTests {
  private let start = UnderrunWatch.Instant.now

  /// Whether samples that arrive `later` ms after samples with a lead of `ahead` ms count as late.
  private func isLate(
    _ later: Int, ahead: Int64, isOn: Bool = true, isNext: Bool = true,
    between: (inout UnderrunWatch) -> Void = { _ in }
  ) -> Bool {
    var watch = UnderrunWatch()
    watch.isOn = isOn
    let first = watch.arrived(isNext: true, ahead: ahead * 1_000_000, now: start)
    between(&watch)
    return first || watch.arrived(isNext: isNext, ahead: 0, now: start + .milliseconds(later))
  }

  @Test func samplesBeforeTheBufferRunsOutAreInTime() {
    #expect(!isLate(199, ahead: 200))
    #expect(isLate(201, ahead: 200))
  }

  @Test func anInterruptionIsNoUnderrun() {
    #expect(!isLate(900, ahead: 200, isOn: false))
    #expect(!isLate(900, ahead: 200, isNext: false))
    #expect(!isLate(900, ahead: 200) { $0.reset() })
    #expect(
      !isLate(900, ahead: 200) { watch in
        watch.isOn = false
        watch.isOn = true
      })
    #expect(isLate(900, ahead: 200) { $0.isOn = true })
  }
}
