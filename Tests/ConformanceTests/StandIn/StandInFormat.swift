/// Properties of a file that the stand-in player needs, from its first bytes and the server's answer.
struct StandInFormat: Equatable {
  /// The offset of the first byte of sound.
  var dataStart: Int
  var bytesPerSecond: Int
  /// Nil for an endless stream.
  var duration: Duration?
  /// The sample rate; nil unless it is a WAV file.
  var rate: Int?

  /// The number of bytes that ``init(_:type:length:announced:)`` needs.
  static let headSize = 44

  /// The signatures of FLAC, AIFF, Ogg, MP3 and AAC, and of MP4 at offset 4.
  private static let marks: [(offset: Int, bytes: [UInt8])] = [
    (0, Array("fLaC".utf8)), (0, Array("FORM".utf8)), (0, Array("OggS".utf8)), (0, [0xFF, 0xFB]), (0, [0xFF, 0xF1]),
    (4, Array("ftyp".utf8)),
  ]

  /// - Parameters:
  ///   - head: the first bytes.
  ///   - type: the Content-Type.
  ///   - length: the length of the file, if the server announces it.
  ///   - announced: the duration in the metadata.
  /// - Returns: nil if the file cannot be played.
  init?(_ head: [UInt8], type: String, length: Int?, announced: Duration?) {
    func number(at index: Int) -> Int { (0..<4).reduce(0) { $0 | Int(head[index + $1]) << (8 * $1) } }
    guard head.count >= Self.headSize else { return nil }
    if head.starts(with: Array("RIFF".utf8)), number(at: 28) > 0 {
      dataStart = 44
      rate = number(at: 24)
      bytesPerSecond = number(at: 28)
      duration = .seconds(Double(number(at: 40)) / Double(bytesPerSecond))
      return
    }
    let isMarked = Self.marks.contains { head.dropFirst($0.offset).starts(with: $0.bytes) }
    guard isMarked || type.hasPrefix("audio/L") else { return nil }
    dataStart = 0
    duration = announced
    bytesPerSecond = 16_000
    if let length, let announced {
      let seconds = announced / .seconds(1)
      bytesPerSecond = max(1, Int(Double(length) / seconds))
    }
  }
}
