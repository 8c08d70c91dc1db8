/// Where a demuxer is sent to reach a place in a track.
///
/// A stream without an index is read from its beginning to find the exact sample, unless that is too much. Then its bit
/// rate says roughly where the place is.
package struct SeekPlan: Sendable, Equatable {
  /// What the plan depends on.
  package struct Stream: Sendable {
    /// Whether a place is found by reading everything before it (MP3, ADTS).
    package var isWithoutIndex: Bool
    /// Whether the length is estimated by the bit rate of the beginning, which may be far off.
    package var isEstimated: Bool
    /// Length of the track; nil if unknown.
    package var duration: Duration?
    /// Length as the parser declares or estimates it.
    package var parserDuration: Duration?
    /// Bytes of the file; nil if unknown.
    package var size: Int?
    /// Stream time that the parser has indexed, from the beginning.
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

  /// Whether the place is found exactly.
  package let isExact: Bool
  /// The place for the demuxer, in stream time.
  package let place: Duration

  /// - Parameters:
  ///   - target: in stream time.
  ///   - exactSeekBytes: bytes that may be read to find a place exactly; four times as many if the length is estimated.
  package init(to target: Duration, in stream: Stream, exactSeekBytes: Int) {
    isExact = Self.bytes(before: target, in: stream) <= Double(exactSeekBytes * (stream.isEstimated ? 4 : 1))
    place = isExact ? target : Self.place(byBitRate: target, in: stream)
  }

  /// Bytes to read to find a place exactly.
  private static func bytes(before target: Duration, in stream: Stream) -> Double {
    guard stream.isWithoutIndex, let duration = stream.duration, duration > .zero, let size = stream.size else {
      return 0
    }
    let unknown = max(.zero, target - stream.indexed)
    return Double(size) * Double(unknown.nanoseconds) / Double(duration.nanoseconds)
  }

  /// The same fraction of the parser's length as the target is of the true length: the parser calculates with the bit rate
  /// that it has seen.
  private static func place(byBitRate target: Duration, in stream: Stream) -> Duration {
    guard stream.isEstimated, let duration = stream.duration, duration > .zero,
      let estimate = stream.parserDuration, estimate > .zero
    else { return target }
    let part = min(1, Double(target.nanoseconds) / Double(duration.nanoseconds))
    return .nanoseconds(Int64(part * Double(estimate.nanoseconds)))
  }
}
