import PlaybackTestKit
import Testing

@testable import PlaybackFormats
@testable import PlaybackModel

struct APETagsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var gain: ReplayGainTags?
  }

  static let gain = ReplayGainTags(trackGain: -6.5, trackPeak: 0.5)
  static let items = [("REPLAYGAIN_TRACK_GAIN", "-6.50 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.500000")]
  static let sound = [UInt8](repeating: 0x55, count: 500)

  static let cases = [
    Case(testDescription: "at the end", bytes: sound + ape(items), gain: gain),
    Case(
      testDescription: "before ID3v1",
      bytes: sound + ape(items) + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125),
      gain: gain),
    Case(
      testDescription: "names in small letters, among others",
      bytes: sound + ape([("Title", "Song")] + items.map { ($0.0.lowercased(), $0.1) } + [("MP3GAIN_MINMAX", "1,2")]),
      gain: gain),
    Case(testDescription: "with a header", bytes: sound + ape(items, header: true), gain: gain),
    Case(
      testDescription: "a picture before", bytes: ape([("Cover", String(repeating: "x", count: 9_000))] + items),
      gain: gain),
    Case(testDescription: "no number", bytes: sound + ape([("REPLAYGAIN_TRACK_GAIN", "loud")]), gain: nil),
    Case(testDescription: "none of it", bytes: sound + ape([("Title", "Song")]), gain: nil),
    Case(testDescription: "only the end of the tag", bytes: Array((sound + ape(items)).suffix(60)), gain: nil),
    Case(testDescription: "no tag", bytes: sound, gain: nil),
    Case(testDescription: "nothing", bytes: [], gain: nil),
  ]

  @Test(arguments: cases) func gainIsFound(_ example: Case) {
    #expect(APETags(endOfFile: example.bytes).flatMap { ReplayGainTags(ape: $0.texts) } == example.gain)
  }

  @Test func randomBytesDoNotCrash() {
    var generator = SplitMix(state: 6)
    for _ in 0..<2_000 {
      var bytes = Self.ape(Self.items)
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if let tags = APETags(endOfFile: bytes) { #expect(tags.texts.count <= 2) }
    }
  }

  static func ape(_ items: [(String, String)], header: Bool = false) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var body: [UInt8] = []
    for (name, value) in items { body += little(value.utf8.count) + little(0) + Array((name + "\0" + value).utf8) }
    func frame(flags: Int) -> [UInt8] {
      var frame = Array("APETAGEX".utf8) + little(2_000) + little(body.count + 32)
      frame += little(items.count) + little(flags) + [UInt8](repeating: 0, count: 8)
      return frame
    }
    return (header ? frame(flags: 5 << 29) : []) + body + frame(flags: header ? 1 << 31 : 0)
  }
}
