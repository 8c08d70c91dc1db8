/// Writes AAC in MP4 files (ISO/IEC 14496-12, 14496-14), with the index before the audio.
enum MP4 {
  /// One audio track of ``AAC/rawBlock``.
  static func file(frames: Int) -> [UInt8] {
    let type = box("ftyp", Array("M4A ".utf8) + words(0) + Array("M4A mp42isom".utf8))
    // The size of the index does not depend on the offset in it.
    let offset = type.count + index(frames: frames, offset: 0).count + 8
    let audio = (0..<frames).flatMap { _ in AAC.rawBlock }
    return type + index(frames: frames, offset: offset) + box("mdat", audio)
  }

  private static func index(frames: Int, offset: Int) -> [UInt8] {
    let duration = frames * AAC.frameLength
    // Times, time scale, duration, speed 1, volume 1, reserved; matrix; predefined; next track.
    let header =
      words(0, 0, 0, AAC.rate, duration, 0x10000, 0x0100_0000, 0, 0) + matrix + words(0, 0, 0, 0, 0, 0, 2)
    return box("moov", box("mvhd", header) + track(frames: frames, duration: duration, offset: offset))
  }

  private static func track(frames: Int, duration: Int, offset: Int) -> [UInt8] {
    // Enabled and in the movie; track 1; volume 1.
    let header = words(7, 0, 0, 1, 0, duration, 0, 0, 0, 0x0100_0000) + matrix + words(0, 0)
    // The language "und" in three groups of five bits.
    let mediaHeader = words(0, 0, 0, AAC.rate, duration, 0x55C4_0000)
    let handler = words(0, 0) + Array("soun".utf8) + words(0, 0, 0) + [0]
    let reference = box("dref", words(0, 1) + box("url ", words(1)))
    let media =
      box("mdhd", mediaHeader) + box("hdlr", handler)
      + box("minf", box("smhd", words(0, 0)) + box("dinf", reference) + samples(frames: frames, offset: offset))
    return box("trak", box("tkhd", header) + box("mdia", media))
  }

  /// The sample table: all frames have the same length and size, and are in one chunk.
  private static func samples(frames: Int, offset: Int) -> [UInt8] {
    // Data reference 1; two channels of 16 bits; the rate as 16.16 bits.
    let entry =
      words(0, 1, 0, 0, 2 << 16 | 16, 0, AAC.rate << 16)
      + box("esds", words(0) + descriptor(3, [0, 1, 0] + decoder + descriptor(6, [2])))
    let table =
      box("stsd", words(0, 1) + box("mp4a", entry)) + box("stts", words(0, 1, frames, AAC.frameLength))
      + box("stsc", words(0, 1, 1, frames, 1)) + box("stsz", words(0, AAC.rawBlock.count, frames))
      + box("stco", words(0, 1, offset))
    return box("stbl", table)
  }

  /// A `DecoderConfigDescriptor`: MPEG-4 audio, an audio stream, without buffer size and bit rates.
  private static var decoder: [UInt8] {
    descriptor(4, [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + descriptor(5, AAC.configuration))
  }

  /// A descriptor of less than 128 bytes.
  private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, UInt8(content.count)] + content
  }

  /// The identity transformation.
  private static let matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)

  private static func words(_ values: Int...) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { bytes.append(bigEndian: UInt32(truncatingIfNeeded: value)) }
    return bytes
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    words(content.count + 8) + Array(name.utf8) + content
  }
}
