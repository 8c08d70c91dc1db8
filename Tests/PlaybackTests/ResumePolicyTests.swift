import Testing

@testable import Playback

@Suite struct ResumePolicyTests {
  @Test func triesAtOnceThenMoreSlowlyThenNoMore() {
    var policy = ResumePolicy(limit: .seconds(5))
    var now = ContinuousClock.now
    var pauses: [Duration] = []
    while case .retry(let pause) = policy.failed(now: now), pauses.count < 100 {
      pauses.append(pause)
      now += pause
    }
    #expect(pauses == [0, 250, 500, 1_000, 2_000].map { .milliseconds($0) })
    #expect(policy.failed(now: now + .seconds(60)) == .giveUp)
    policy.delivered()
    #expect(policy.failed(now: now + .seconds(60)) == .retry(after: .zero))
  }
}
