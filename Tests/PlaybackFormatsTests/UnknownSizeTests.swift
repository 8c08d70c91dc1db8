import PlaybackTestKit
import Testing

@testable import PlaybackFormats

/// Files whose head says that there is no end, as programs write them that stream while they encode.
@Suite struct UnknownSizeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    /// Whether the size of the samples is changed to hide it from GStreamer's parser.
    var isHidden = true
    var declaresNoEnd = true
  }

  private static func add(_ name: String, _ file: [UInt8], isHidden: Bool, declaresNoEnd: Bool, to all: inout [Case]) {
    all.append(Case(testDescription: name, file: file, isHidden: isHidden, declaresNoEnd: declaresNoEnd))
  }

  static let cases: [Case] = {
    var all: [Case] = []
    let unknown = 0xFFFF_FFFF
    let forms = [(0xFFFF_FFDB, 0xFFFF_FFB7), (unknown, unknown), (unknown, 0), (0, 0), (0, unknown), (36, unknown)]
    for (form, samples) in forms {
      add("WAV \(form) \(samples)", SizedHead.wav(form, samples), isHidden: samples != 0, declaresNoEnd: true, to: &all)
    }
    add("WAV", SizedHead.wav(436, 400), isHidden: false, declaresNoEnd: false, to: &all)
    let largest = UInt64.max
    for size in [0, 1 << 55, 1 << 60, largest / 2, largest] {
      add("RF64 \(size)", SizedHead.rf64(size), isHidden: true, declaresNoEnd: true, to: &all)
    }
    add("RF64", SizedHead.rf64(6_000_000_000), isHidden: true, declaresNoEnd: false, to: &all)
    for size: UInt64 in [0, 8, 0x7F00_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      add("AIFF \(size)", SizedHead.aiff(size), isHidden: size != 0, declaresNoEnd: true, to: &all)
    }
    add("AIFF", SizedHead.aiff(408), isHidden: false, declaresNoEnd: false, to: &all)
    for size: UInt64 in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      add("AU \(size)", SizedHead.au(size), isHidden: false, declaresNoEnd: true, to: &all)
    }
    add("AU", SizedHead.au(400), isHidden: false, declaresNoEnd: false, to: &all)
    for size in [0, 24, largest / 2, largest] {
      add("Wave64 \(size)", SizedHead.wave64(size), isHidden: false, declaresNoEnd: true, to: &all)
    }
    add("Wave64", SizedHead.wave64(424), isHidden: false, declaresNoEnd: false, to: &all)
    for size in [0, largest / 2, largest] {
      add("CAF \(size)", SizedHead.caf(size), isHidden: false, declaresNoEnd: true, to: &all)
    }
    add("CAF", SizedHead.caf(404), isHidden: false, declaresNoEnd: false, to: &all)
    return all
  }()

  @Test(arguments: cases, [7, 100_000]) func aHeadWithoutAnEndIsNoticed(_ example: Case, pieces: Int) {
    var reader = HeadReader()
    let passed = reader.read(example.file, inPiecesOf: pieces)
    #expect(reader.facts.declaresNoEnd == example.declaresNoEnd)
    if example.declaresNoEnd { #expect(reader.facts.gap == nil && reader.facts.duration == nil) }
    // In small pieces, a size that is not known to be wrong from the start may have passed already.
    if pieces > example.file.count { #expect((passed != example.file) == example.isHidden) }
    #expect(reader.isDone)
  }

  /// With a length from the server, the duration of an AIFF file is known.
  @Test func theSizeOfAnAIFFFileGivesItsDuration() {
    var reader = HeadReader()
    let head = SizedHead.aiff(0xFFFF_FFFF)
    reader.source.size = head.count + 4 * 44_100 * 3
    _ = reader.read(head, inPiecesOf: 100_000)
    #expect(reader.facts.duration == .seconds(3))
  }
}
