import Playback
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

struct SourceContextTests {
  /// The head of a WAV file of 3 GB is changed; what comes after it passes without being looked at.
  @Test func theSamplesOfALargeWAVFileAreNotLookedAt() throws {
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
    // The parser may read the head again.
    #expect(context.wants(0..<4_096))
  }
}
