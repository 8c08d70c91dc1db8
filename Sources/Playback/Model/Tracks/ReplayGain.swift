import Glibc

/// How ReplayGain tags adjust the loudness of tracks.
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

  /// The factor for a track's samples; nil when off. Limited by the tagged peak, so that nothing clips.
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

/// The ReplayGain tags of a track.
package struct ReplayGainTags: Sendable, Equatable {
  struct Value: Sendable, Equatable {
    /// Gain in decibels to reach ReplayGain's target loudness, −18 LUFS.
    var gain: Double
    /// Largest sample; 1 is full scale.
    var peak: Double?
  }

  var track: Value?
  var album: Value?

  /// Larger gains are invalid (ReplayGain 1.0, “Replay Gain Data Format”).
  private static let limit = 51.0
  /// The target loudness in decibels of sound pressure (ReplayGain 1.0).
  private static let commonReference = 89.0

  /// - Parameters:
  ///   - reference: the tagged target loudness in decibels of sound pressure, if any.
  package init?(
    trackGain: Double?, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil,
    reference: Double? = nil
  ) {
    // Numbers outside this range are in other units, usually LUFS, and mean the common reference.
    let reference = reference.flatMap { (70...100).contains($0) ? $0 : nil } ?? Self.commonReference
    func value(_ gain: Double?, _ peak: Double?) -> Value? {
      guard let gain, abs(gain) <= Self.limit else { return nil }
      return Value(gain: gain + Self.commonReference - reference, peak: peak.flatMap { $0.isFinite ? $0 : nil })
    }
    track = value(trackGain, trackPeak)
    album = value(albumGain, albumPeak)
    if track == nil, album == nil { return nil }
  }

  /// Reads Opus's own tags `R128_TRACK_GAIN` and `R128_ALBUM_GAIN`, in 1/256 dB with a target of −23 LUFS
  /// (RFC 7845 section 5.2.1).
  /// - Parameter comments: each as `NAME=VALUE`.
  package init?(r128 comments: [String]) {
    func gain(_ name: String) -> Double? {
      for comment in comments {
        let parts = comment.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].uppercased() == name, let value = Int(String(parts[1]).trimmingSpaces())
        else { continue }
        return Double(value) / 256 + 5
      }
      return nil
    }
    self.init(trackGain: gain("R128_TRACK_GAIN"), albumGain: gain("R128_ALBUM_GAIN"))
  }

  /// Reads `REPLAYGAIN_TRACK_GAIN` and so on, such as `-6.50 dB`.
  package init?(ape texts: [String: String]) {
    func value(_ name: String) -> Double? {
      texts["REPLAYGAIN_" + name].flatMap { text in
        Double(text.drop { $0 == " " }.prefix { $0.isNumber || "+-.".contains($0) })
      }
    }
    self.init(
      trackGain: value("TRACK_GAIN"), trackPeak: value("TRACK_PEAK"), albumGain: value("ALBUM_GAIN"),
      albumPeak: value("ALBUM_PEAK"))
  }
}
