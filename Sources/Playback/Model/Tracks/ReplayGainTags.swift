/// The ReplayGain tags of a track.
package struct ReplayGainTags: Sendable, Equatable {
  struct Value: Sendable, Equatable {
    /// Decibels to ReplayGain's target loudness, −18 LUFS.
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
  ///   - reference: the loudness that the gains lead to, in decibels of sound pressure, if tagged.
  package init?(
    trackGain: Double?, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil,
    reference: Double? = nil
  ) {
    // Other numbers are in other units, usually LUFS, which mean the common reference.
    let reference = reference.flatMap { (70...100).contains($0) ? $0 : nil } ?? Self.commonReference
    func value(_ gain: Double?, _ peak: Double?) -> Value? {
      guard let gain, abs(gain) <= Self.limit else { return nil }
      return Value(gain: gain + Self.commonReference - reference, peak: peak.flatMap { $0.isFinite ? $0 : nil })
    }
    track = value(trackGain, trackPeak)
    album = value(albumGain, albumPeak)
    if track == nil, album == nil { return nil }
  }

  /// Reads Opus's own tags `R128_TRACK_GAIN` and `R128_ALBUM_GAIN`, which count 256 to the decibel and lead to −23 LUFS
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
