import PlaybackTestKit
import TestFixtures
import Testing

@testable import PlaybackFormats

/// Reads the layout of constant-size blocks from headers and content types, and finds the block of a time.
struct BlockLayoutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var coding: BlockLayout.Coding
    var bytesPerBlock: Int
    var framesPerBlock = 1
    /// Nil if the offset depends on the length of ffmpeg's version in the file.
    var start: Int?
    var isRecognized = true
  }

  static let files = [
    Case(testDescription: "block-alaw.aiff", coding: .aLaw, bytesPerBlock: 2, start: 72),
    Case(testDescription: "block-mulaw.aiff", coding: .muLaw, bytesPerBlock: 2, start: 72),
    Case(testDescription: "block-mulaw.au", coding: .muLaw, bytesPerBlock: 2, start: 32),
    Case(testDescription: "block-f32.au", coding: .raw("F32BE"), bytesPerBlock: 8, start: 32),
    Case(testDescription: "block-s24.w64", coding: .raw("S24LE"), bytesPerBlock: 6, start: 128),
    Case(testDescription: "block-mulaw.w64", coding: .muLaw, bytesPerBlock: 2, start: 144),
    Case(testDescription: "block-s16be.caf", coding: .raw("S16BE"), bytesPerBlock: 4),
    Case(testDescription: "block-f32le.caf", coding: .raw("F32LE"), bytesPerBlock: 8),
    Case(testDescription: "block-ima.wav", coding: .imaADPCM, bytesPerBlock: 1024, framesPerBlock: 1017, start: 94),
    Case(
      testDescription: "block-ms.wav", coding: .microsoftADPCM, bytesPerBlock: 1024, framesPerBlock: 1012, start: 124),
    Case(testDescription: "block-alaw.wav", coding: .aLaw, bytesPerBlock: 2, start: 92, isRecognized: false),
    Case(
      testDescription: "noise1-44100-16-2-3s.wav", coding: .raw("S16LE"), bytesPerBlock: 4, start: 44,
      isRecognized: false),
  ]

  @Test(arguments: files, [1, 7, 100_000]) func isReadFromAHeader(_ example: Case, pieces: Int) throws {
    let fixture = try Fixtures.named(example.testDescription)
    let file = try readFile(fixture.path)
    var reader = BlockLayoutReader()
    for start in stride(from: 0, to: file.count, by: pieces) where reader.result == nil {
      file[start..<min(start + pieces, file.count)].withUnsafeBytes { reader.read($0, at: start) }
    }
    guard case .layout(let layout) = reader.result else {
      Issue.record("no layout")
      return
    }
    #expect(layout.coding == example.coding)
    #expect(layout.bytesPerBlock == example.bytesPerBlock && layout.framesPerBlock == example.framesPerBlock)
    #expect(layout.rate == fixture.rate && layout.channels == fixture.channels)
    // CAF's data chunk has a size and an edit count before the samples.
    let start = try example.start ?? #require(file.firstRange(of: Array("data".utf8))).upperBound + 12
    #expect(layout.start == start)
    #expect(layout.frames(inStreamOf: file.count) == fixture.frames)
    #expect(layout.frames(inStreamOf: nil) == fixture.frames)
    #expect(BlockLayoutReader.recognizes(Array(file.prefix(2048))) == example.isRecognized)
  }

  @Test(arguments: [
    ("audio/L16;rate=44100;channels=2", "S16BE", 44_100, 2), ("audio/L24; rate=96000; channels=2", "S24BE", 96_000, 2),
    ("Audio/L24;Rate=\"48000\"", "S24BE", 48_000, 1), ("audio/L16", "S16BE", 44_100, 2),
    ("audio/L24;channels=1", "S24BE", 44_100, 1),
    ("audio/L16;rate=44100;channels=2;DLNA.ORG_PN=LPCM", "S16BE", 44_100, 2),
  ])
  func isReadFromAContentType(_ type: String, format: String, rate: Int, channels: Int) throws {
    let layout = try #require(LinearPCMType.layout(type))
    #expect(layout.coding == .raw(format) && layout.rate == rate && layout.channels == channels)
    #expect(layout.bytesPerBlock == channels * (format == "S16BE" ? 2 : 3))
  }

  @Test(arguments: [
    "", ";", "audio/L8;rate=8000", "audio/mpeg", "audio/L16;rate=0", "audio/L16;rate=fast;channels=2",
    "audio/L24;rate=48000;channels=-1", "audio/L24;rate=99999999999999999999",
  ])
  func otherContentTypesHaveNone(_ type: String) { #expect(LinearPCMType.layout(type) == nil) }

  @Test func aTimeIsInTheBlockThatHoldsItsFrame() throws {
    var layout = try #require(
      BlockLayout(coding: .imaADPCM, rate: 44_100, channels: 2, bytesPerBlock: 1024, framesPerBlock: 1017))
    layout.start = 94
    layout.length = 10 * 1024
    layout.declaredFrames = 10_000
    for (frame, block) in [(0, 0), (1016, 0), (1017, 1), (5_000, 4)] {
      let place = layout.place(atNanoseconds: layout.nanoseconds(ofFrame: frame))
      #expect(place == BlockLayout.Place(byte: 94 + block * 1024, frame: block * 1017))
    }
    #expect(layout.place(atNanoseconds: .max).byte == 94 + 10 * 1024)
    #expect(layout.place(ofBlockAt: 0) == BlockLayout.Place(byte: 94, frame: 0))
    #expect(layout.place(ofBlockAt: 95) == BlockLayout.Place(byte: 94 + 1024, frame: 1017))
    // The file may be shorter than declared, and the last block may have padding.
    #expect(layout.frames(inStreamOf: nil) == 10_000)
    #expect(layout.frames(inStreamOf: 94 + 3 * 1024 + 500) == 3 * 1017)
  }

  /// At any rate, the time of a frame converts back to the same frame.
  @Test(arguments: [8_000, 11_025, 44_100, 48_000, 192_000]) func aFrameIsFoundByItsTime(_ rate: Int) throws {
    let layout = try #require(BlockLayout(rawWidth: 3, isLittleEndian: false, rate: rate, channels: 2))
    for frame in [0, 1, 2, 3, 777, rate - 1, rate, 3_600 * rate + 17] {
      let place = layout.place(atNanoseconds: layout.nanoseconds(ofFrame: frame))
      #expect(place == BlockLayout.Place(byte: 6 * frame, frame: frame))
    }
  }

  @Test(arguments: [0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFDB, Int.max, -1, 1 << 62]) func someSizesMeanUnknown(_ size: Int)
  {
    #expect(UnknownSize.contains(size))
  }

  @Test func randomBytesDoNotCrash() throws {
    var generator = SplitMix(state: 9)
    let files = try Self.files.map { Array(try readFile(try Fixtures.named($0.testDescription).path).prefix(5_000)) }
    for _ in 0..<3_000 {
      guard var file = files.randomElement(using: &generator) else { return }
      for _ in 0..<4 {
        file[Int.random(in: 0..<200, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      var reader = BlockLayoutReader()
      file.withUnsafeBytes { reader.read($0, at: 0) }
      guard case .layout(let layout) = reader.result else { continue }
      #expect(layout.place(atNanoseconds: .random(in: 0...Int.max, using: &generator)).byte >= layout.start)
      #expect((layout.frames(inStreamOf: 5_000) ?? 0) >= 0)
    }
  }
}
