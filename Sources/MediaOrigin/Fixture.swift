/// One audio file and, where its coding is lossless, its samples.
public struct Fixture: Sendable, Equatable {
  /// How samples lie in memory; all are signed and little-endian.
  public enum SampleFormat: Sendable {
    /// 16 bits; of 24-bit fixtures the 16 most significant.
    case s16LE
    /// 24 bits in three bytes.
    case s24LE
    /// 24 bits in the lower three of four bytes, sign-extended.
    case s24In32LE
    /// 32 bits, the fixture's own bits at the top.
    case s32LE
  }

  /// The file's name.
  public let name: String
  /// The file's absolute path.
  public let path: String
  /// Frames a second.
  public let rate: Int
  /// Significant bits of a sample.
  public let bits: Int
  /// Samples of a frame.
  public let channels: Int
  /// Frames in all; before the encoder's padding, where the coding is lossy.
  public let frames: Int

  /// The file of its samples: interleaved, packed, in as many bytes as they have; nil if the coding is lossy.
  public let samplesPath: String?

  /// A line of `index.tsv`; nil if it is none.
  init?(line: Substring, folder: String) {
    let fields = line.split(separator: "\t")
    guard fields.count == 6, let rate = Int(fields[1]), let bits = Int(fields[2]), let channels = Int(fields[3]),
      let frames = Int(fields[4])
    else { return nil }
    name = String(fields[0])
    path = "\(folder)/\(fields[0])"
    self.rate = rate
    self.bits = bits
    self.channels = channels
    self.frames = frames
    samplesPath = fields[5] == "-" ? nil : "\(folder)/\(fields[5])"
  }

  /// How long the sound is.
  public var duration: Duration { .seconds(Double(frames) / Double(rate)) }

  /// The samples, interleaved, left-justified in 32 bits.
  ///
  /// - Throws: ``Fixtures/Failure/missing(_:)`` if the coding is lossy.
  public func samples() throws(Fixtures.Failure) -> [Int32] {
    guard let samplesPath, let content = Resource.file(samplesPath).open() else { throw .missing(name) }
    let bytes = content.read(0..<content.size)
    let width = bits / 8
    return (0..<bytes.count / width).map { sample in
      (0..<width).reduce(Int32(0)) { value, byte in
        value | Int32(truncatingIfNeeded: UInt32(bytes[sample * width + byte]) << UInt32(8 * (4 - width + byte)))
      }
    }
  }

  /// The samples as bytes in the given layout.
  ///
  /// - Throws: ``Fixtures/Failure/missing(_:)`` if the coding is lossy.
  public func pcm(_ format: SampleFormat) throws(Fixtures.Failure) -> [UInt8] {
    let (width, shift): (Int, Int32) =
      switch format {
      case .s16LE: (2, 16)
      case .s24LE: (3, 8)
      case .s24In32LE: (4, 8)
      case .s32LE: (4, 0)
      }
    let samples = try samples()
    return [UInt8](unsafeUninitializedCapacity: samples.count * width) { buffer, count in
      for sample in samples {
        var rest = sample >> shift
        for _ in 0..<width {
          buffer[count] = UInt8(truncatingIfNeeded: rest)
          count += 1
          rest >>= 8
        }
      }
    }
  }
}
