/// What an encoder has put around the sound, as the stream declares it: samples that are not to be heard.
package struct EncoderGap: Sendable, Equatable {
  /// Samples in front of the sound, the decoder's own delay among them.
  let delay: Int
  /// Samples of sound; nil if nobody says where it ends.
  let length: Int?
  /// Samples a second that both are counted in; the decoder may give another rate.
  let rate: Int

  /// Nil if nothing is declared, or what makes no sense: a delay of more than a second, or a sound of more than a year.
  init?(delay: Int, length: Int?, rate: Int) {
    guard rate >= 1000, rate <= 1_000_000, (0...rate).contains(delay), delay > 0 || length != nil else { return nil }
    if let length { guard length > 0, length / rate < 366 * 86_400 else { return nil } }
    (self.delay, self.length, self.rate) = (delay, length, rate)
  }

  /// How long what is in front of the sound is.
  package var start: Duration { .nanoseconds(scaled(delay, to: 1_000_000_000)) }

  /// How long the sound is, if that is declared.
  package var duration: Duration? { length.map { .nanoseconds(scaled($0, to: 1_000_000_000)) } }

  /// The delay in frames of another rate.
  package func delay(at rate: Int) -> Int64 { scaled(delay, to: rate) }

  /// Which frames of the track are sound, at another rate and from one of them on.
  package func sound(at rate: Int, from first: Int64) -> Range<Int64> {
    let end = length.map { scaled($0, to: rate) } ?? .max
    return min(max(first, 0), end)..<end
  }

  private func scaled(_ samples: Int, to other: Int) -> Int64 {
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    return Int64(seconds * other + (rest * other + rate / 2) / rate)
  }
}
