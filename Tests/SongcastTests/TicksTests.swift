import Songcast
import Testing

@Suite struct TicksTests {
  @Test(arguments: [
    (7350, TickClock.family44), (8000, .family48), (11025, .family44), (12000, .family48), (14700, .family44),
    (16000, .family48), (22050, .family44), (24000, .family48), (29400, .family44), (32000, .family48),
    (44100, .family44), (48000, .family48), (88200, .family44), (96000, .family48), (176_400, .family44),
    (192_000, .family48), (352_800, .family44), (384_000, .family48),
  ]) func everyRateHasAClock(rate: Int, clock: TickClock) {
    #expect(TickClock(sampleRate: UInt32(rate)) == clock)
  }

  @Test(arguments: [
    0, 1, 4000, 3675, 5512, 7999, 9600, 37800, 44101, 48001, 705_600, 768_000, 1 << 31, Int(UInt32.max),
  ])
  func otherRatesHaveNone(rate: Int) {
    #expect(TickClock(sampleRate: UInt32(rate)) == nil)
  }

  @Test func convertsTheUsualLatencies() {
    #expect(TickClock.family44.ticks(in: .milliseconds(150)) == 1_693_440)
    #expect(TickClock.family48.ticks(in: .milliseconds(150)) == 1_843_200)
    #expect(TickClock.family44.ticks(in: .milliseconds(100)) == 1_128_960)
    #expect(TickClock.family44.duration(of: 1_693_440) == .milliseconds(150))
    #expect(TickClock.family48.duration(of: 1_228_800) == .milliseconds(100))
    #expect(TickClock.family48.duration(of: .max) == .nanoseconds(349_525_333_251))
  }

  @Test func wraps() {
    #expect(TickClock.family44.ticks(in: .seconds(380)) == 4_290_048_000)
    #expect(TickClock.family44.ticks(in: .seconds(381)) == 4_301_337_600 - 1 << 32)
    #expect(TickClock.distance(from: .max - 9, to: 10) == 20)
    #expect(TickClock.distance(from: 10, to: .max - 9) == -20)
    #expect(TickClock.distance(from: 5, to: 5) == 0)
  }
}
