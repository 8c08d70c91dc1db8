import Testing

@testable import PlaybackModel

@Suite struct ClockFollowerTests {
  /// A case, and what the simulation does at 20 s.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var senderDrift = 0.0
    var cardDrift = 0.0
    var jitter = Jitter.uniform(100_000)
    var loss = 0.0
    var latency: Int64 = 150_000_000
    /// How far the network's delay, the sender's clock and the local clock jump, and how many nanoseconds of sound the
    /// output loses.
    var delayStep: Int64 = 0
    var senderJump: Int64 = 0
    var localJump: Int64 = 0
    var outage: Int64 = 0
    /// For how long nothing arrives.
    var silence: Int64 = 0
    /// The reported delay of the sound card is wrong by up to this.
    var cardNoise: Int64 = 0

    var testDescription: String { name }
  }

  enum Jitter: Sendable {
    case uniform(Int64)
    /// Mostly short delays, and bursts of up to 30 ms in which nothing arrives.
    case wireless
  }

  static let cases = [
    Case(name: "same clocks"),
    Case(name: "fast sender", senderDrift: 200),
    Case(name: "slow sender", senderDrift: -200),
    Case(name: "both drift", senderDrift: 200, cardDrift: -200),
    Case(name: "coarse delay of the card", senderDrift: -200, cardDrift: 100, cardNoise: 1_000_000),
    Case(name: "5 ms of jitter", senderDrift: 100, jitter: .uniform(5_000_000)),
    Case(name: "Wi-Fi", senderDrift: -200, jitter: .wireless, loss: 0.02),
    Case(name: "lost packets", senderDrift: 200, jitter: .uniform(1_000_000), loss: 0.3),
    Case(name: "longest latency", senderDrift: 200, cardDrift: -100, latency: 800_000_000),
    Case(name: "longer path", senderDrift: 100, jitter: .uniform(2_000_000), delayStep: 20_000_000),
    Case(name: "shorter path", senderDrift: 100, jitter: .uniform(2_000_000), delayStep: -20_000_000),
    Case(name: "longer path in Wi-Fi", senderDrift: 100, jitter: .wireless, delayStep: 20_000_000),
    Case(name: "sender's clock jumps ahead", senderDrift: 100, senderJump: 3_600_000_000_000),
    Case(name: "sender's clock jumps back", senderDrift: 100, senderJump: -3_600_000_000_000),
    Case(name: "local clock jumps", cardDrift: 100, localJump: 5_000_000_000),
    Case(name: "local clock jumps in a silence", cardDrift: 100, localJump: 400_000_000, silence: 1_000_000_000),
    Case(name: "nothing arrives", senderDrift: 200, cardDrift: -100, silence: 4_000_000_000),
    Case(name: "old stamps after a jump", latency: 800_000_000, senderJump: 3_600_000_000_000),
    Case(name: "output stops for 20 ms", cardDrift: 100, outage: 20_000_000),
    Case(name: "output stops for 20 ms in Wi-Fi", cardDrift: 100, jitter: .wireless, outage: 20_000_000),
  ]

  @Test(arguments: cases) func playsInTime(_ test: Case) throws {
    for seed in 1...2 {
      let run = Simulation.run(test, seed: UInt64(seed))
      let first = try #require(run.first, "no sound")
      #expect(first.time < 1_000_000_000, "sound after \(first.time) ns")
      let settled = run.filter { 10_000_000_000..<20_000_000_000 ~= $0.time || $0.time >= 30_000_000_000 }
      let worst = try #require(settled.map { abs($0.error) }.max())
      #expect(worst < 1_000_000, "seed \(seed): off by \(worst) ns")
      let steps = zip(settled, settled.dropFirst()).filter { $1.time - $0.time < 100_000_000 }
        .map { abs($1.ppm - $0.ppm) }
      #expect(steps.max() ?? 0 < 100, "seed \(seed): the pitch jumps by \(steps.max() ?? 0) ppm")
      // Only another path and an outage of the output need a step, besides the first one.
      let hasStep = test.delayStep != 0 || test.outage != 0
      #expect(run.dropFirst().filter(\.isStep).count == (hasStep ? 1 : 0), "seed \(seed)")
    }
  }

  /// Two receivers of one sender hear different jitter and have sound cards of their own.
  @Test(arguments: [Jitter.uniform(5_000_000), .wireless]) func receiversPlayTogether(_ jitter: Jitter) throws {
    let runs = [100.0, -100].enumerated().map {
      Simulation.run(Case(name: "", cardDrift: $1, jitter: jitter), seed: UInt64($0 + 10)).filter {
        $0.time >= 10_000_000_000
      }
    }
    let differences = zip(runs[0], runs[1]).map { abs($0.error - $1.error) }
    #expect(try #require(differences.max()) < 1_000_000)
  }

  /// A restarted sender counts from another position.
  @Test func aRestartKeepsTheDrift() {
    var follower = ClockFollower(latency: 0)
    /// Plays for 20 s. The output is slow by 100 ppm, and nothing changes that.
    func play() -> ClockFollower.Decision {
      var decision = ClockFollower.Decision.wait
      for step in 0..<2_000 as Range<Int64> {
        let time = step * 10_000_000
        follower.receive(sent: time, at: time)
        decision = follower.decide(next: time, heardAt: time + step * 1_000, now: time)
      }
      return decision
    }
    func ppm(_ decision: ClockFollower.Decision) -> Double? { if case .play(let ppm) = decision { ppm } else { nil } }
    #expect(follower.decide(next: 0, heardAt: 0, now: 0) == .wait)
    #expect(ppm(play()) ?? 0 < -100)
    follower.restart()
    #expect(follower.decide(next: 0, heardAt: 0, now: 0) == .wait)
    follower.receive(sent: 0, at: 5_000)
    #expect(ppm(follower.decide(next: 0, heardAt: 5_000, now: 5_000)) ?? 0 < -100)
  }

  /// One packet with a wrong time stamp changes nothing.
  @Test(arguments: [-1_000_000_000_000, -20_000_000, 20_000_000, 1_000_000_000_000] as [Int64])
  func aSingleWrongStampIsIgnored(_ mistake: Int64) {
    var follower = ClockFollower(latency: 0)
    for step in 0..<1_000 as Range<Int64> {
      let time = step * 5_000_000
      follower.receive(sent: step == 700 ? time + mistake : time, at: time)
      #expect(follower.decide(next: time, heardAt: time, now: time) == .play(ppm: 0))
    }
  }
}
