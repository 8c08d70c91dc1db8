import PlaybackTestKit
import Testing

@testable import PlaybackFormats
@testable import PlaybackModel

/// Reads the declarations in the heads of files that arrive whole or in pieces.
struct HeadReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var gap: EncoderGap?
  }

  static let cases = [
    Case(
      testDescription: "LAME", file: mp3(tag: "Info", encoder: "LAME3.100", delay: 576, padding: 1131, frames: 117),
      gap: EncoderGap(delay: 576 + 529, length: 117 * 1152 - 576 - 1131, rate: 44_100)),
    Case(
      testDescription: "libavformat, after pictures",
      file: id3([("APIC", [UInt8](repeating: 7, count: 100_000))])
        + mp3(tag: "Xing", encoder: "Lavc59.37", delay: 1105, padding: 0, frames: 10),
      gap: EncoderGap(delay: 1105 + 529, length: 10 * 1152 - 1105, rate: 44_100)),
    Case(
      testDescription: "two tags, MPEG 2, mono",
      file: id3([("TIT2", [0, 65])]) + id3([])
        + mp3([0xFF, 0xF3, 0x40, 0xC0], tag: "Info", encoder: "LAME3.99r", delay: 576, padding: 100, frames: 9),
      gap: EncoderGap(delay: 576 + 529, length: 9 * 576 - 676, rate: 22_050)),
    Case(
      testDescription: "another encoder",
      file: mp3(tag: "Xing", encoder: "GOGO3.13a", delay: 576, padding: 100, frames: 9), gap: nil),
    Case(
      testDescription: "no information", file: mp3(tag: "....", encoder: "", delay: 0, padding: 0, frames: 0), gap: nil),
    Case(
      testDescription: "iTunes' comment",
      file: id3([("COMM", [0] + Array("engiTunSMPB".utf8) + [0] + Array(note(528, 1000, 20_000).utf8))])
        + mp3(tag: "....", encoder: "", delay: 0, padding: 0, frames: 0),
      gap: EncoderGap(delay: 528 + 529, length: 20_000, rate: 44_100)),
    Case(
      testDescription: "iTunes' comment with a delay that ended the program",
      file: id3([("COMM", [0] + Array("engiTunSMPB 0 7FFFFFFFFFFFFFFF 0 1".utf8))])
        + mp3(tag: "....", encoder: "", delay: 0, padding: 0, frames: 0),
      gap: nil),
    Case(
      testDescription: "iTunes' comment in UTF-16",
      file: id3([
        (
          "COMM",
          [1] + Array("eng".utf8) + [0xFF, 0xFE]
            + ("iTunSMPB\0" + note(528, 1000, 20_000)).utf16.flatMap { [UInt8($0), 0] }
        )
      ]) + mp3(tag: "....", encoder: "", delay: 0, padding: 0, frames: 0),
      gap: EncoderGap(delay: 528 + 529, length: 20_000, rate: 44_100)),
    Case(
      testDescription: "edit list in milliseconds",
      file: mp4(edits: [(3_017, 1024)], film: 1000, media: 44_100, length: 134_101),
      gap: EncoderGap(delay: 1024, length: 133_077, rate: 44_100)),
    Case(
      testDescription: "edit list in samples that ends before the padding",
      file: mp4(edits: [(130_000, 2112)], film: 44_100, media: 44_100, length: 135_168),
      gap: EncoderGap(delay: 2112, length: 130_000, rate: 44_100)),
    Case(
      testDescription: "edit list after silence, moov last, 64 bits",
      file: mp4(edits: [(100, 0xFFFF_FFFF), (3_017, 1024)], film: 1000, media: 44_100, length: 134_101, isLong: true),
      gap: EncoderGap(delay: 1024, length: 133_077, rate: 44_100)),
    Case(
      testDescription: "iTunes' note wins over the edit list",
      file: mp4(edits: [(3_018, 0)], film: 1000, media: 44_100, length: 135_168, note: note(2112, 979, 132_077)),
      gap: EncoderGap(delay: 2112, length: 132_077, rate: 44_100)),
    Case(
      testDescription: "fragments of unknown length",
      file: mp4(edits: [(0, 1024)], film: 1000, media: 48_000, length: 0),
      gap: EncoderGap(delay: 1024, length: nil, rate: 48_000)),
    Case(
      testDescription: "a cut film",
      file: mp4(edits: [(500, 0), (500, 90_000)], film: 1000, media: 44_100, length: 200_000),
      gap: nil),
    Case(testDescription: "no edit list", file: mp4(edits: [], film: 1000, media: 44_100, length: 44_100), gap: nil),
    Case(testDescription: "FLAC", file: Array("fLaC".utf8) + [UInt8](repeating: 0, count: 50), gap: nil),
  ]

  @Test(arguments: cases, [1, 7, 100_000]) func findsWhatIsDeclared(_ example: Case, pieces: Int) {
    var reader = HeadReader()
    let passed = reader.read(example.file, inPiecesOf: pieces)
    #expect(reader.facts.gap == example.gap)
    // The demuxer gets the same bytes, except for the few that hide declarations.
    let changed = zip(passed, example.file).count { $0 != $1 }
    #expect(changed <= 16 && passed.firstRange(of: Array("edts".utf8)) == nil)
    // The comment is hidden only in MP4: no demuxer reads it in ID3.
    if MP4HeadReader.recognizes(example.file) { #expect(passed.firstRange(of: Array("iTunSMPB".utf8)) == nil) }
  }

  @Test func gapsBetweenReadsAreAllowed() {
    let file = Self.mp4(edits: [(3_017, 1024)], film: 1000, media: 44_100, length: 134_101)
    let head = Array(file[..<16])
    let moov = file.firstRange(of: Array("moov".utf8)).map { $0.lowerBound - 4 } ?? 0
    var reader = HeadReader()
    for range in [0..<head.count, 16..<40, moov..<moov + 30, 16..<200, moov + 30..<file.count] {
      #expect(!reader.isDone)
      _ = Array(file[range]).withUnsafeBytes { reader.read($0, at: range.lowerBound) }
    }
    #expect(reader.isDone)
    #expect(reader.facts.gap?.length == 133_077)
    #expect(reader.facts.duration == .nanoseconds(3_017_619_048))
  }

  /// Fragmented MP4: the total duration is in `sidx`, in `mehd`, or not declared.
  @Test(arguments: [1, 7, 100_000]) func theIndexDeclaresTheDurationOfFragments(pieces: Int) {
    let film = Self.box(
      "mvhd", [UInt8](repeating: 0, count: 12), Self.big(1000, 4), Self.big(500, 4), [UInt8](repeating: 0, count: 80))
    let entries = [44_100, 44_100, 22_050].flatMap { Self.big(9_000, 4) + Self.big($0, 4) + Self.big(0, 4) }
    func index(_ count: Int) -> [UInt8] {
      Self.box(
        "sidx", [0, 0, 0, 0], Self.big(1, 4), Self.big(44_100, 4), Self.big(0, 8), Self.big(count, 4),
        Array(entries.prefix(12 * count)))
    }
    let fragment = Self.box("moof", [UInt8](repeating: 0, count: 30)) + Self.box("mdat", [1, 2, 3])
    let length = Self.box("mehd", [0, 0, 0, 0], Self.big(2_750, 4))
    let cases: [(moov: [UInt8], after: [UInt8], expected: Duration?)] = [
      (Self.box("mvex", Self.box("trex", [0, 0, 0, 0])), index(3), .milliseconds(2_500)),
      (Self.box("mvex", length), [], .milliseconds(2_750)),
      (Self.box("mvex"), Self.box("free", [1]) + index(1), nil), (Self.box("mvex"), [0, 0, 0, 0, 1, 2, 3, 4], nil),
    ]
    for (moov, after, expected) in cases {
      let file = Self.box("ftyp", Array("M4A ".utf8)) + Self.box("moov", film + moov) + after + fragment
      var reader = HeadReader()
      _ = reader.read(file, inPiecesOf: pieces)
      #expect(reader.isDone && reader.facts.isFragmented)
      #expect(reader.facts.duration == expected)
    }
  }

  /// Each block is a metadata block of RFC 9639 section 8: type and contents. The first frame follows the last block.
  @Test func aTableInFLACIsRead() throws {
    let info: [UInt8] =
      [0x10, 0, 0x10, 0, 0, 0, 16, 0, 0x3D, 0x9A] + Self.big(96_000 << 44 | 1 << 41 | 23 << 36 | 2_880_000, 8)
      + [UInt8](repeating: 0, count: 16)
    let points = [(0, 0), (96_000, 500_000), (90_000, 600_000), (192_000, 400_000), (288_000, 1_500_000), (-1, 0)]
    var table: [UInt8] = []
    for (sample, offset) in points { table += Self.big(sample, 8) + Self.big(offset, 8) + [0x10, 0] }
    let cases: [(blocks: [(UInt8, [UInt8])], samples: [Int])] = [
      ([(0, info), (0x83, table)], [0, 96_000, 288_000]),
      ([(0, info), (3, table), (6, [UInt8](repeating: 7, count: 70_000)), (0x84, [])], [0, 96_000, 288_000]),
      ([(0, info), (0x84, [UInt8](repeating: 1, count: 40))], [0]), ([(0x80, info)], [0]), ([(0x84, info)], []),
    ]
    for (blocks, samples) in cases {
      var file = Array("fLaC".utf8)
      for (type, contents) in blocks { file += [type] + Self.big(contents.count, 3) + contents }
      file += [0xFF, 0xF8]
      for pieces in [1, 100, 1_000_000] {
        var reader = HeadReader()
        _ = reader.read(file, inPiecesOf: pieces)
        #expect(reader.isDone)
        #expect((reader.facts.flac?.places ?? []).map(\.sample) == samples)
        guard let flac = reader.facts.flac else { continue }
        #expect(flac.places.first?.offset == file.count - 2)
        #expect((flac.rate, flac.channels, flac.depth, flac.samples) == (96_000, 2, 24, 2_880_000))
        #expect((flac.blockSize, flac.largestFrame) == (4096, 0x3D9A))
      }
    }
  }

  /// Lengths in a station's head are ignored and hidden from the demuxer.
  @Test(arguments: [1, 7, 50, 100_000]) func lengthsOfStationsAreHidden(pieces: Int) {
    let xing = Self.mp3(tag: "Info", encoder: "LAME3.100", delay: 576, padding: 1131, frames: 117)
    let mono = Self.mp3(
      [0xFF, 0xF3, 0x40, 0xC0], tag: "Xing", encoder: "LAME3.99r", delay: 576, padding: 100, frames: 9)
    let fraunhofer: [UInt8] =
      [0xFF, 0xF3, 0x40, 0xC0] + [UInt8](repeating: 0, count: 32) + Array("VBRI".utf8) + Self.big(1, 200)
    var aiff = Array("FORM".utf8) + Self.big(9_999, 4) + Array("AIFF".utf8)
    aiff += Array("COMM".utf8) + Self.big(3, 4)
    aiff += [1, 2, 3, 0] + Array("SSND".utf8) + Self.big(9_000, 4)
    aiff += [7, 7, 7]
    func hidden(_ file: [UInt8], _ mark: String, keeping: Int = 3) -> [UInt8] {
      guard let found = file.firstRange(of: Array(mark.utf8)) else { return [] }
      var file = file
      file[found.lowerBound + keeping] = 0
      return file
    }
    let sizes = aiff.firstRange(of: Array("SSND".utf8)).map { $0.upperBound..<$0.upperBound + 4 } ?? 0..<0
    var hiddenAIFF = aiff
    hiddenAIFF.replaceSubrange(sizes, with: [0, 0, 0, 0])
    let files: [(file: [UInt8], expected: [UInt8])] = [
      (xing, hidden(xing, "Info")),
      (Self.id3([("TIT2", [0, 65])]) + mono, Self.id3([("TIT2", [0, 65])]) + hidden(mono, "Xing")),
      (fraunhofer, hidden(fraunhofer, "VBRI")), (aiff, hiddenAIFF),
    ]
    for (file, expected) in files {
      var reader = HeadReader()
      reader.source.isEndless = true
      #expect(reader.read(file, inPiecesOf: pieces) == expected)
      #expect(reader.isDone && reader.facts.gap == nil && !reader.facts.hasTable)
      var ofFile = HeadReader()
      #expect(ofFile.read(file, inPiecesOf: pieces) == file)
    }
  }

  /// The length of a concatenated file is the sum of the lengths in the tags of its parts.
  @Test func partsOfAnMP3FileAreAddedUp() throws {
    func part(frames: Int, bytes: Int) -> [UInt8] {
      let head = Self.mp3(
        tag: "Info", encoder: "LAME3.100", delay: 576, padding: 1_000, frames: frames, bytes: bytes)
      return head + [UInt8](repeating: 0x55, count: bytes - head.count)
    }
    let tags = Self.id3([("TIT2", [0, 65])])
    let v1 = Array("TAG".utf8) + [UInt8](repeating: 65, count: 125)
    let (first, second, third) = (
      part(frames: 100, bytes: 20_000), part(frames: 50, bytes: 12_000), part(frames: 30, bytes: 10_000)
    )
    let frames = 1152 * 180
    let files: [(file: [UInt8], length: Int?)] = [
      (tags + first + second + third, frames), (first + v1 + tags + second + tags + third + v1, frames),
      (first + [UInt8](repeating: 0, count: 5_000) + second + third, frames),
      // The last part has no tag, so the total length is unknown.
      (first + second + [UInt8](repeating: 0x55, count: 20_000), nil),
    ]
    for (file, length) in files {
      var reader = HeadReader()
      reader.source.size = file.count
      let passed = reader.read(file, inPiecesOf: 100_000)
      // One changed byte hides the first tag, which GStreamer then decodes as a frame of silence.
      #expect(zip(passed, file).count { $0 != $1 } == 1)
      var parts = try #require(reader.facts.parts)
      #expect(parts.gap?.delay == 1152 + 576 + 529)
      var reads = 0
      while let wanted = parts.wanted {
        #expect(parts.gap?.length == nil)
        parts.take(Array(file[wanted]))
        reads += 1
      }
      #expect(parts.gap?.length == length.map { $0 - 576 - 1_000 })
      #expect((1...6).contains(reads))
    }
    var whole = HeadReader()
    whole.source.size = first.count + v1.count
    #expect(whole.read(first + v1, inPiecesOf: 100_000) == first + v1)
    #expect(whole.facts.parts == nil && whole.facts.hasTable)
    let tag = try #require(XingTag(first))
    var unreadable = try #require(MP3Parts(first: tag, at: 0, size: 50_000, isHidden: false))
    unreadable.take([])
    #expect(unreadable.wanted == nil && unreadable.gap?.length == nil && unreadable.gap?.delay == 576 + 529)
  }

  @Test func randomBytesDoNotCrash() {
    var generator = SplitMix(state: 5)
    let files = Self.cases.map(\.file)
    for _ in 0..<3_000 {
      guard var file = files.randomElement(using: &generator) else { return }
      file = Array(file.prefix(3_000))
      for _ in 0..<4 {
        file[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      var reader = HeadReader()
      _ = file.withUnsafeBytes { reader.read($0, at: 0) }
      if let gap = reader.facts.gap { #expect(gap.start >= .zero && gap.sound(at: 192_000, from: 5).upperBound > 0) }
    }
  }

  // MARK: Files

  private static func big(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
  }

  private static func note(_ delay: Int, _ padding: Int, _ length: Int) -> String {
    " 00000000 " + [delay, padding, length].map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
      + " 00000000 00000000"
  }

  private static func id3(_ fields: [(String, [UInt8])]) -> [UInt8] {
    let frames = fields.flatMap { name, value -> [UInt8] in Array(name.utf8) + big(value.count, 4) + [0, 0] + value }
    let body = frames + [UInt8](repeating: 0, count: 20)
    let size = (0..<4).map { UInt8(body.count >> (7 * (3 - $0)) & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + body
  }

  private static func mp3(
    _ header: [UInt8] = [0xFF, 0xFB, 0x90, 0x00], tag: String, encoder: String, delay: Int, padding: Int, frames: Int,
    bytes: Int = 60_000
  ) -> [UInt8] {
    let side = header[1] & 8 != 0 ? 32 : 9
    let name = Array(encoder.utf8) + [UInt8](repeating: 0, count: 21 - encoder.utf8.count)
    let fields = big(15, 4) + big(frames, 4) + big(bytes, 4) + [UInt8](repeating: 1, count: 100) + big(50, 4)
    return header + [UInt8](repeating: 0, count: side) + Array(tag.utf8) + fields + name
      + big(delay << 12 | padding, 3) + [UInt8](repeating: 0, count: 300)
  }

  private static func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
    let body = body.flatMap { $0 }
    return big(body.count + 8, 4) + Array(type.utf8) + body
  }

  private static func mp4(
    edits: [(Int, Int)], film: Int, media: Int, length: Int, isLong: Bool = false, note: String? = nil
  ) -> [UInt8] {
    let width = isLong ? 8 : 4
    let version: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
    let times = [UInt8](repeating: 9, count: 2 * width)
    let rest = [UInt8](repeating: 0, count: 80)
    let list = edits.flatMap { edit in
      big(edit.0, width) + (edit.1 == 0xFFFF_FFFF ? [UInt8](repeating: 0xFF, count: width) : big(edit.1, width)) + [
        0, 1, 0, 0,
      ]
    }
    let sound = box(
      "trak", box("tkhd", rest), edits.isEmpty ? [] : box("edts", box("elst", version, big(edits.count, 4), list)),
      box(
        "mdia", box("mdhd", version, times, big(media, 4), big(length, width), [0, 0, 0, 0]),
        box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("soun".utf8), rest),
        box("minf", box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("url ".utf8), rest))))
    let data = note.map {
      box(
        "----", box("mean", [0, 0, 0, 0], Array("com.apple.iTunes".utf8)),
        box("name", [0, 0, 0, 0], Array("iTunSMPB".utf8)),
        box("data", [0, 0, 0, 1, 0, 0, 0, 0], Array($0.utf8)))
    }
    let other = box("----", box("name", [0, 0, 0, 0], Array("iTunNORM".utf8)), box("data", rest))
    let tags = box(
      "udta",
      box(
        "meta", [0, 0, 0, 0], box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("mdir".utf8), rest),
        box("ilst", other, data ?? [])))
    let moov = box("moov", box("mvhd", version, times, big(film, 4), big(3_017, width), rest), sound, tags)
    let sounds = [UInt8](repeating: 0x55, count: 5_000)
    let mdat = isLong ? big(1, 4) + Array("mdat".utf8) + big(sounds.count + 16, 8) + sounds : box("mdat", sounds)
    return box("ftyp", Array("M4A ".utf8), [0, 0, 0, 0]) + (isLong ? mdat + moov : moov + mdat)
  }
}
