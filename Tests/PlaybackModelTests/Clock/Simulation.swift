import PlaybackTestKit

@testable import PlaybackModel

/// A sender, a network, and a sound card with clocks of their own, and a `ClockFollower` between them.
///
/// True time counts from 0. Packets of 5 ms are sent in true time; the local clock is true time, except for its jump.
struct Simulation {
  /// What is heard at a moment.
  struct Heard {
    /// True time in nanoseconds.
    var time: Int64
    /// How late it is.
    var error: Int64
    var ppm: Double
    /// Whether samples were skipped or silence inserted just before.
    var isStep: Bool
  }

  private static let packet = 5_000_000.0
  private static let block = 10_000_000.0
  /// The output is kept filled up to this.
  private static let fill = 50_000_000.0
  private static let event: Int64 = 20_000_000_000
  private static let end: Int64 = 40_000_000_000

  private let test: ClockFollowerTests.Case
  private var random: SplitMix
  private var follower: ClockFollower

  private init(_ test: ClockFollowerTests.Case, seed: UInt64) {
    self.test = test
    random = SplitMix(state: seed)
    follower = ClockFollower(latency: test.latency)
  }

  /// When a position in the stream, in nanoseconds of the sender, is sent.
  private func sendTime(_ position: Double) -> Double { position * (1 + test.senderDrift / 1e6) }

  /// The sender's time stamp of a position.
  private func stamp(_ position: Double) -> Int64 {
    Int64(position) + (Int64(sendTime(position)) >= Self.event ? test.senderJump : 0)
  }

  private func local(_ time: Int64) -> Int64 { time + (time >= Self.event ? test.localJump : 0) }

  private mutating func arrivals() -> [(sent: Int64, arrival: Int64)] {
    var (blockedUntil, nextBurst, last) = (0.0, 1e9, 0.0)
    var arrivals: [(sent: Int64, arrival: Int64)] = []
    for number in 0..<Int(Double(Self.end) / Self.packet) {
      let position = Double(number) * Self.packet
      let time = sendTime(position)
      var delay = 20_000_000.0 + (Int64(time) >= Self.event ? Double(test.delayStep) : 0)
      switch test.jitter {
      case .uniform(let longest): delay += .random(in: 0...Double(longest), using: &random)
      case .wireless:
        delay += 4_000_000 * Double.random(in: 0...1, using: &random) * Double.random(in: 0...1, using: &random)
        if time > nextBurst {
          blockedUntil = time + .random(in: 10_000_000...30_000_000, using: &random)
          nextBurst = time + .random(in: 0...4e9, using: &random)
        }
        delay = max(delay, blockedUntil - time + 20_000_000)
      }
      last = max(last, time + delay)
      let isSilent = Self.event..<Self.event + test.silence ~= Int64(time)
      let isLost = isSilent || Double.random(in: 0..<1, using: &random) < test.loss
      if !isLost { arrivals.append((stamp(position), Int64(last))) }
    }
    return arrivals
  }

  /// - Returns: what is heard, every 10 ms.
  static func run(_ test: ClockFollowerTests.Case, seed: UInt64) -> [Heard] {
    var simulation = Simulation(test, seed: seed)
    return simulation.run()
  }

  private mutating func run() -> [Heard] {
    let packets = arrivals()
    var next = 0
    var heard: [Heard] = []
    // In nanoseconds: what the card has played, what was written to it, and the next sample's place in the stream.
    var (played, written, position) = (0.0, 0.0, 0.0)
    var isStep = false
    var hasLost = false
    for time in stride(from: 0, to: Self.end, by: 1_000_000) {
      played += 1_000_000 * (1 + test.cardDrift / 1e6)
      if time >= Self.event, !hasLost {
        // The card plays silence that nobody wrote.
        hasLost = true
        written += Double(test.outage)
      }
      while next < packets.count, packets[next].arrival <= time {
        follower.receive(sent: packets[next].sent, at: local(packets[next].arrival))
        next += 1
      }
      guard written - played < Self.fill else { continue }
      let noise = Int64.random(in: -test.cardNoise...test.cardNoise, using: &random)
      let heardAt = time + Int64(written - played)
      switch follower.decide(next: stamp(position), heardAt: local(time) + heardAt - time + noise, now: local(time)) {
      case .wait: written += Self.block
      case .pad(let silence):
        written += Double(silence)
        isStep = true
      case .drop(let skipped):
        position += Double(skipped)
        isStep = true
      case .play(let ppm):
        let delay = 20_000_000 + (heardAt - test.latency >= Self.event ? test.delayStep : 0)
        let target = Int64(sendTime(position)) + delay + test.latency
        heard.append(Heard(time: heardAt, error: heardAt - target, ppm: ppm, isStep: isStep))
        isStep = false
        written += Self.block
        position += Self.block / (1 + ppm / 1e6)
      }
    }
    return heard
  }
}
