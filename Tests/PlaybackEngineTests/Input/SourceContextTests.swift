import Playback
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

struct SourceContextTests {
  /// The header of a 3 GB WAV file is changed; everything after it passes without inspection.
  @Test func theSamplesOfALargeWAVFileAreNotInspected() throws {
    GStreamerLibrary.start()
    let input = try #require(ElementReference(factory: "identity"))
    let context = SourceContext(mailbox: Mailbox(), input: input, settings: PlayerSettings())
    let file = WAVHead.file("RIFF", 3_000_000_036, [], samples: 3_000_000_000)
    func receive(_ bytes: [UInt8], at position: Int) -> Bool {
      bytes.withUnsafeBytes { context.received($0, at: position).endsHead }
    }
    #expect(!receive(file, at: 0))
    context.forgetHead()
    #expect(receive([1, 2, 3, 4], at: file.count))
    #expect(!context.wants(file.count + 4..<1 << 31))
    // The parser may read the header again.
    #expect(context.wants(0..<4_096))
  }
}
