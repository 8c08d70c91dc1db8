import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct EqualizerStageTests {
  private static let rate = 48_000
  private static let loud = EqualizerSettings(
    bands: [
      EqualizerBand(.peak, 1_000, gain: 12, quality: 2), EqualizerBand(.lowShelf, 120, gain: -9),
      EqualizerBand(.highShelf, 6_000, gain: 4), EqualizerBand(.notch, 3_000, quality: 5),
    ], preamp: -3, automaticPreamp: false)

  private static func stage(_ settings: EqualizerSettings?) -> EqualizerStage {
    var stage = EqualizerStage()
    stage.set(settings)
    stage.reset()
    return stage
  }

  private static func sine(
    _ frequency: Double, seconds: Double = 0.5, rate: Int = rate, level: Double = 0.1
  ) -> [Double] {
    (0..<Int(seconds * Double(rate))).map { level * sin(2 * .pi * frequency * Double($0) / Double(rate)) }
  }

  // MARK: Response

  /// The response of the filters to an impulse, by a discrete Fourier transform at single frequencies.
  @Test(arguments: [44_100, 96_000, 192_000]) func theResponseIsThatOfTheFormula(rate: Int) {
    var settings = Self.loud
    settings.bands += [
      EqualizerBand(.highPass, 30), EqualizerBand(.lowPass, 18_000), EqualizerBand(.peak, 40_000, gain: 9),
    ]
    var impulse = [Double](repeating: 0, count: rate)
    impulse[0] = 1
    var stage = Self.stage(settings)
    let heard = stage.heard(impulse, [.middle], rate: rate)
    for frequency in [20.0, 50, 120, 500, 1_000, 2_900, 6_000, 12_000, 19_000, 20_000] {
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in heard.enumerated() where sample != 0 {
        let angle = 2 * .pi * frequency * Double(index) / Double(rate)
        real += sample * cos(angle)
        imaginary -= sample * sin(angle)
      }
      let decibels = 10 * log10(real * real + imaginary * imaginary)
      let expected = settings.bands.reduce(-3) { $0 + EqualizerResponseTests.decibels($1, frequency, rate: rate) }
      #expect(abs(decibels - expected) < 0.001, "\(frequency) Hz: \(decibels) instead of \(expected)")
    }
  }

  @Test func anAutomaticPreampKeepsATonesPeakBelowFullScale() {
    let settings = EqualizerSettings(bands: [EqualizerBand(.peak, 1_000, gain: 12, quality: 2)])
    var stage = Self.stage(settings)
    let heard = stage.heard(Self.sine(1_000, level: 1), [.middle])
    #expect(abs((heard.suffix(Self.rate / 4).max() ?? 0) - 1) < 0.001)
  }

  /// Bands for one side leave the other one, and the middle, bit for bit.
  @Test func aBandForOneSideFiltersOnlyThatSide() {
    let settings = EqualizerSettings(
      bands: [EqualizerBand(.peak, 1_000, gain: -12, channel: .left)], preamp: 0, automaticPreamp: false)
    var stage = Self.stage(settings)
    let sine = Self.sine(1_000)
    let heard = stage.heard(sine.flatMap { [$0, $0, $0] }, [.left, .middle, .right])
    let channel = { (number: Int) in stride(from: number, to: heard.count, by: 3).map { heard[$0] } }
    #expect(channel(1) == sine && channel(2) == sine)
    #expect((channel(0).suffix(4_800).max() ?? 1) < 0.03)
  }

  @Test func allChannelsAreFilteredAlike() {
    var one = Self.stage(Self.loud)
    let mono = one.heard(Self.sine(500), [.middle])
    for count in [2, 3, 6, 8] {
      var stage = Self.stage(Self.loud)
      let sides = (0..<count).map { [ChannelSide.left, .right, .middle][$0 % 3] }
      let heard = stage.heard(Self.sine(500).flatMap { Array(repeating: $0, count: count) }, sides)
      #expect(heard == mono.flatMap { Array(repeating: $0, count: count) })
    }
  }

  // MARK: Neutrality

  @Test(
    arguments: [
      ("off", nil), ("no bands", EqualizerSettings()),
      ("gains of 0", EqualizerSettings(bands: [EqualizerBand(.peak, 100), EqualizerBand(.lowShelf, 100)])),
      ("bands that are off", EqualizerSettings(bands: [EqualizerBand(.lowPass, 100, isOn: false)])),
    ] as [(String, EqualizerSettings?)])
  func neutralSettingsChangeNoBit(_ name: String, _ settings: EqualizerSettings?) {
    var generator = SplitMix(state: 7)
    var stages = SampleStages()
    stages.setEqualizer(settings)
    let samples =
      (0..<10_000).map { _ in Double.random(in: -2...2, using: &generator) } + [-0.0, .leastNonzeroMagnitude]
    #expect(stages.isNeutral && stages.effects.isEmpty)
    #expect(stages.heard(samples, [.left, .right]).map(\.bitPattern) == samples.map(\.bitPattern))
  }

  @Test func theStagesNameTheEqualizer() {
    var stages = SampleStages()
    stages.setEqualizer(Self.loud)
    #expect(!stages.isNeutral && stages.effects == [.equalizer])
    stages.setEqualizer(nil)
    #expect(stages.isNeutral && stages.effects.isEmpty)
    stages.setEqualizer(EqualizerSettings(bands: [EqualizerBand(.peak, 100, gain: 1, channel: .left)]))
    #expect(stages.separatesSides)
  }

  // MARK: Changes

  enum Change: Sendable {
    case on, off, other, oneBand, moved
  }

  private static func settings(after change: Change) -> EqualizerSettings? {
    var settings = loud
    switch change {
    case .on: return loud
    case .off: return nil
    case .other: return EqualizerSettings(bands: [EqualizerBand(.highPass, 300), EqualizerBand(.peak, 440, gain: 6)])
    case .oneBand: settings.bands.removeFirst()
    case .moved: settings.bands[0].frequency = 700
    }
    return settings
  }

  /// A click is a jump: with a sine of 200 Hz no two samples differ by more than the steepest slope of the sine before
  /// and after, and a little for the fade itself.
  @Test(
    arguments: [
      ("on", nil, .on), ("off", loud, .off), ("another preset", loud, .other), ("a band less", loud, .oneBand),
      ("a band moved", loud, .moved),
    ] as [(String, EqualizerSettings?, Change)])
  func aChangeGlides(_ name: String, _ before: EqualizerSettings?, _ change: Change) {
    var stage = Self.stage(before)
    let sine = Self.sine(200)
    let first = stage.heard(sine, [.middle])
    stage.set(Self.settings(after: change))
    let second = stage.heard(sine, [.middle])
    let heard = first.suffix(4_800) + second
    let steepest = { (samples: ArraySlice<Double>) in
      zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    }
    let calm = max(steepest(first.suffix(4_800)), steepest(second.suffix(4_800)))
    #expect(steepest(heard[...]) < 1.3 * calm, "\(steepest(heard[...])) instead of \(calm)")
  }

  /// After the fade, the samples are those of a filter that was never changed; after switching off, the same bits.
  @Test func aChangeEnds() {
    var stage = Self.stage(nil)
    _ = stage.heard(Self.sine(200), [.middle])
    stage.set(Self.loud)
    #expect(!stage.isNeutral)
    let heard = stage.heard(Self.sine(200), [.middle])
    var other = Self.stage(Self.loud)
    let expected = other.heard(Self.sine(200), [.middle])
    #expect(zip(heard, expected).suffix(12_000).allSatisfy { abs($0 - $1) < 1e-6 })
    stage.set(nil)
    #expect(!stage.isNeutral && stage.effects.isEmpty)
    let passed = stage.heard(Self.sine(200), [.middle])
    #expect(stage.isNeutral)
    #expect(Array(passed.suffix(20_000)) == Array(Self.sine(200).suffix(20_000)))
  }

  /// Somebody drags a band: the last change is heard, whatever came before.
  @Test func manyChangesEndWithTheLastOne() {
    var stage = Self.stage(Self.loud)
    for step in 0..<50 {
      var settings = Self.loud
      settings.bands[0].gain = Double(step) / 4
      stage.set(settings)
      _ = stage.heard(Self.sine(1_000, seconds: 0.005), [.middle])
    }
    stage.set(Self.loud)
    _ = stage.heard(Self.sine(1_000), [.middle])
    var other = Self.stage(Self.loud)
    _ = other.heard(Self.sine(1_000), [.middle])
    let (found, expected) = (stage.heard(Self.sine(1_000), [.middle]), other.heard(Self.sine(1_000), [.middle]))
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  /// The result does not depend on the size of the blocks, so a join of two tracks is not heard.
  @Test func blocksDoNotMatter() {
    let samples = Self.sine(333)
    var whole = Self.stage(Self.loud)
    var pieces = Self.stage(Self.loud)
    let expected = whole.heard(samples, [.left, .right])
    let heard = stride(from: 0, to: samples.count, by: 750).flatMap {
      pieces.heard(Array(samples[$0..<$0 + 750]), [.left, .right])
    }
    #expect(heard == expected)
  }

  @Test func aJoinKeepsTheStateAndAResetClearsIt() {
    var stages = SampleStages()
    stages.setEqualizer(Self.loud)
    stages.reset()
    stages.enter(track: 1, gain: nil)
    let sine = Self.sine(333)
    let first = stages.heard(Array(sine[..<12_000]), [.middle])
    stages.enter(track: 2, gain: nil)
    let second = stages.heard(Array(sine[12_000...]), [.middle])
    var whole = Self.stage(Self.loud)
    #expect(first + second == whole.heard(sine, [.middle]))
    stages.reset()
    #expect(stages.heard(Array(sine[..<12_000]), [.middle]) == first)
  }

  @Test func anotherFormatBeginsAnew() {
    var stage = Self.stage(Self.loud)
    _ = stage.heard(Self.sine(200), [.left, .right])
    stage.set(nil)
    _ = stage.heard(Self.sine(200, seconds: 0.01), [.left, .right])
    let high = Self.sine(200, rate: 96_000)
    #expect(stage.heard(high, [.middle], rate: 96_000) == high)
    stage = Self.stage(Self.loud)
    _ = stage.heard(Self.sine(200), [.left, .right])
    var fresh = Self.stage(Self.loud)
    #expect(stage.heard(high, [.middle], rate: 96_000) == fresh.heard(high, [.middle], rate: 96_000))
  }

  // MARK: Bad samples

  @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 3e38])
  func aBadSampleIsGoneAtOnce(sample: Double) {
    let settings = EqualizerSettings(
      bands: Array(repeating: EqualizerBand(.peak, 1_000, gain: 24, quality: 0.1), count: 20), preamp: 24,
      automaticPreamp: false)
    var stage = Self.stage(settings)
    var samples = Self.sine(200, seconds: 0.01)
    samples[100] = sample
    let heard = stage.heard(samples, [.left, .right])
    #expect(heard.allSatisfy { $0.isFinite })
    samples[100] = 0
    var other = Self.stage(settings)
    #expect(heard == other.heard(samples, [.left, .right]))
  }

  /// Filters that ring out become silent instead of computing with denormal numbers, which take a hundred times as long.
  @Test func silenceBecomesSilence() {
    let bands = [EqualizerBand(.peak, 5_000, gain: 12, quality: 5), EqualizerBand(.lowShelf, 5_000, gain: 9)]
    var stage = Self.stage(EqualizerSettings(bands: bands))
    _ = stage.heard(Self.sine(500), [.middle])
    for _ in 0..<100 { _ = stage.heard([Double](repeating: 0, count: 480), [.middle]) }
    #expect(stage.heard([Double](repeating: 0, count: 480), [.middle]).allSatisfy { $0 == 0 })
  }

  // MARK: Limiter

  /// What the bands amplify above full scale is limited, since it is no part of the recording.
  @Test func theLimiterHoldsWhatTheBandsAmplify() {
    let settings = EqualizerSettings(
      bands: [EqualizerBand(.peak, 1_000, gain: 12, quality: 2)], preamp: 0, automaticPreamp: false)
    var stages = SampleStages()
    stages.setEqualizer(settings)
    stages.reset()
    stages.enter(track: 1, gain: nil)
    let heard = stages.heard(Self.sine(1_000, level: 0.9), [.middle])
    #expect((heard.map(abs).max() ?? 0) <= LimiterStage.ceiling + 1e-9)
    #expect(stages.effects == [.equalizer, .limiter])
    // Its release goes on in the next track, and after switching off.
    stages.enter(track: 2, gain: nil)
    stages.setEqualizer(nil)
    let released = stages.heard([Double](repeating: 0.5, count: Self.rate), [.middle])
    #expect(released[100] < 0.49 && released.last == 0.5)
    #expect(zip(released, released.dropFirst()).allSatisfy { abs($0 - $1) < 0.2 })
  }
}

extension EqualizerStage {
  fileprivate mutating func heard(_ samples: [Double], _ sides: [ChannelSide], rate: Int = 48_000) -> [Double] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { buffer in
      var block = SampleBlock(buffer, sides: sides, rate: rate)
      process(&block)
      block.applyGains()
    }
    return samples
  }
}

extension SampleStages {
  fileprivate mutating func heard(_ samples: [Double], _ sides: [ChannelSide]) -> [Double] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { process($0, sides: sides, rate: 48_000) }
    return samples
  }
}
