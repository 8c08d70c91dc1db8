import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine

@Suite struct SupportedFormatsTests {
  /// Controllers compare the strings exactly (hzeller/gmrender-resurrect#231).
  @Test(arguments: [
    "audio/flac", "audio/x-flac", "audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp4", "audio/x-m4a",
    "audio/L16;rate=44100;channels=2", "audio/L16;rate=48000;channels=2", "audio/L24;rate=96000;channels=2",
    "audio/L24", "audio/x-caf", "audio/x-w64", "audio/basic", "audio/x-aifc", "audio/speex", "audio/x-scpls",
    "audio/x-mpegurl", "application/vnd.apple.mpegurl",
  ])
  func listsTheTypesThatControllersLookFor(type: String) {
    #expect(SupportedFormats.mimeTypes().contains(type))
  }

  @Test func listsEachTypeOnceAndWithoutSeparators() {
    let types = SupportedFormats.mimeTypes()
    #expect(Set(types).count == types.count)
    // SinkProtocolInfo separates fields by colons and entries by commas.
    #expect(!types.contains { $0.contains(",") || $0.contains(":") })
  }
}
