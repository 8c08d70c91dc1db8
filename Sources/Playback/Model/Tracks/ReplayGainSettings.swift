import Glibc

/// Whether and how ReplayGain tags set the loudness of tracks.
public struct ReplayGainSettings: Sendable, Equatable {
  public enum Mode: String, Sendable, CaseIterable {
    case off
    /// All tracks get the same loudness.
    case track
    /// All albums get the same loudness. Differences within an album stay.
    case album
  }

  public var mode: Mode
  /// Decibels added to the gain in the tags.
  public var preamp: Double
  /// Decibels for tracks without tags.
  public var fallback: Double

  public init(mode: Mode = .off, preamp: Double = 0, fallback: Double = 0) {
    self.mode = mode
    self.preamp = preamp
    self.fallback = fallback
  }

  /// The factor on a track's samples; nil when off. Limited by the peak in the tags, so that nothing is clipped or
  /// compressed.
  /// - Parameter tags: nil for a track without tags.
  package func factor(for tags: ReplayGainTags?) -> Double? {
    let (own, other): (ReplayGainTags.Value?, ReplayGainTags.Value?)
    switch mode {
    case .off: return nil
    case .track: (own, other) = (tags?.track, tags?.album)
    case .album: (own, other) = (tags?.album, tags?.track)
    }
    guard let value = own ?? other else { return pow(10, fallback / 20) }
    let factor = pow(10, (value.gain + preamp) / 20)
    guard let peak = value.peak, peak > 0 else { return factor }
    return min(factor, 1 / peak)
  }
}
