import Testing

@testable import Playback

@Suite struct ResumePolicyTests {
  @Test func triesAtOnceThenMoreAndMoreSlowly() {
    var policy = ResumePolicy()
    #expect(policy.attempts == 0)
    let pauses = (0..<17).map { _ in policy.failed() }
    let expected = [0, 250, 500, 1_000, 2_000] + Array(repeating: 2_000, count: 10) + [5_000, 5_000]
    #expect(pauses == expected.map { .milliseconds($0) })
    #expect(policy.attempts > 0)
    policy.delivered()
    #expect(policy.failed() == .zero)
  }
}
