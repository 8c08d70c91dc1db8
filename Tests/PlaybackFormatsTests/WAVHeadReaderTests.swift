import PlaybackTestKit
import Testing

@testable import PlaybackFormats

/// Hides the size of the samples in large WAV files from GStreamer's parser, and finds the end of the sound.
struct WAVHeadReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var isChanged = true
    var frames: Int?
  }

  static let cases = [
    Case(testDescription: "2 MB", file: WAVHead.file("RIFF", 2_000_036, [], samples: 2_000_000), isChanged: false),
    Case(
      testDescription: "3 GB", file: WAVHead.file("RIFF", 3_000_000_036, [], samples: 3_000_000_000),
      frames: 750_000_000),
    Case(testDescription: "unknown", file: WAVHead.file("RIFF", 0xFFFF_FFFF, [], samples: 0xFFFF_FFFF)),
    Case(testDescription: "unknown, signed", file: WAVHead.file("RIFF", 0x7FFF_FFFF, [], samples: 0x7FFF_FFDB)),
    Case(
      testDescription: "the form's size only", file: WAVHead.file("RIFF", 0xFFFF_FFFF, [], samples: 400), frames: 100),
    Case(
      testDescription: "RF64",
      file: WAVHead.file(
        "RF64", 0xFFFF_FFFF,
        Array("ds64".utf8) + WAVHead.little(28, 4) + WAVHead.little(6_000_000_072, 8) + WAVHead.little(6_000_000_000, 8)
          + WAVHead.little(0, 12),
        samples: 0xFFFF_FFFF), frames: 1_500_000_000),
    Case(
      testDescription: "another form",
      file: Array("RIFF".utf8) + WAVHead.little(3 << 30, 4) + Array("AVI data".utf8) + WAVHead.little(3 << 30, 4),
      isChanged: false),
  ]

  @Test(arguments: cases, [1, 7, 100_000]) func endsWhereTheFileSays(_ example: Case, pieces: Int) {
    var reader = HeadReader()
    let passed = reader.read(example.file, inPiecesOf: pieces)
    var expected = example.file
    if example.isChanged { expected.replaceSubrange(expected.count - 8..<expected.count - 4, with: [0, 0, 0, 0]) }
    #expect(passed == expected)
    #expect(reader.facts.gap == example.frames.flatMap { EncoderGap(delay: 0, length: $0, rate: 44_100) })
    #expect(reader.isDone)
  }

  @Test(arguments: [1, 7, 100_000]) func theSizeOfAStationIsHidden(pieces: Int) {
    let file = WAVHead.file("RIFF", 2_000_036, [], samples: 2_000_000)
    var reader = HeadReader()
    reader.source.isEndless = true
    var expected = file
    expected.replaceSubrange(file.count - 8..<file.count - 4, with: [0, 0, 0, 0])
    #expect(reader.read(file, inPiecesOf: pieces) == expected)
    #expect(reader.isDone)
  }

  /// A demuxer may read the head again, after a seek or to identify the file.
  @Test func theHeadIsCorrectedEachTimeItIsRead() {
    let file = WAVHead.file("RIFF", 3_000_000_036, [], samples: 3_000_000_000)
    var reader = HeadReader()
    let first = reader.read(file, inPiecesOf: 7)
    #expect(first != file)
    #expect(reader.read(file, inPiecesOf: 13) == first)
    #expect(!reader.isChanging(file.count..<file.count + 100))
  }
}
