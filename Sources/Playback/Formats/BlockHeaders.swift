// Parsers of the header fields that describe samples. Each function gets the bytes of one chunk, at least as many as
// its format has, and returns nil for unknown formats.

/// Reads numbers in a header.
struct HeaderBytes {
  let bytes: ArraySlice<UInt8>
  let isLittleEndian: Bool

  init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) {
    (self.bytes, self.isLittleEndian) = (bytes, isLittleEndian)
  }

  /// The unsigned number of `count` bytes at an index; nil beyond the end.
  func number(at index: Int, _ count: Int) -> UInt64? {
    guard index + count <= bytes.count else { return nil }
    let slice = bytes.dropFirst(index).prefix(count)
    return (isLittleEndian ? Array(slice.reversed()) : Array(slice)).reduce(0) { $0 << 8 | UInt64($1) }
  }

  subscript(index: Int, count: Int) -> Int? { number(at: index, count).flatMap(Int.init(exactly:)) }

  func text(at index: Int, _ count: Int) -> String {
    String(decoding: bytes.dropFirst(index).prefix(count), as: UTF8.self)
  }
}

extension BlockLayout {
  /// WAVEFORMATEX: the format chunk of WAV and of Wave64 (Microsoft, Multimedia Data Standards Update 3.0).
  init?(waveFormat chunk: HeaderBytes) {
    guard var tag = chunk[0, 2], let channels = chunk[2, 2], let rate = chunk[4, 4], let align = chunk[12, 2],
      let bits = chunk[14, 2], channels > 0
    else { return nil }
    // In WAVE_FORMAT_EXTENSIBLE, the format tag is at the start of the subformat GUID.
    if tag == 0xFFFE { tag = chunk[24, 2] ?? 0 }
    let perChannel = align / channels
    switch tag {
    case 1 where bits <= 8:
      self.init(coding: .raw("U8"), rate: rate, channels: channels, bytesPerBlock: channels)
    case 1, 3:
      self.init(rawWidth: perChannel, isFloat: tag == 3, isLittleEndian: true, rate: rate, channels: channels)
    case 6: self.init(coding: .aLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case 7: self.init(coding: .muLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case 2 where bits == 4 && perChannel > 7:
      // The first seven bytes of each channel hold two frames, each further byte two more.
      self.init(
        coding: .microsoftADPCM, rate: rate, channels: channels, bytesPerBlock: align,
        framesPerBlock: (perChannel - 7) * 2 + 2)
    case 0x11 where bits == 4 && perChannel > 4:
      // The first four bytes of each channel hold one frame, each further byte two more.
      self.init(
        coding: .imaADPCM, rate: rate, channels: channels, bytesPerBlock: align,
        framesPerBlock: (perChannel - 4) * 2 + 1)
    default: return nil
    }
  }

  /// The Audio Description chunk of CAF (Apple, Core Audio Format Specification 1.0).
  init?(coreAudio chunk: HeaderBytes) {
    guard let pattern = chunk.number(at: 0, 8), let flags = chunk[12, 4], let bytesPerPacket = chunk[16, 4],
      let framesPerPacket = chunk[20, 4], let channels = chunk[24, 4], channels > 0, framesPerPacket == 1,
      let rate = Int(exactly: Double(bitPattern: pattern).rounded())
    else { return nil }
    switch chunk.text(at: 8, 4) {
    case "lpcm":
      self.init(
        rawWidth: bytesPerPacket / channels, isFloat: flags & 1 != 0, isLittleEndian: flags & 2 != 0, rate: rate,
        channels: channels)
    case "alaw": self.init(coding: .aLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case "ulaw": self.init(coding: .muLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    default: return nil
    }
  }

  /// The Common chunk of AIFF-C, if the samples are companded (Apple, Audio Interchange File Format AIFF-C).
  /// GStreamer's parser plays all other kinds of AIFF.
  init?(companded chunk: HeaderBytes) {
    guard let channels = chunk[0, 2], let exponent = chunk[8, 2], let mantissa = chunk.number(at: 10, 8),
      16_383..<16_383 + 32 ~= exponent
    else { return nil }
    // The rate is an 80-bit floating-point number.
    let rate = Int(mantissa >> UInt64(16_383 + 63 - exponent))
    switch chunk.text(at: 18, 4).lowercased() {
    case "alaw": self.init(coding: .aLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case "ulaw": self.init(coding: .muLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    default: return nil
    }
  }

  /// The header of AU, without its magic number (Sun, audio file format).
  init?(sun header: HeaderBytes) {
    guard let start = header[0, 4], let length = header[4, 4], let encoding = header[8, 4], let rate = header[12, 4],
      let channels = header[16, 4], start >= 24
    else { return nil }
    switch encoding {
    case 1: self.init(coding: .muLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case 27: self.init(coding: .aLaw, rate: rate, channels: channels, bytesPerBlock: channels)
    case 2...5, 6, 7:
      let width = encoding < 6 ? encoding - 1 : encoding == 6 ? 4 : 8
      self.init(
        rawWidth: width, isFloat: encoding >= 6, isLittleEndian: header.isLittleEndian, rate: rate, channels: channels)
    default: return nil
    }
    self.start = start
    if length > 0, !UnknownSize.contains(length) { self.length = length }
  }
}

/// Content types of raw samples without a header: `audio/L16` (RFC 2586) and `audio/L24` (RFC 3190).
///
/// Samples are signed, interleaved and packed, with the most significant byte first.
package enum LinearPCMType {
  private static let widths = ["audio/l16": 2, "audio/l24": 3]

  /// The layout that a content type declares; nil for other types and impossible values. If the rate, which both RFCs
  /// require, is missing, CD format is assumed (44.1 kHz, stereo). Otherwise the default is one channel.
  package static func layout(_ contentType: String) -> BlockLayout? {
    let parts = contentType.lowercased().split(separator: ";", omittingEmptySubsequences: false)
    guard let type = parts.first.map(trimmed), let width = widths[String(type)] else { return nil }
    var values: [Substring: Int] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      values[trimmed(pair[0])] = Int(trimmed(pair[1])) ?? 0
    }
    let rate = values["rate"]
    return BlockLayout(
      rawWidth: width, isLittleEndian: false, rate: rate ?? 44_100,
      channels: values["channels"] ?? (rate == nil ? 2 : 1))
  }

  /// Removes surrounding white space and quotation marks.
  private static func trimmed(_ text: Substring) -> Substring {
    let outside: Set<Character> = [" ", "\t", "\""]
    let start = text.drop { outside.contains($0) }
    guard let last = start.lastIndex(where: { !outside.contains($0) }) else { return "" }
    return start[...last]
  }
}
