import Testing

@testable import PlaybackModel

@Suite struct ResumePolicyTests {
  @Test func triesAtOnceThenMoreAndMoreSlowly() {
    var policy = ResumePolicy()
    #expect(policy.isFresh)
    let pauses = (0..<17).map { _ in policy.failed() }
    let expected = [0, 500, 1_000, 2_000] + Array(repeating: 2_000, count: 11) + [5_000, 5_000]
    #expect(pauses == expected.map { .milliseconds($0) })
    #expect(!policy.isFresh)
    policy.delivered()
    #expect(policy.failed() == .zero)
  }

  @Test func anUnheardTrackIsRestartedThreeTimes() {
    var policy = ResumePolicy()
    for _ in 0..<3 {
      #expect(policy.mayReopen)
      _ = policy.failed()
    }
    #expect(!policy.mayReopen)
  }
}
