import CGStreamer
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite struct AudioFormatTests {
  @Test(
    arguments: [
      (44_100, 0, 0), (44_100, 1, 22_676), (44_100, 44_100, 1_000_000_000), (48_000, 24_000, 500_000_000),
      (192_000, 192_000 * 86_400, 86_400_000_000_000),
    ] as [(rate: Int, frames: Int64, nanoseconds: Int64)])
  func framesConvertToNanosecondsAndBack(rate: Int, frames: Int64, nanoseconds: Int64) throws {
    let format = try Self.format(rate)
    #expect(format.nanoseconds(frames: frames) == nanoseconds)
    #expect(format.frames(nanoseconds: nanoseconds) == frames)
  }

  /// A file may declare any time, and any rate that fits into 32 bits.
  @Test(arguments: [1, 8_000, 44_100, 192_000, Int(Int32.max)])
  func anyDeclaredTimeConvertsWithoutOverflow(rate: Int) throws {
    let format = try Self.format(rate)
    for claim in [Int64.max, 1 << 62, 1 << 60, -1 << 60, .min] {
      let frames = format.frames(nanoseconds: claim)
      #expect(abs(format.nanoseconds(frames: frames)) <= AudioFormat.longest)
      #expect(abs(format.nanoseconds(frames: claim)) <= AudioFormat.longest)
    }
  }

  private static func format(_ rate: Int) throws -> AudioFormat {
    GStreamerLibrary.start()
    let caps = try #require(
      gst_caps_from_string("audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate=\(rate)"))
    defer { swiftlet_caps_unref(caps) }
    return try #require(AudioFormat(caps: caps))
  }
}
