import Glibc
import Testing

@testable import PlaybackModel

@Suite struct BalanceScaleTests {
  @Test(arguments: [
    (step: 0, left: 0.0, right: 0.0), (-1, 0, -1), (1, -1, 0), (-14, 0, -14), (14, -14, 0), (-6, 0, -6),
  ])
  func losesADecibelAStep(step: Int, left: Double, right: Double) {
    let gains = BalanceScale.gains(step: step)
    #expect(abs(20 * log10(gains.left) - left) < 1e-9)
    #expect(abs(20 * log10(gains.right) - right) < 1e-9)
  }

  @Test func theLastStepMutesTheOtherSide() {
    #expect(BalanceScale.gains(step: -15) == (1, 0))
    #expect(BalanceScale.gains(step: 15) == (0, 1))
  }

  @Test func theLouderSideIsUnchanged() {
    for step in BalanceScale.range {
      let gains = BalanceScale.gains(step: step)
      #expect((step > 0 ? gains.right : gains.left) == 1)
    }
  }
}
