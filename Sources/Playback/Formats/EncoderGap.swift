/// Encoder delay and padding that a stream declares: samples before and after the sound that must be cut off.
package struct EncoderGap: Sendable, Equatable {
  /// Number of samples before the sound, including the decoder's own delay.
  let delay: Int
  /// Number of samples of sound; nil if the end is not declared.
  let length: Int?
  /// Sample rate of `delay` and `length`. The decoder may output another rate.
  let rate: Int

  /// Nil if nothing is declared, if the delay exceeds a second, or if the sound exceeds a year.
  init?(delay: Int, length: Int?, rate: Int) {
    guard rate >= 1000, rate <= 1_000_000, (0...rate).contains(delay), delay > 0 || length != nil else { return nil }
    if let length { guard length > 0, length / rate < 366 * 86_400 else { return nil } }
    (self.delay, self.length, self.rate) = (delay, length, rate)
  }

  /// Duration of the samples before the sound.
  package var start: Duration { .nanoseconds(scaled(delay, to: 1_000_000_000)) }

  /// Duration of the sound, if declared.
  package var duration: Duration? { length.map { .nanoseconds(scaled($0, to: 1_000_000_000)) } }

  /// The delay in frames of another rate.
  package func delay(at rate: Int) -> Int64 { scaled(delay, to: rate) }

  /// The range of frames that are sound, at another rate, starting at `first` or later.
  package func sound(at rate: Int, from first: Int64) -> Range<Int64> {
    let end = length.map { scaled($0, to: rate) } ?? .max
    return min(max(first, 0), end)..<end
  }

  private func scaled(_ samples: Int, to other: Int) -> Int64 {
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    return Int64(seconds * other + (rest * other + rate / 2) / rate)
  }
}

/// The comment `iTunSMPB` that iTunes writes to MP4 files and ID3v2 tags: hexadecimal numbers. The second is the delay,
/// the third the padding and the fourth the length, all in samples.
struct ITunesGap: Equatable {
  /// Larger numbers are rejected, since calculations could overflow.
  private static let largest = 1 << 48

  static let name = Array("iTunSMPB".utf8)

  let delay: Int
  let length: Int

  /// Nil if the text is not such a comment.
  init?(_ text: String) {
    let numbers = text.split { !$0.isHexDigit }.prefix(4).map { Int($0, radix: 16) ?? -1 }
    guard numbers.count == 4, (0...Self.largest).contains(numbers[1]), (1...Self.largest).contains(numbers[3]) else {
      return nil
    }
    (delay, length) = (numbers[1], numbers[3])
  }
}
