import Glibc

/// Whether tracks are brought to one loudness, by what their tags say of it.
public struct ReplayGainSettings: Sendable, Equatable {
  public enum Mode: String, Sendable, CaseIterable {
    case off
    /// Every track to the same loudness.
    case track
    /// Every album to the same loudness; within an album the differences stay.
    case album
  }

  public var mode: Mode
  /// Decibels on top of what the tags say.
  public var preamp: Double
  /// Decibels for tracks without such tags.
  public var fallback: Double

  public init(mode: Mode = .off, preamp: Double = 0, fallback: Double = 0) {
    self.mode = mode
    self.preamp = preamp
    self.fallback = fallback
  }

  /// The factor on a track's samples; nil when off. It is no greater than the peak in the tags leaves room for: what the
  /// gain would push over full scale is better a little softer than cut off or pressed down.
  /// - Parameter tags: nil for a track that says nothing.
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
