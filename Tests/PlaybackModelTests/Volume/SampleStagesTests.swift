import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// One case per stage and behaviour: changes of settings, and the expected output for samples that are all 1.
struct SampleStagesTests {
  private static let rate = 1_000
  /// Frames of a glide.
  private static let glide = Int(GainGlide.duration * Double(rate))

  enum Change: Sendable {
    case volume(Double)
    case muted(Bool)
    case balance(Int)
    case track(Int, Double?)
    case reset
    /// Samples that pass between changes.
    case pass(Int)
    /// Samples without a peak that pass.
    case quiet(Int)
  }

  private static func stages(_ changes: [Change]) -> SampleStages {
    var stages = SampleStages()
    for change in changes {
      switch change {
      case .volume(let gain): stages.setVolume(gain)
      case .muted(let isMuted): stages.setMuted(isMuted)
      case .balance(let step): stages.setBalance(step)
      case .track(let id, let gain): stages.enter(track: id, gain: gain)
      case .reset: stages.reset()
      case .pass(let frames): _ = stages.heard([Double](repeating: 1, count: frames), [.middle])
      case .quiet(let frames): _ = stages.heard([Double](repeating: 0.1, count: frames), [.middle])
      }
    }
    return stages
  }

  /// Without a glide, gains apply from the first sample on.
  @Test(
    arguments: [
      ("nothing", [], [1, 1, 1]),
      ("a track at unity", [.track(1, 1)], [Self.unlimited, Self.unlimited, Self.unlimited]),
      ("a track without ReplayGain", [.track(1, nil)], [1, 1, 1]),
      ("volume", [.volume(0.5), .reset], [0.5, 0.5, 0.5]), ("silence", [.volume(0), .reset], [0, 0, 0]),
      ("mute", [.volume(0.5), .muted(true), .reset], [0, 0, 0]),
      ("unmuted", [.volume(0.5), .muted(true), .reset, .muted(false), .reset], [0.5, 0.5, 0.5]),
      ("balance to the left", [.balance(-15), .reset], [1, 1, 0]),
      ("balance to the right", [.balance(15), .reset], [0, 1, 1]),
      ("balance and volume", [.balance(15), .volume(0.5), .reset], [0, 0.5, 0.5]),
      ("a track's gain", [.volume(0.5), .reset, .track(1, 0.5)], [0.25, 0.25, 0.25]),
      ("the next track's gain", [.track(1, 0.5), .pass(2), .track(2, 0.25)], [0.25, 0.25, 0.25]),
      ("a gain without limit", [.track(1, nil), .volume(3), .reset], [3, 3, 3]),
      ("a gain that is limited", [.track(1, 2)], [Self.unlimited, Self.unlimited, Self.unlimited]),
    ] as [(String, [Change], [Double])])
  func gains(_ name: String, _ changes: [Change], of expected: [Double]) {
    var stages = Self.stages(changes)
    let heard = stages.heard([1, 1, 1], [.left, .middle, .right])
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(heard)")
  }

  /// Full scale, as the limiter leaves it.
  private static let unlimited = LimiterStage.ceiling

  /// Changes during playback glide to the exact value within 10 ms.
  @Test(
    arguments: [
      ("volume", [.volume(0.5)], 1, 0.5), ("mute", [.volume(0.25), .reset, .muted(true)], 0.25, 0),
      ("balance", [.balance(15)], 1, 0),
      ("a gain that is known late", [.track(1, 1), .pass(1), .track(1, 0.5)], 1, 0.5),
      ("volume, across a join", [.track(1, 1), .volume(0.5), .pass(2), .track(2, 0.5)], 0.45, 0.25),
    ] as [(String, [Change], Double, Double)])
  func glides(_ name: String, _ changes: [Change], from first: Double, to last: Double) {
    var stages = Self.stages(changes)
    #expect(!stages.isNeutral)
    let heard = stages.heard([Double](repeating: 1, count: 2 * Self.glide), [.left])
    #expect(heard[0] <= first && heard[0] > first - 0.15 * max(first, 0.3), "\(heard)")
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(heard[Self.glide...].allSatisfy { $0 == last }, "\(heard)")
  }

