import Testing

@testable import Conformance

/// The structure of generated files: lengths, counts and checksums. Tests/interop plays them.
@Suite struct GeneratedFormatsTests {
  @Test func checksumsHaveTheirKnownValues() {
    let text = Array("123456789".utf8)
    #expect(CRC<UInt8>(polynomial: 0x07)(text) == 0xF4)
    #expect(CRC<UInt16>(polynomial: 0x8005)(text) == 0xFEE8)
    #expect(CRC<UInt32>(polynomial: 0x04C1_1DB7)(text) == 0x89A1_897F)
  }

  @Test func bitsAreWrittenInBothOrders() {
    var first = BitWriter(.mostSignificantFirst)
    var last = BitWriter(.leastSignificantFirst)
    first.write(0b101, bits: 3)
    first.write(0x1FF, bits: 9)
    last.write(0b101, bits: 3)
    last.write(0x1FF, bits: 9)
    #expect(first.bytes == [0b1011_1111, 0b1111_0000])
    #expect(last.bytes == [0b1111_1101, 0b0000_1111])
    first.align()
    first.write(1, bits: 8)
    #expect(first.bytes.count == 3)
  }

  @Test(arguments: [(16, 2, 1), (24, 3, 2)])
  func samplesAreBigEndian(bits: Int, width: Int, channels: Int) {
    let pcm = PCM(rate: 48_000, bits: bits, channels: channels, frames: 101)
    #expect(pcm.linear.count == 101 * width * channels)
    // The wave starts at its minimum, which is negative.
    #expect(pcm.sample(0) == -(1 << (bits - 8)))
    #expect(pcm.sample(50) == 1 << (bits - 8))
    #expect(pcm.linear.prefix(width) == pcm.linear.suffix(width * channels).prefix(width))
    #expect(pcm.linear[0] == 0xFF)
  }

  @Test(arguments: [(8000, 0x400B), (44_100, 0x400E), (192_000, 0x4010)])
  func aiffHasTheRateAsAFloatingPointNumber(rate: Int, exponent: Int) {
    let file = PCM(rate: rate, frames: 10).aiff
    #expect(big(file[4..<8]) == file.count - 8)
    #expect(big(file[22..<26]) == 10)
    #expect(big(file[28..<30]) == exponent)
    // The integer part of the significand.
    #expect(UInt64(bitPattern: Int64(big(file[30..<38]))) >> UInt64(63 - (exponent - 16_383)) == UInt64(rate))
  }

  @Test(arguments: [(44_100, 16, 44_100), (96_000, 24, 20_000), (192_000, 24, 4096)])
  func flacFramesHaveTheirChecksums(rate: Int, bits: Int, frames: Int) {
    let file = FLAC.stream(PCM(rate: rate, bits: bits, frames: frames))
    #expect(file.prefix(4) == Array("fLaC".utf8)[...])
    #expect(big(file[18..<21]) >> 4 == rate)
    #expect(big(file[21..<26]) & 0xF_FFFF_FFFF == frames)

    var rest = file[42...]
    #expect(rest.first == 0x83)
    #expect(big(rest.dropFirst(1).prefix(3)) == 18 * ((frames + rate - 1) / rate))
    rest = rest.dropFirst(4 + big(rest.dropFirst(1).prefix(3)))
    var count = 0
    while !rest.isEmpty {
      let length = min(4096, frames - count)
      count += length
      // Every frame number here has one byte; a shorter last block adds its length.
      let header = length == 4096 ? 6 : 8
      let size = header + 2 * (1 + length * bits / 8) + 2
      let frame = rest.prefix(size)
      #expect(CRC<UInt8>(polynomial: 0x07)(frame.prefix(header)) == 0)
      #expect(CRC<UInt16>(polynomial: 0x8005)(frame) == 0)
      rest = rest.dropFirst(size)
    }
    #expect(count == frames)
  }

  @Test func mp3FramesFollowEachOther() {
    var rest = MP3.stream(frames: 100)[...]
    let size = rest.count
    var count = 0
    while !rest.isEmpty {
      #expect(rest.prefix(2) == [0xFF, 0xFB])
      // 144 × bit rate / rate, and the byte of padding.
      rest = rest.dropFirst(417 + Int(rest[rest.startIndex + 2] >> 1 & 1))
      count += 1
    }
    #expect(count == 100)
    #expect(size == 100 * 1152 * 16_000 / 44_100)
  }

  @Test func adtsFramesFollowEachOther() {
    var rest = AAC.adts(frames: 10)[...]
    var count = 0
    while !rest.isEmpty {
      #expect(rest.prefix(2) == [0xFF, 0xF1])
      rest = rest.dropFirst(big(rest.dropFirst(3).prefix(3)) >> 5 & 0x1FFF)
      count += 1
    }
    #expect(count == 10)
    #expect(AAC.configuration == [0x12, 0x10])
  }

  @Test func mp4BoxesFillTheirParents() throws {
    let file = MP4.file(frames: 10)
    let boxes = try #require(Self.boxes(file[...]))
    #expect(boxes.map(\.name) == ["ftyp", "moov", "mdat"])
    let movie = try #require(Self.boxes(boxes[1].content))
    let track = try #require(Self.boxes(movie[1].content))
    let media = try #require(Self.boxes(track[1].content))
    let information = try #require(Self.boxes(media[2].content))
    let table = try #require(Self.boxes(information[2].content))
    #expect(table.map(\.name) == ["stsd", "stts", "stsc", "stsz", "stco"])
    // The offset of the only chunk.
    #expect(big(table[4].content.suffix(4)) == boxes[2].content.startIndex)
    #expect(boxes[2].content.count == 10 * AAC.rawBlock.count)
  }

  @Test(arguments: [("OpusHead", 96_312), ("\u{1}vorbis", 88_200)])
  func oggPagesHaveTheirChecksumsAndPositions(magic: String, end: Int) {
    var rest = (magic == "OpusHead" ? Opus.stream(frames: 96_000) : Vorbis.stream(frames: 88_200))[...]
    var number = 0
    var position = 0
    while !rest.isEmpty {
      #expect(rest.prefix(4) == Array("OggS".utf8)[...])
      let segments = Int(rest[rest.startIndex + 26])
      let size = 27 + segments + rest.dropFirst(27).prefix(segments).reduce(0) { $0 + Int($1) }
      var page = Array(rest.prefix(size))
      if number == 0 { #expect(page.dropFirst(28).starts(with: magic.utf8)) }
      let checksum = big(page[22..<26].reversed()[...])
      page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      #expect(Int(CRC<UInt32>(polynomial: 0x04C1_1DB7)(page)) == checksum)
      #expect(big(page[18..<22].reversed()[...]) == number)
      let granule = big(page[6..<14].reversed()[...])
      #expect(granule >= position)
      position = granule
      rest = rest.dropFirst(size)
      #expect(page[5] == (number == 0 ? 2 : 0) | (rest.isEmpty ? 4 : 0))
      number += 1
    }
    #expect(position == end)
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(name: String, content: ArraySlice<UInt8>)]? {
    var rest = bytes
    var boxes: [(name: String, content: ArraySlice<UInt8>)] = []
    while !rest.isEmpty {
      let size = big(rest.prefix(4))
      guard size >= 8, size <= rest.count else { return nil }
      boxes.append((String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), rest.prefix(size).dropFirst(8)))
      rest = rest.dropFirst(size)
    }
    return boxes
  }
}

private func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
