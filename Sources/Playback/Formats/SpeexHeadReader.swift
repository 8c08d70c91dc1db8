/// Finds the encoder delay of Speex in Ogg: the samples before the stream's time zero.
///
/// A page declares the time of its last sample. If the first page of sound contains more samples than that, the extra
/// samples are before time zero.
///
/// Workaround: GStreamer plays the delay but does not count it, so that every duration and position is too small by the
/// delay.
/// - Upstream: ext/ogg/gstoggstream.c; no issue known.
/// - Test: SpeexTests.theDurationIsThatOfTheSound.
///
/// Source: RFC 3533 section 6 (pages), The Speex Codec Manual section 7.3 (header).
struct SpeexHeadReader: HeadReading {
  private enum Part { case identification, page, table }

  private static let pageHeader = 27
  private var part = Part.identification
  private var rate = 0
  private var framesPerPacket = 0
  private var endOfPage = 0
  private(set) var facts = HeadFacts()

  /// The page of the identification header: a page header of 28 bytes and a packet of 80 bytes.
  let firstSize = 108

  static func recognizes(_ head: [UInt8]) -> Bool { head[..<4].elementsEqual("OggS".utf8) && head[5] & 2 != 0 }

  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    let numbers = HeaderBytes(bytes[...], isLittleEndian: true)
    switch part {
    case .identification:
      guard numbers.text(at: 28, 8) == "Speex   ", bytes[26] == 1, let rate = numbers[64, 4], rate > 0,
        let frames = numbers[84, 4], let packet = numbers[92, 4], 1...10_000 ~= frames, packet <= 100
      else { return .done }
      self.rate = rate
      framesPerPacket = frames * max(1, packet)
      part = .page
      return .read(Self.pageHeader, at: offset + 28 + Int(bytes[27]))
    case .page:
      guard numbers.text(at: 0, 4) == "OggS", let end = numbers[6, 8] else { return .done }
      endOfPage = end
      part = .table
      return .read(max(1, Int(bytes[26])), at: offset + Self.pageHeader)
    case .table:
      let packets = bytes.count { $0 < 255 }
      // The pages of the comment header have granule position zero.
      guard endOfPage > 0 else {
        part = .page
        return .read(Self.pageHeader, at: offset + bytes.count + bytes.reduce(0) { $0 + Int($1) })
      }
      let before = packets * framesPerPacket - endOfPage
      if 1...rate ~= before { facts.prelude = .nanoseconds(before * 1_000_000_000 / rate) }
      return .done
    }
  }
}
