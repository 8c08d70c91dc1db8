import Testing

@testable import Companion

@Suite struct BrokerRetryTests {
  private let start = ContinuousClock.now

  private func seconds(_ pause: Duration) -> Double { pause / .seconds(1) }

  @Test func pausesGrowToAMinute() {
    var retry = BrokerRetry()
    let pauses = (0..<9).map { _ in seconds(retry.pause(at: start, jitter: 1)) }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }

  @Test func jitterShortensAPauseByAQuarterAtMost() {
    var retry = BrokerRetry()
    #expect(seconds(retry.pause(at: start, jitter: 0)) == 0.75)
    #expect(seconds(retry.pause(at: start, jitter: 0.5)) == 1.75)
  }

  @Test func onlyAStableConnectionResetsThePause() {
    var retry = BrokerRetry()
    for _ in 0..<4 { _ = retry.pause(at: start, jitter: 1) }
    // The connection is lost at once, as if another client had the same id or the broker closed it.
    retry.connected(at: start)
    #expect(seconds(retry.pause(at: start + .seconds(1), jitter: 1)) == 16)
    retry.connected(at: start)
    #expect(seconds(retry.pause(at: start + BrokerRetry.stable, jitter: 1)) == 1)
  }
}
