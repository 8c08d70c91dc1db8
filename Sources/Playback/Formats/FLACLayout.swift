/// Where a frame of a FLAC file begins.
package struct FLACPlace: Sendable, Equatable {
  /// Its first sample, counted from the beginning of the sound.
  package var sample: Int
  /// Its first byte.
  package var offset: Int

  package init(sample: Int, offset: Int) {
    self.sample = sample
    self.offset = offset
  }
}

/// What a FLAC file says of itself before its first frame (RFC 9639 section 8).
package struct FLACLayout: Sendable, Equatable {
  /// Samples of each channel in a frame; the last one may have fewer.
  var blockSize = 0
  /// Whether frames have fewer as they like.
  package var isVarying = false
  var rate = 0
  var channels = 0
  /// Bits of a sample.
  var depth = 0
  /// Samples of each channel in all; 0 if it does not say.
  package var samples = 0
  /// Bytes of a frame, at most; 0 if it does not say.
  var largestFrame = 0
  /// Where the first frame begins, and others that its table of places knows, in their order.
  package var places: [FLACPlace] = []

  /// How much one sample of all channels takes, at most, as good as no frame being larger than what it holds.
  var bytesPerSample: Int { channels * ((depth + 7) / 8) }

  /// How long the sound is, if it says so. GStreamer's parser does not tell where the file's size is unknown.
  package var duration: Duration? {
    samples > 0 ? nanoseconds(ofSample: samples).map { .nanoseconds(Int64($0)) } : nil
  }

  /// When a sample is heard, in nanoseconds; nil if the rate is none, or a header claims hundreds of years.
  package func nanoseconds(ofSample sample: Int) -> Int? {
    guard rate > 0 else { return nil }
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
    guard 0..<1 << 32 ~= seconds else { return nil }
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
  }
}
