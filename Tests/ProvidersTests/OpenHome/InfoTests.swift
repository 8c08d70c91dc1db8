import Testing

@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

@Suite struct InfoTests {
  private let a = "http://host/a.flac"
  private let metadata = "<DIDL-Lite><item><title>A &amp; B</title></item></DIDL-Lite>"
  private let flac = StreamInfo(
    codecName: "Free Lossless Audio Codec (FLAC)", sampleRate: 96_000, bitDepth: 24, channels: 2, bitRate: 2_800_000,
    lossless: true, isSeekable: true)

  private func details(_ renderer: RendererUnderTest) async throws -> [String] {
    try await renderer.call("Info", "Details").results.map(\.value)
  }

  private func counters(_ renderer: RendererUnderTest) async throws -> [String] {
    try await renderer.call("Info", "Counters").results.map(\.value)
  }

  @Test func trackHasControllersMetadata() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await renderer.call("Info", "Track").results.map(\.value) == ["", ""])
      try await renderer.playUntilPlaying(a, metadata)
      #expect(try await renderer.call("Info", "Track").results.map(\.value) == [a, metadata])
      let event = try #require(try await renderer.takeEvents("Info").first)
      #expect([event["Uri"], event["Metadata"], event["TrackCount"]] == [a, metadata, "1"])
    }
  }

  @Test func detailsComeFromStream() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      #expect(try await details(renderer) == ["0", "0", "0", "0", "0", ""])
      #expect(try await counters(renderer) == ["1", "0", "0"])
      renderer.pipeline.reportInfo(flac, duration: .milliseconds(61_900))
      try await renderer.wait("the duration") { _ in try await details(renderer)[0] == "61" }
      #expect(try await details(renderer) == ["61", "2800000", "24", "96000", "1", "FLAC"])
      let event = try #require(try await renderer.takeEvents("Info").last { $0["SampleRate"] != nil })
      #expect(
        [event["BitRate"], event["BitDepth"], event["SampleRate"], event["Lossless"], event["CodecName"]] == [
          "2800000", "24", "96000", "1", "FLAC",
        ])
    }
  }

  /// A new track with all its properties is one event, without properties of the track before.
  @Test func trackChangeIsOneEvent() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a, metadata)
      renderer.pipeline.reportInfo(flac, duration: .seconds(60), title: "Song")
      try await renderer.wait("the title") { _ in try await counters(renderer)[2] == "1" }
      try await renderer.setNextURI("http://host/b.ogg", "<item><title>B</title></item>")
      _ = try await renderer.takeEvents("Info")
      renderer.pipeline.joins(
        info: StreamInfo(codecName: "Vorbis", sampleRate: 44_100, bitRate: 320_000, isSeekable: true),
        duration: .seconds(30))
      try await renderer.wait("the join") { _ in try await counters(renderer)[0] == "2" }
      let events = try await renderer.takeEvents("Info")
      #expect(events.count == 1)
      #expect(
        Dictionary(uniqueKeysWithValues: events[0].values.map { ($0.key.name, $0.value) }) == [
          "TrackCount": "2", "DetailsCount": "1", "MetatextCount": "0", "Uri": "http://host/b.ogg",
          "Metadata": "<item><title>B</title></item>", "Duration": "30", "BitRate": "320000", "BitDepth": "16",
          "SampleRate": "44100", "Lossless": "0", "CodecName": "VORBIS", "Metatext": "",
        ])
      #expect(try await counters(renderer) == ["2", "1", "0"])
    }
  }

  /// A station's titles are Metatext; the channel's metadata stays.
  @Test func streamTitlesAreMetatext() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/radio", metadata)
      renderer.pipeline.reportInfo(StreamInfo(isLive: true), title: "Artist - Song <1>")
      try await renderer.wait("the title") { _ in try await counters(renderer)[2] == "1" }
      let text = try #require(try await renderer.call("Info", "Metatext")["Value"])
      #expect(try XMLText.leaves(of: text).first { $0.path.last == "title" }?.text == "Artist - Song <1>")
      #expect(try await renderer.call("Info", "Track")["Metadata"] == metadata)
      renderer.pipeline.reportInfo(title: "Another")
      try await renderer.wait("another title") { _ in try await counters(renderer)[2] == "2" }
      #expect(try await renderer.takeEvents("Info").last?["Metatext"]?.contains("Another") == true)
    }
  }

  /// The artist, too, if the stream has one. A change of the artist alone counts.
  @Test func artistsOfAStreamAreMetatext() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/radio", metadata)
      for (count, artist) in ["Ana", "Ben"].enumerated() {
        renderer.pipeline.reportInfo(
          StreamInfo(isLive: true), tags: TrackTags(title: "Song", artist: artist, album: "Leaves", isLive: true))
        try await renderer.wait("the title") { _ in try await counters(renderer)[2] == "\(count + 1)" }
        let text = try #require(try await renderer.call("Info", "Metatext")["Value"])
        let leaves = try XMLText.leaves(of: text)
        let texts = ["title", "artist", "album"].map { name in leaves.first { $0.path.last == name }?.text }
        #expect(texts == ["Song", artist, "Leaves"])
        #expect(try await renderer.call("Info", "Track")["Metadata"] == metadata)
      }
    }
  }

  @Test func infoFollowsCurrentSource() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(a, metadata)
      #expect(try await renderer.call("Info", "Track")["Uri"] == "")
      try await renderer.play()
      #expect(try await renderer.call("Info", "Track")["Uri"] == a)
      try await renderer.perform("Product", "SetSourceIndex", ["Value": "1"])
      #expect(try await renderer.call("Info", "Track")["Uri"] == "")
      #expect(try await renderer.takeEvents("Info").last?["Uri"] == "")
    }
  }

  @Test(arguments: [
    ("Free Lossless Audio Codec (FLAC)", "FLAC"), ("MPEG-1 Layer 3 (MP3)", "MP3"), ("MPEG-4 AAC", "AAC"),
    ("MPEG-4 AAC audio", "AAC"), ("Apple Lossless Audio (ALAC)", "ALAC"), ("Apple lossless audio", "ALAC"),
    ("Uncompressed 16-bit PCM audio", "PCM"), ("Vorbis", "VORBIS"), ("Opus", "Opus"), ("Wavpack", "WavPack"),
    ("Microsoft ADPCM audio", "ADPCM"), ("MPEG-1 Layer 2 (MP2)", "MP2"), ("Monkey's Audio", "Monkey's Audio"),
    ("Odd (two words)", "Odd (two words)"), ("()", "()"), ("", ""),
  ])
  func codecNamesMatchOpenHomePlayer(description: String, name: String) {
    #expect(CodecName.short(description) == name)
  }

  @Test(
    arguments: [
      (.wav, "Uncompressed 24-bit PCM audio", "WAV"), (.aiff, "Uncompressed PCM audio", "AIFF"),
      (nil, "Uncompressed PCM audio", "PCM"), (.wav, "Microsoft ADPCM audio", "ADPCM"), (.wav, nil, ""),
    ] as [(StreamInfo.Container?, String?, String)])
  func pcmIsNamedByContainer(container: StreamInfo.Container?, description: String?, name: String) {
    #expect(CodecName.of(StreamInfo(codecName: description, container: container)) == name)
  }

  /// Controllers would show a bit depth of 0 as “0 bits”.
  @Test(
    arguments: [
      ("MPEG-1 Layer 3 (MP3)", nil, "24"), ("Vorbis", nil, "16"), ("Opus", nil, "16"), ("MPEG-4 AAC", nil, "16"),
      (nil, nil, "16"), ("Free Lossless Audio Codec (FLAC)", 20, "20"),
    ] as [(String?, Int?, String)])
  func everyStreamHasABitDepth(codec: String?, depth: Int?, shown: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(a)
      renderer.pipeline.reportInfo(StreamInfo(codecName: codec, sampleRate: 48_000, bitDepth: depth))
      try await renderer.wait("the stream") { _ in try await details(renderer)[3] == "48000" }
      #expect(try await details(renderer)[2] == shown)
    }
  }
}
