/// Format and abilities of the current track's stream, as far as they are known.
public struct StreamInfo: Sendable, Equatable {
  /// A file format of uncompressed samples.
  public enum Container: Sendable, Equatable {
    case wav, aiff
  }

  /// The codec in words, such as “Free Lossless Audio Codec (FLAC)”.
  public var codecName: String?
  /// Nil for raw samples and for other formats.
  public var container: Container?
  /// Frames per second.
  public var sampleRate: Int?
  /// Bits of a sample that carry sound; nil for lossy codecs.
  public var bitDepth: Int?
  public var channels: Int?
  /// Average bits per second of the encoded stream.
  public var bitRate: Int?
  /// Whether decoding restores every sample.
  public var lossless: Bool
  /// Whether the stream supports seeking.
  public var isSeekable: Bool
  /// Whether the stream is known to have no end, such as a station's. It cannot be resumed where it was left.
  public var isLive: Bool

  public init(
    codecName: String? = nil, container: Container? = nil, sampleRate: Int? = nil, bitDepth: Int? = nil,
    channels: Int? = nil, bitRate: Int? = nil, lossless: Bool = false, isSeekable: Bool = false, isLive: Bool = false
  ) {
    self.codecName = codecName
    self.container = container
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
    self.channels = channels
    self.bitRate = bitRate
    self.lossless = lossless
    self.isSeekable = isSeekable
    self.isLive = isLive
  }

  /// Derives the facts of a stream from its tags and the format of its decoded sound.
  /// - Parameters:
  ///   - isRaw: whether the samples came without a decoder.
  ///   - format: nil if it is not known yet.
  package init(
    tags: StreamTags, container: Container?, isRaw: Bool, format: AudioFormat?, isSeekable: Bool, isLive: Bool
  ) {
    let codec = tags.codec ?? (isRaw ? "Uncompressed PCM audio" : nil)
    self.init(
      codecName: codec, container: container, bitRate: tags.nominalBitRate ?? tags.bitRate ?? tags.measuredBitRate,
      lossless: codec.map(Self.isLossless) ?? false, isSeekable: isSeekable, isLive: isLive)
    guard let format else { return }
    sampleRate = format.rate
    channels = format.channels
    bitDepth = lossless ? format.depth : nil
    if lossless, isRaw { bitRate = bitRate ?? format.rate * format.channels * format.depth }
  }

  private static let losslessMarks = [
    "flac", "alac", "lossless", "uncompressed", "pcm", "wavpack", "monkey", "true audio", "tta", "dsd",
  ]

  /// - Parameter codecName: GStreamer's name of the codec.
  private static func isLossless(_ codecName: String) -> Bool {
    let name = codecName.lowercased()
    return losslessMarks.contains { name.contains($0) } && !name.contains("adpcm")
  }
}
