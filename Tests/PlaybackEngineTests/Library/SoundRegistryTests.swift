import Testing

@testable import PlaybackEngine

struct SoundRegistryTests {
  private func needs(_ elementClass: String, rank: Int = 0, plugin: String = "other") -> Bool {
    SoundRegistry.needs(.init(name: "element", plugin: plugin, elementClass: elementClass, rank: rank))
  }

  @Test(arguments: [
    "Codec/Decoder/Audio", "Codec/Decoder/Audio/Converter", "Codec/Demuxer", "Codec/Demuxer/Audio", "Video/Demuxer",
    "Codec/Demuxer/Adaptive", "Codec/Demuxer/Network/RTP", "Codec/Parser/Audio", "Codec/Parser/Converter/Audio",
    "Filter/Converter/Audio", "Sink/Audio", "Sink/Network/Audio", "Source", "Source/File", "Source/Network",
  ])
  func keepsDecodersSourcesAndOutputsOfAnyRank(elementClass: String) {
    #expect(needs(elementClass))
  }

  @Test(arguments: [
    "Codec/Decoder/Video", "Codec/Decoder/Image", "Codec/Encoder/Audio", "Codec/Encoder/Video", "Codec/Muxer",
    "Codec/Depayloader/Network/RTP", "Codec/Payloader/Network/RTP", "Codec/Parser/Video", "Codec/Parser/Subtitle",
    "Codec/Parser/Converter/Video", "Filter/Effect/Audio", "Filter/Effect/Video", "Filter/Analyzer/Audio",
    "Formatter/Metadata", "Mixer/Video/Overlay/Subtitle", "Sink/Network", "Sink/Video", "Source/Audio",
    "Source/Video", "Visualization",
  ])
  func leavesOutWhatASpeakerNeverNeeds(elementClass: String) {
    #expect(!needs(elementClass, rank: 256, plugin: "playback"))
  }

  @Test func keepsOthersOnlyIfSomethingMayChooseThem() {
    for elementClass in ["Generic", "Generic/Bin", "Codec/Parser", "Decoder", "Filter", "Sink", ""] {
      #expect(needs(elementClass, rank: 64))
      #expect(needs(elementClass, plugin: "coreelements"))
      #expect(!needs(elementClass))
    }
  }
}
