/// The length of a track, with its certainty.
package enum TrackDuration: Sendable, Equatable {
  /// The stream or the item declares it, or it is estimated.
  case declared(Duration)
  /// The stream was decoded to its end.
  case exact(Duration)
  /// The stream is longer than the declared duration.
  case outlived
}

extension Duration {
  /// Longer tracks are errors. The largest number of milliseconds in 31 bits is 597 hours.
  private static let longestTrack = Duration.seconds(500 * 3600)

  /// The duration of a track; nil if it cannot be one. Senders of live streams declare zero.
  package var asLength: Duration? { self > .zero && self <= Self.longestTrack ? self : nil }

  /// Chooses between an estimate from the bit rate and the item's duration. The item's is usually right, since a media
  /// server has read the whole file. If they agree within a second, the estimate is more precise.
  package func orDeclared(_ declared: Duration?) -> Duration {
    guard let declared else { return self }
    let isSame = abs(declared.nanoseconds - nanoseconds) < min(1_000_000_000, declared.nanoseconds / 100)
    return isSame ? self : declared
  }
}