  @Test(
    arguments: [
      ("nothing", [], true), ("volume", [.volume(0.5)], false), ("mute", [.muted(true)], false),
      ("balance", [.balance(1)], false), ("a track's gain", [.track(1, 0.5)], false),
      ("a track at unity", [.track(1, 1)], true), ("full volume again", [.volume(0.5), .pass(20), .volume(1)], false),
      ("full volume after a glide", [.volume(0.5), .pass(20), .volume(1), .pass(20)], true),
      ("a reset at full volume", [.volume(0.5), .pass(20), .volume(1), .reset], true),
      ("a limiter that is released", [.track(1, 2), .pass(1)], false),
      ("a limiter after a track without", [.track(1, 2), .pass(1), .track(2, nil)], true),
      ("a reset limiter", [.track(1, 2), .pass(1), .reset], true),
    ] as [(String, [Change], Bool)])
  func isNeutral(_ name: String, _ changes: [Change], expected: Bool) {
    #expect(Self.stages(changes).isNeutral == expected)
  }

  /// A verdict concerns the present track only, apart from the release of a peak at the end of the track before.
  @Test(
    arguments: [
      ("a peak", [.track(1, 2), .pass(1)], true), ("after a peak", [.track(1, 2), .pass(1), .quiet(500)], true),
      ("no peak", [.track(1, 2), .quiet(1)], false),
      ("released into the next track", [.track(1, 2), .pass(1), .track(2, 2), .quiet(1)], true),
      ("the next track", [.track(1, 2), .pass(1), .track(2, 2), .quiet(500)], false),
      ("the next track at another gain", [.track(1, 2), .pass(1), .track(2, 1.5), .quiet(1)], false),
      ("a peak in the next track", [.track(1, 2), .pass(1), .track(2, 2), .pass(1), .quiet(500)], true),
      ("the same track again", [.track(1, 2), .pass(1), .quiet(500), .track(1, 2), .quiet(1)], true),
    ] as [(String, [Change], Bool)])
  func limiterVerdict(_ name: String, _ changes: [Change], expected: Bool) {
    #expect(Self.stages(changes).effects.contains(.limiter) == expected)
  }

  /// While all stages are neutral, any samples pass bit for bit.
  @Test(arguments: [nil, 1] as [Double?])
  func neutralStagesChangeNothing(trackGain: Double?) {
    var generator = SplitMix(state: 7)
    var stages = SampleStages()
    stages.enter(track: 1, gain: trackGain)
    for count in [2, 882, 8_820] {
      let samples =
        (0..<count).map { _ in Double.random(in: -0.999...0.999, using: &generator) } + [
          0, -0.0, .leastNonzeroMagnitude, 0.5,
        ]
      #expect(stages.heard(samples, [.left, .right]).map(\.bitPattern) == samples.map(\.bitPattern))
      #expect(stages.isNeutral)
    }
  }

  /// The result does not depend on the size of the blocks.
  @Test func blocksDoNotMatter() {
    let changes: [Change] = [.balance(3), .reset, .volume(0.3)]
    let samples = (0..<600).map { Double($0 % 7) / 7 }
    var whole = Self.stages(changes)
    let expected = whole.heard(samples, [.left, .right])
    var pieces = Self.stages(changes)
    let heard = stride(from: 0, to: 600, by: 6).flatMap { pieces.heard(Array(samples[$0..<$0 + 6]), [.left, .right]) }
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }
}

extension SampleStages {
  fileprivate mutating func heard(_ samples: [Double], _ sides: [ChannelSide]) -> [Double] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { process($0, sides: sides, rate: 1_000) }
    return samples
  }
}
