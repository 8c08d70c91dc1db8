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
  /// Significant bits of a sample; nil for lossy codecs.
  public var bitDepth: Int?
  public var channels: Int?
  /// Average bits per second of the encoded stream.
  public var bitRate: Int?
  /// Whether decoding restores every sample.
  public var lossless: Bool
  /// Whether the stream supports seeking.
  public var isSeekable: Bool
  /// Whether the stream is known to have no end, such as a station's. It cannot be resumed where it was paused.
  public var isLive: Bool
  /// Whether the server sends samples in real time, and they follow its clock (`PlayerSettings.liveDelay`).
  public var isPaced = false

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
  ///   - encodedDepth: bits of a sample that the encoded stream declares. The decoder may output more.
  package init(
    tags: StreamTags, container: Container?, isRaw: Bool, format: AudioFormat?, encodedDepth: Int? = nil,
    isSeekable: Bool, isLive: Bool
  ) {
    let codec = tags.codec ?? (isRaw ? "Uncompressed PCM audio" : nil)
    self.init(
      codecName: codec, container: container, bitRate: tags.nominalBitRate ?? tags.bitRate ?? tags.measuredBitRate,
      lossless: codec.map(Self.isLossless) ?? false, isSeekable: isSeekable, isLive: isLive)
    guard let format else { return }
    sampleRate = format.rate
    channels = format.channels
    bitDepth = lossless ? min(format.depth, encodedDepth ?? format.depth) : nil
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

/// Tags of a stream, or of one message; nil for missing tags.
package struct StreamTags: Sendable, Equatable {
  package var codec: String?
  package var bitRate: Int?
  package var nominalBitRate: Int?
  /// Measured, for streams that do not declare a bit rate.
  package var measuredBitRate: Int?
  /// The texts of a file or of what a live stream plays now.
  package var texts = TrackTags()
  /// Number of links of a chained stream before the current one; in a message, 1 if a link starts.
  package var linksBefore = 0
  package var replayGain: ReplayGainTags?

  package init(
    codec: String? = nil, bitRate: Int? = nil, nominalBitRate: Int? = nil, measuredBitRate: Int? = nil,
    texts: TrackTags = TrackTags(), linksBefore: Int = 0, replayGain: ReplayGainTags? = nil
  ) {
    self.codec = codec
    self.bitRate = bitRate
    self.nominalBitRate = nominalBitRate
    self.measuredBitRate = measuredBitRate
    self.texts = texts
    self.linksBefore = linksBefore
    self.replayGain = replayGain
  }

  /// Adds later tags. Each change is evented, so a new bit rate must differ by more than a tenth.
  package mutating func add(_ new: StreamTags) {
    codec = new.codec ?? codec
    Self.update(&bitRate, to: new.bitRate)
    Self.update(&measuredBitRate, to: new.measuredBitRate)
    nominalBitRate = new.nominalBitRate ?? nominalBitRate
    // Nothing that was said about the former link is true for the next one.
    if new.linksBefore > 0 { texts = TrackTags() }
    linksBefore += new.linksBefore
    texts.add(new.texts)
    replayGain = new.replayGain ?? replayGain
  }

  private static func update(_ rate: inout Int?, to new: Int?) {
    if let new, abs(new - (rate ?? 0)) > (rate ?? 0) / 10 { rate = new }
  }
}

/// Measures the average bit rate of an encoded stream where it enters the decoder.
///
/// ALAC and Opus streams, among others, do not declare a bit rate.
package struct BitRateMeter {
  private var bytes: Int64 = 0
  private var nanoseconds: Int64 = 0
  /// The measured length at which the next average is reported.
  private var nextReport: Int64 = 100_000_000

  package init() {}

  /// Adds a packet.
  /// - Parameter nanoseconds: the packet's duration.
  /// - Returns: the average in bits per second, after 0.1 s and whenever the measured length has doubled since.
  package mutating func add(bytes: Int, nanoseconds: Int64) -> Int? {
    guard nanoseconds > 0 else { return nil }
    let (length, overflows) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    guard !overflows else { return nil }
    self.nanoseconds = length
    self.bytes += Int64(bytes)
    guard length >= nextReport else { return nil }
    while nextReport <= length {
      let (next, overflows) = nextReport.multipliedReportingOverflow(by: 2)
      nextReport = overflows ? .max : next
      if overflows { break }
    }
    return Int(clamping: Int64((Double(self.bytes) * 8e9 / Double(length)).rounded()))
  }
}
