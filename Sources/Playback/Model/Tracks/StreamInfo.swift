/// What the current track is made of, as far as it is known.
public struct StreamInfo: Sendable, Equatable {
  /// A file format of uncompressed samples.
  public enum Container: Sendable, Equatable {
    case wav, aiff
  }

  /// The codec in words, such as “Free Lossless Audio Codec (FLAC)”.
  public var codecName: String?
  /// Nil for raw samples and for other formats.
  public var container: Container?
  /// Frames a second.
  public var sampleRate: Int?
  /// Bits of a sample that carry sound; nil for lossy codecs that have no such thing.
  public var bitDepth: Int?
  public var channels: Int?
  /// Bits a second of the encoded stream, on average.
  public var bitRate: Int?
  /// Whether every sample is as it was before encoding.
  public var lossless: Bool
  /// Whether one can move about in it.
  public var isSeekable: Bool
  /// A stream that is known to have no end, such as a station's: it cannot be taken up where it was left.
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
}
