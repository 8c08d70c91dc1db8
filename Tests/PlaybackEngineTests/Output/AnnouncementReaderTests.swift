import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite struct AnnouncementReaderTests {
  /// One second of a tone of 440 Hz at half of full scale.
  private static func tone(rate: Int, channels: Int = 1) -> AnnouncementSound.Part {
    let samples = (0..<rate).flatMap { frame in
      let sample = Int16(sin(2 * .pi * 440 * Double(frame) / Double(rate)) * 16_384)
      return [Int16](repeating: sample, count: channels)
    }
    return AnnouncementSound.Part(rate: rate, channels: channels, samples: samples)
  }

  /// Reads blocks of 10 ms until the end, at most ten seconds.
  private static func read(
    _ reader: AnnouncementReader, rate: Int, sides: [ChannelSide] = [.left, .right], blocks: Int = 1_000
  ) -> [Double] {
    var output: [Double] = []
    for _ in 0..<blocks {
      var samples = [Double](repeating: 0, count: rate / 100 * sides.count)
      let isOver = samples.withUnsafeMutableBufferPointer { reader.add(to: $0, sides: sides, rate: rate, gain: 1) }
      output += samples
      if isOver { break }
    }
    return output
  }

  @Test(arguments: [8_000, 22_050, 44_100, 48_000], [44_100, 48_000, 96_000, 192_000])
  func aToneIsTheSameAtEveryRate(from rate: Int, to output: Int) {
    let reader = AnnouncementReader(AnnouncementSound([Self.tone(rate: rate)]))
    let samples = Self.read(reader, rate: output)
    #expect(reader.remaining == 0)
    #expect(abs(samples.count / 2 - output) <= output / 100)
    // Both channels, and away from the edges.
    let errors: [Double] = (output / 10..<output * 9 / 10).map { frame in
      let wanted = sin(2 * .pi * 440 * Double(frame) / Double(output)) / 2
      return abs(samples[frame * 2] - wanted)
    }
    // GStreamer's resampler is up to 1/16 of an input frame late, see VariableRateResampler.
    let late = 2 * .pi * 440 / Double(rate) / 2 / 15
    #expect(errors.max().map { $0 < late } == true, "\(errors.max() ?? 0)")
    #expect((0..<samples.count / 2).allSatisfy { samples[$0 * 2] == samples[$0 * 2 + 1] })
  }

  @Test func partsFollowEachOther() {
    let sound = AnnouncementSound([
      .init(rate: 1_000, channels: 1, samples: [Int16](repeating: 16_384, count: 25)),
      .init(rate: 1_000, channels: 2, samples: (0..<30).flatMap { _ in [Int16(8_192), -8_192] }),
    ])
    let samples = Self.read(AnnouncementReader(sound), rate: 1_000)
    #expect(Array(samples[..<50]) == [Double](repeating: 0.5, count: 50))
    let second: [Double] = (0..<30).flatMap { _ in [0.25, -0.25] }
    #expect(Array(samples[50..<110]) == second)
    #expect(samples[110...].allSatisfy { $0 == 0 })
  }

  @Test func partsOfOtherRatesFollowEachOther() {
    let sound = AnnouncementSound([
      .init(rate: 8_000, channels: 1, samples: [Int16](repeating: 16_384, count: 8_001)),
      .init(rate: 22_050, channels: 2, samples: [Int16](repeating: 8_192, count: 44_100)),
    ])
    let samples = Self.read(AnnouncementReader(sound), rate: 48_000, sides: [.middle])
    #expect(samples[1_000..<47_000].allSatisfy { abs($0 - 0.5) < 0.001 })
    #expect(samples[49_000..<95_000].allSatisfy { abs($0 - 0.25) < 0.001 })
    #expect(samples.count < 97_000)
  }

  @Test(
    arguments: [
      ([.middle], [0.375]), ([.left, .right], [0.5, 0.25]), ([.left, .right, .middle, .middle], [0.5, 0.25, 0, 0]),
      ([.left, .right, .left, .right], [0.5, 0.25, 0, 0]),
    ] as [([ChannelSide], [Double])])
  func channels(sides: [ChannelSide], frame: [Double]) {
    let sound = AnnouncementSound([.init(rate: 100, channels: 2, samples: [16_384, 8_192])])
    #expect(Self.read(AnnouncementReader(sound), rate: 100, sides: sides) == frame)
  }

  @Test func itGoesBackByWhatWasNotHeard() {
    let samples = (0..<1_000).map { Int16($0 * 32) }
    let reader = AnnouncementReader(AnnouncementSound([.init(rate: 1_000, channels: 1, samples: samples)]))
    let first = Self.read(reader, rate: 1_000, sides: [.middle], blocks: 50)
    reader.rewind(by: 200_000_000)
    #expect(reader.position == 300_000_000)
    let second = Self.read(reader, rate: 1_000, sides: [.middle])
    let wanted: [Double] = samples.map { Double($0) / 32_768 }
    #expect(Array(first[..<300]) + second == wanted)
    reader.rewind(by: .max / 2)
    #expect(reader.position == 0)
  }

  @Test func aSoundWithoutSamplesIsOver() {
    #expect(Self.read(AnnouncementReader(AnnouncementSound([])), rate: 1_000, sides: [.middle]).count == 10)
  }

  @Test func theChimeIsNeitherSilentNorClipped() {
    let peak = Chime.sound.samples.reduce(0) { max($0, abs(Int($1))) }
    #expect(peak > 8_000 && peak < 32_767)
    #expect(Chime.sound.samples.last == 0)
  }
}
