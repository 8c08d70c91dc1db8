/// Encoder delay and padding that a stream declares: samples around the sound that are cut off.
package struct EncoderGap: Sendable, Equatable {
  /// Samples before the sound, including the decoder's own delay.
  let delay: Int
  /// Samples of sound; nil if its end is not declared.
  let length: Int?
  /// The rate of both counts. The decoder may deliver another one.
  let rate: Int

  /// Nil if nothing is declared, or a delay of more than a second or a sound of more than a year.
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

  /// The frames that are sound, at another rate, from `first` on.
  package func sound(at rate: Int, from first: Int64) -> Range<Int64> {
    let end = length.map { scaled($0, to: rate) } ?? .max
    return min(max(first, 0), end)..<end
  }

  private func scaled(_ samples: Int, to other: Int) -> Int64 {
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    return Int64(seconds * other + (rest * other + rate / 2) / rate)
  }
}

/// The comment `iTunSMPB` that iTunes writes to MP4 and ID3v2: hexadecimal numbers, of which the second is the delay, the
/// third the padding and the fourth the length, in samples.
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
