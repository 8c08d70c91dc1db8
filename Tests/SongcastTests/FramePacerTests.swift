import NIOCore
import Testing

@testable import Songcast

/// At 48 kHz, a frame has 240 samples, and 5 ms are 5 of the milliseconds below. The latency is 150 ms.
@Suite struct FramePacerTests {
  private static let format = AudioFormat(sampleRate: 48000, bitDepth: 16, channels: 2, codec: "FLAC", isLossless: true)

  /// A pacer with its times in milliseconds and its positions in samples.
  private struct Pacing {
    var pacer = FramePacer(latency: .milliseconds(150))
    var run = 1

    /// Adds sound whose bytes count up.
    mutating func add(
      at begin: Double, _ samples: Int, from position: UInt64 = 0, track: Int = 1, format: AudioFormat = format
    ) {
      let bytes = (0..<samples * format.bytesPerSample).map { UInt8(truncatingIfNeeded: Int(position) + $0) }
      pacer.add(
        OutgoingSound(
          run: run, begin: Int64(begin * 1_000_000), trackID: track, position: position, format: format,
          samplesTotal: 96_000, bitRate: 700_000, pcm: ByteBuffer(bytes: bytes)))
    }

    /// The frames that are due: `START+SAMPLES`, with `!` for a halt.
    mutating func due(_ time: Double?) -> [String] {
      pacer.due(time.map { FramePacer.Moment(run: run, time: Int64($0 * 1_000_000)) }).map {
        "\($0.sampleStart)+\($0.sampleCount)\($0.isHalt ? "!" : "")"
      }
    }

    func wait(_ time: Double) -> Double? {
      pacer.wait(FramePacer.Moment(run: run, time: Int64(time * 1_000_000))).map { Double($0) / 1_000_000 }
    }
  }

  @Test func aFrameIsSentBeforeItIsHeard() {
    var pacing = Pacing()
    pacing.add(at: 200, 720)
    #expect(pacing.due(nil) == [])
    #expect(pacing.wait(0) == 50)
    #expect(pacing.due(49.9) == [])
    #expect(pacing.due(50) == ["0+240"])
    #expect(pacing.wait(51) == 4)
    #expect(pacing.due(54.9) == [])
    #expect(pacing.due(60) == ["240+240", "480+240"])
    #expect(pacing.wait(60) == nil)
    #expect(pacing.pacer.isSounding)
  }

  @Test func framesSpanPieces() throws {
    var pacing = Pacing()
    pacing.add(at: 200, 100)
    pacing.add(at: 200 + 100 / 48.0, 380, from: 100)
    #expect(pacing.due(55) == ["0+240", "240+240"])
  }

  @Test func factsAreThoseOfTheSound() throws {
    var pacing = Pacing()
    pacing.add(at: 200, 240, from: 4_800)
    let frame = try #require(pacing.pacer.due(.init(run: 1, time: 50_000_000)).first)
    #expect(frame.format == Self.format)
    #expect([frame.sampleStart, frame.samplesTotal, UInt64(frame.bitRate)] == [4_800, 96_000, 700_000])
    #expect(frame.latency == .milliseconds(150))
    #expect(frame.pcm == ByteBuffer(bytes: (0..<960).map { UInt8(truncatingIfNeeded: 4_800 + $0) }))
  }

  /// The rest of a track waits for its next samples no longer than until it is due.
  @Test func theLastFrameIsShorter() {
    var pacing = Pacing()
    pacing.add(at: 200, 250)
    #expect(pacing.due(50) == ["0+240"])
    #expect(pacing.wait(50).map { abs($0 - 10.208) < 0.001 } == true)
    #expect(pacing.due(56) == [])
    #expect(pacing.due(61) == ["240+10"])
    #expect(pacing.due(300) == [])
    #expect(pacing.due(nil) == ["250+0!"])
    #expect(pacing.due(nil) == [])
  }

  @Test func aPauseHaltsAndGoesOn() {
    var pacing = Pacing()
    pacing.add(at: 200, 960)
    #expect(pacing.due(55) == ["0+240", "240+240"])
    #expect(pacing.due(nil) == ["480+0!"])
    #expect(pacing.due(nil) == [])
    #expect(!pacing.pacer.isSounding)
    // The output's clock stood still.
    #expect(pacing.due(56) == [])
    #expect(pacing.due(60) == ["480+240"])
  }

  @Test func aNewRunBeginsAnew() {
    var pacing = Pacing()
    pacing.add(at: 200, 960)
    #expect(pacing.due(50) == ["0+240"])
    pacing.run = 2
    // The output has ended the run, and nothing of the next one has arrived.
    #expect(pacing.due(0) == ["240+0!"])
    pacing.add(at: 200, 480, from: 960_000)
    #expect(pacing.due(49) == [])
    #expect(pacing.due(55) == ["960000+240", "960240+240"])
  }

  @Test func theNextTrackFollowsWithoutAHalt() {
    var pacing = Pacing()
    pacing.add(at: 200, 300)
    pacing.add(at: 206.25, 300, track: 2)
    #expect(pacing.due(50) == ["0+240"])
    #expect(pacing.due(62) == ["240+60", "0+240"])
    // Also if it has another format.
    var other = Self.format
    other.sampleRate = 44100
    pacing.add(at: 212.5, 441, track: 3, format: other)
    #expect(pacing.due(62.5) == ["240+60", "0+220"])
  }

  @Test func aGapHalts() {
    var pacing = Pacing()
    pacing.add(at: 200, 240)
    pacing.add(at: 250, 240, from: 240)
    #expect(pacing.due(55) == ["0+240", "240+0!"])
    #expect(pacing.due(99) == [])
    #expect(pacing.due(100) == ["240+240"])
    // A jump in the track without a gap is a new stream.
    pacing.add(at: 255, 240, from: 9_600)
    #expect(pacing.due(105) == ["9600+240"])
  }

  /// Who joins in the middle must get its first frame on time, since it plays by that. Later ones may be late.
  @Test func lateFrames() {
    var pacing = Pacing()
    pacing.add(at: 100, 2_400)
    // Only the last of those due is less than 10 ms late.
    #expect(pacing.due(-21) == ["960+240", "1200+240"])
    #expect(pacing.due(40) == ["1440+240", "1680+240", "1920+240", "2160+240"])
    pacing.add(at: 150, 240, from: 2_400)
    #expect(pacing.due(104) == ["2400+0!"])
    pacing.add(at: 400, 240, from: 2_640)
    #expect(pacing.due(250) == ["2640+240"])
  }

  /// Sound that Songcast cannot carry is left out.
  @Test func unknownRates() {
    var pacing = Pacing()
    var format = Self.format
    format.sampleRate = 44101
    pacing.add(at: 200, 480, format: format)
    #expect(pacing.due(60) == [])
    pacing.add(at: 300, 240, track: 2)
    #expect(pacing.due(150) == ["0+240"])
  }
}
