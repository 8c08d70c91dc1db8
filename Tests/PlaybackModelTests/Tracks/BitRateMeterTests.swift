import Testing

@testable import PlaybackModel

@Suite struct BitRateMeterTests {
  private let milliseconds: Int64 = 1_000_000

  /// Opus packets of 20 ms.
  @Test func theAverageIsReportedWheneverTheLengthHasDoubled() {
    var meter = BitRateMeter()
    var reports: [Int: Int] = [:]
    for packet in 1...50 {
      // 128 kbit/s for the first 0.4 s, twice that afterwards.
      let bytes = packet <= 20 ? 320 : 640
      if let rate = meter.add(bytes: bytes, nanoseconds: 20 * milliseconds) { reports[packet * 20] = rate }
    }
    #expect(reports == [100: 128_000, 200: 128_000, 400: 128_000, 800: 192_000])
  }

  @Test func aLongPacketIsOneReport() {
    var meter = BitRateMeter()
    #expect(meter.add(bytes: 1000, nanoseconds: 1000 * milliseconds) == 8000)
    #expect(meter.add(bytes: 1000, nanoseconds: 500 * milliseconds) == nil)
    #expect(meter.add(bytes: 1000, nanoseconds: 500 * milliseconds) == 12_000)
  }

  /// Buffer durations come from the file.
  @Test(arguments: [0, -1, Int64.min]) func aPacketWithoutALengthIsNotCounted(_ length: Int64) {
    var meter = BitRateMeter()
    #expect(meter.add(bytes: 1_000_000, nanoseconds: length) == nil)
    #expect(meter.add(bytes: 1000, nanoseconds: 100 * milliseconds) == 80_000)
  }

  @Test func lengthsBeyondAllBoundsAreHarmless() {
    var meter = BitRateMeter()
    #expect(meter.add(bytes: 1000, nanoseconds: .max) == 0)
    #expect(meter.add(bytes: 1000, nanoseconds: .max) == nil)
  }
}
