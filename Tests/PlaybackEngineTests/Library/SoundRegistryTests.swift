import Testing

@testable import PlaybackEngine

struct SoundRegistryTests {
  @Test(arguments: [
    "Codec/Decoder/Audio", "Codec/Decoder/Audio/Converter", "Codec/Demuxer", "Codec/Demuxer/Audio", "Video/Demuxer",
    "Codec/Demuxer/Adaptive", "Codec/Demuxer/Network/RTP", "Codec/Parser", "Codec/Parser/Audio",
    "Codec/Parser/Converter/Audio", "Filter/Converter/Audio", "Generic", "Generic/Bin", "Generic/Bin/Decoder",
    "Generic/Sink", "Sink", "Sink/Audio", "Sink/Network/Audio", "Source", "Source/File", "Source/Network", "Decoder",
    "",
  ])
  func keepsWhatASpeakerMayNeed(elementClass: String) {
    #expect(SoundRegistry.needs(class: elementClass))
  }

  @Test(arguments: [
    "Codec/Decoder/Video", "Codec/Decoder/Image", "Codec/Encoder/Audio", "Codec/Encoder/Video", "Codec/Muxer",
    "Codec/Depayloader/Network/RTP", "Codec/Payloader/Network/RTP", "Codec/Parser/Video",
    "Codec/Parser/Converter/Video",
    "Codec/Parser/Subtitle", "Filter/Effect/Audio", "Filter/Effect/Video", "Filter/Analyzer/Audio",
    "Formatter/Metadata",
    "Mixer/Video/Overlay/Subtitle", "Sink/Network", "Sink/Video", "Source/Video", "Visualization",
  ])
  func leavesOutWhatASpeakerNeverNeeds(elementClass: String) {
    #expect(!SoundRegistry.needs(class: elementClass))
  }
}
