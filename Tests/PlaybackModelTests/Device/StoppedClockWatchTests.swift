import Testing

@testable import PlaybackModel

@Suite struct StoppedClockWatchTests {
  @Test func detectsAStoppedClock() {
    var watch = StoppedClockWatch()
    let now = ContinuousClock.now
    let looks: [(time: Int64, after: Int)] = [(5, 0), (5, 300), (5, 400), (6, 500), (6, 800), (6, 900)]
    let answers = looks.map { watch.hasStopped(at: $0.time, now: now + .milliseconds($0.after)) }
    #expect(answers == [false, false, true, false, false, true])
  }
}
