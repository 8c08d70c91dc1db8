import Synchronization
import Testing

@testable import PlaybackModel

@Suite struct AnnouncementStageTests {
  private static let rate = 1_000

  /// Adds a constant to a number of frames.
  private final class Constant: OverlaySound {
    private let left: Mutex<Int>

    init(frames: Int) { left = Mutex(frames) }

    func add(to samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int, gain: Double) -> Bool {
      left.withLock { left in
        let frames = min(left, samples.count)
        for index in 0..<frames { samples[index] += 10 * gain }
        left -= frames
        return left == 0
      }
    }
  }

  /// Samples of music with the value 1 after the stages, in blocks of 10 ms.
  private static func process(_ stages: inout SampleStages, milliseconds: Int) -> [Double] {
    (0..<milliseconds / 10).flatMap { _ in
      var samples = [Double](repeating: 1, count: 10)
      samples.withUnsafeMutableBufferPointer { stages.process($0, sides: [.middle], rate: rate) }
      return samples
    }
  }

  @Test func theMusicIsLoweredAndRises() {
    var stages = SampleStages()
    stages.announcement.begin(Constant(frames: 500), gain: 0.5, music: AnnouncementStage.ducked)
    #expect(!stages.isNeutral)
    #expect(stages.isSettled)
    #expect(stages.effects == [.announcement])
    let during = Self.process(&stages, milliseconds: 500)
    #expect(during[0] > 5.99 && during[0] < 6)
    #expect(abs(during[150] - 5.56) < 0.01)
    #expect(during[300...].allSatisfy { abs($0 - 5 - AnnouncementStage.ducked) < 1e-9 })
    let ends = [stages.announcement.takeEnd(), stages.announcement.takeEnd()]
    #expect(ends == [true, false])
    #expect(stages.effects.isEmpty)
    // Another announcement may follow.
    let tail = Self.process(&stages, milliseconds: 390)
    #expect(tail.allSatisfy { abs($0 - AnnouncementStage.ducked) < 1e-9 })
    let after = Self.process(&stages, milliseconds: 320)
    #expect(after[160] > 0.5 && after[160] < 0.62)
    #expect(after.last == 1)
    #expect(stages.isNeutral)
  }

  @Test func aPlaceOfItsOwnLeavesTheMusicAsItIs() {
    var stages = SampleStages()
    stages.announcement.begin(Constant(frames: 100), gain: 1, music: 0)
    stages.announcement.insert()
    let samples = Self.process(&stages, milliseconds: 100)
    #expect(samples.allSatisfy { $0 == 11 })
    #expect(stages.isNeutral)
  }

  @Test func volumeAndMuteDoNotConcernIt() {
    var stages = SampleStages()
    stages.setMuted(true)
    stages.reset()
    stages.announcement.begin(Constant(frames: 1_000), gain: 0.25, music: AnnouncementStage.ducked)
    let samples = Self.process(&stages, milliseconds: 100)
    #expect(samples.allSatisfy { $0 == 2.5 })
  }

  @Test func aNewRunIsLowFromItsBeginning() {
    var stages = SampleStages()
    stages.announcement.begin(Constant(frames: 1_000), gain: 1, music: 0)
    _ = Self.process(&stages, milliseconds: 10)
    stages.reset()
    let samples = Self.process(&stages, milliseconds: 10)
    #expect(samples.allSatisfy { $0 == 10 })
  }

  @Test func aRunAfterItBeginsAtFullLevel() {
    var stages = SampleStages()
    stages.announcement.begin(Constant(frames: 10), gain: 1, music: 0)
    _ = Self.process(&stages, milliseconds: 10)
    stages.reset()
    #expect(stages.isNeutral)
    let samples = Self.process(&stages, milliseconds: 10)
    #expect(samples.allSatisfy { $0 == 1 })
  }

  @Test func aNewGainGlides() {
    var stages = SampleStages()
    stages.announcement.begin(Constant(frames: 10_000), gain: 1, music: 0)
    _ = Self.process(&stages, milliseconds: 400)
    stages.announcement.setGain(0.5)
    let samples = Self.process(&stages, milliseconds: 1_000)
    #expect(samples[0] > 8 && samples[0] < 10)
    #expect(abs((samples.last ?? 0) - 5) < 0.01)
  }
}
