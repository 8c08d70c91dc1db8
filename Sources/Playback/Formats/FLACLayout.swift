/// The position of a frame in a FLAC file.
package struct FLACPlace: Sendable, Equatable {
  /// Number of the frame's first sample.
  package var sample: Int
  /// Offset of the frame's first byte.
  package var offset: Int

  package init(sample: Int, offset: Int) {
    self.sample = sample
    self.offset = offset
  }
}

/// The header of a FLAC file (RFC 9639 §8).
package struct FLACLayout: Sendable, Equatable {
  /// Samples per channel in a frame; the last frame may have fewer.
  var blockSize = 0
  /// Whether frames vary in size.
  package var isVarying = false
  var rate = 0
  var channels = 0
  /// Bits per sample.
  var depth = 0
  /// Samples per channel of the file; 0 if unknown.
  package var samples = 0
  /// Largest frame in bytes; 0 if unknown.
  var largestFrame = 0
  /// The first frame and the frames of the seek table, in order.
  package var places: [FLACPlace] = []

  /// Bytes of one uncompressed sample of all channels. Frames are hardly ever larger than their uncompressed samples.
  var bytesPerSample: Int { channels * ((depth + 7) / 8) }

  /// Declared duration, if any. flacparse does not report it if the file size is unknown.
  package var duration: Duration? {
    samples > 0 ? nanoseconds(ofSample: samples).map { .nanoseconds(Int64($0)) } : nil
  }

  /// Time of a sample in nanoseconds; nil if the rate is invalid or the time is beyond a century.
  package func nanoseconds(ofSample sample: Int) -> Int? {
    guard rate > 0 else { return nil }
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
    guard 0..<1 << 32 ~= seconds else { return nil }
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
  }
}
