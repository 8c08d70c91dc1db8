/// Chooses between an exact seek and one by bit rate.
///
/// In a stream without an index, the demuxer finds the exact sample only by reading everything before it. If that is
/// too much, the position is estimated from the bit rate.
package struct SeekPlan: Sendable, Equatable {
  /// The facts about a stream that the plan depends on.
  package struct Stream: Sendable {
    /// Whether a position is found only by reading everything before it (MP3, ADTS).
    package var isWithoutIndex: Bool
    /// Whether the duration is estimated from the bit rate of the first frames, which may be far off.
    package var isEstimated: Bool
    /// Duration of the track; nil if unknown.
    package var duration: Duration?
    /// Duration that the parser reports or estimates.
    package var parserDuration: Duration?
    /// Bytes of the file; nil if unknown.
    package var size: Int?
    /// Stream time up to which the parser has built an index.
    package var indexed: Duration

    package init(
      isWithoutIndex: Bool, isEstimated: Bool, duration: Duration?, parserDuration: Duration?, size: Int?,
      indexed: Duration
    ) {
      self.isWithoutIndex = isWithoutIndex
      self.isEstimated = isEstimated
      self.duration = duration
      self.parserDuration = parserDuration
      self.size = size
      self.indexed = indexed
    }
  }

  /// Whether the seek is exact.
  package let isExact: Bool
  /// The target for the demuxer, in stream time.
  package let place: Duration

  /// - Parameters:
  ///   - target: in stream time.
  ///   - exactSeekBytes: bytes that may be read for an exact seek; four times as many if the duration is estimated.
  package init(to target: Duration, in stream: Stream, exactSeekBytes: Int) {
    isExact = Self.bytes(before: target, in: stream) <= Double(exactSeekBytes * (stream.isEstimated ? 4 : 1))
    place = isExact ? target : Self.place(byBitRate: target, in: stream)
  }

  /// Bytes to read for an exact seek.
  private static func bytes(before target: Duration, in stream: Stream) -> Double {
    guard stream.isWithoutIndex, let duration = stream.duration, duration > .zero, let size = stream.size else {
      return 0
    }
    let unknown = max(.zero, target - stream.indexed)
    return Double(size) * Double(unknown.nanoseconds) / Double(duration.nanoseconds)
  }

  /// Scales the target by the ratio of the parser's duration to the true one, since the parser converts time to bytes
  /// with the bit rate that it has seen.
  private static func place(byBitRate target: Duration, in stream: Stream) -> Duration {
    guard stream.isEstimated, let duration = stream.duration, duration > .zero,
      let estimate = stream.parserDuration, estimate > .zero
    else { return target }
    let part = min(1, Double(target.nanoseconds) / Double(duration.nanoseconds))
    return .nanoseconds(Int64(part * Double(estimate.nanoseconds)))
  }
}
