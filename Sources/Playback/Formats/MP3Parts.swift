/// Adds up the parts of a concatenated MP3 file. Each part begins with its own tag.
///
/// A pure state machine: `wanted` is the range of the file to read next.
///
/// Workaround: mpegaudioparse applies the length and padding of the first tag to the whole file.
/// - Upstream: gst/audioparsers/gstmpegaudioparse.c; no issue known.
/// - Test: MP3KindsTests.aCatenatedFileHasTheDurationOfBothParts.
package struct MP3Parts: Sendable, Equatable {
  /// If fewer bytes follow the first part, they are assumed to be tags.
  package static let shortest = 8 << 10
  private static let readSize = 4 << 10
  private static let maximumReads = 256

  private let size: Int
  private let header: MP3FrameHeader
  private let delay: Int?
  /// Samples before the first part: GStreamer decodes the hidden tag as a frame of sound.
  private let before: Int
  private var padding: Int?
  private var frames: Int
  private var next: Int
  private var reads = 0
  /// Whether data follows that is neither a part nor tags.
  private var isUnknown = false

  /// Nil if there is only one part.
  /// - Parameters:
  ///   - first: the tag of the first part.
  ///   - offset: offset of the first part in the file.
  ///   - size: size of the file in bytes.
  ///   - isHidden: whether the first tag is hidden from GStreamer.
  init?(first: XingTag, at offset: Int, size: Int?, isHidden: Bool) {
    guard let size, let bytes = first.bytes, size - offset - bytes >= Self.shortest else { return nil }
    self.size = size
    header = first.header
    delay = first.encoder?.delay
    padding = first.encoder?.padding
    before = isHidden ? header.samplesPerFrame : 0
    frames = first.frames
    next = offset + bytes
  }

  /// The bytes to read next; nil if all parts are known, or if they cannot be determined.
  package var wanted: Range<Int>? {
    guard !isUnknown, reads < Self.maximumReads, next + XingTag.frameSize <= size else { return nil }
    return next..<min(next + Self.readSize, size)
  }

  /// - Parameter bytes: the bytes read from `wanted`; empty if they cannot be read.
  package mutating func take(_ bytes: [UInt8]) {
    guard let wanted else { return }
    reads += 1
    while next < wanted.upperBound {
      let rest = Array(bytes.dropFirst(next - wanted.lowerBound).prefix(XingTag.frameSize))
      guard let length = Self.tagSize(rest) ?? partSize(rest) else {
        // The header of a tag or part may be cut off here; if so, it is read again from its beginning.
        isUnknown = rest.count == XingTag.frameSize || next == wanted.lowerBound
        return
      }
      next += length
    }
  }

  /// Delay and length of all parts together. The length is nil until all parts are known.
  package var gap: EncoderGap? {
    let isKnown = !isUnknown && wanted == nil && reads < Self.maximumReads
    let length = frames * header.samplesPerFrame - (delay ?? 0) - (padding ?? 0)
    return EncoderGap(
      delay: before + (delay.map { $0 + MP3HeadReader.decoderDelay } ?? 0), length: isKnown ? length : nil,
      rate: header.rate)
  }

  private mutating func partSize(_ bytes: [UInt8]) -> Int? {
    guard let tag = XingTag(bytes), tag.header.rate == header.rate else { return nil }
    frames += tag.frames * tag.header.samplesPerFrame / header.samplesPerFrame
    padding = tag.encoder?.padding
    return max(1, tag.bytes ?? size - next)
  }

  /// The size of ID3 and APE tags or zero padding between parts.
  private static func tagSize(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == 0 { return bytes.prefix { $0 == 0 }.count }
    if bytes.starts(with: "TAG".utf8) { return 128 }
    if bytes.starts(with: "ID3".utf8), bytes.count >= 10 {
      return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    if bytes.starts(with: "APETAGEX".utf8), bytes.count >= 32 {
      return 32 + bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    return nil
  }
}
