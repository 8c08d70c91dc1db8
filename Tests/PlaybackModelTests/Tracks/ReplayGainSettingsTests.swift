import Glibc
import Testing

@testable import PlaybackModel

@Suite struct ReplayGainSettingsTests {
  private static let both = ReplayGainTags(trackGain: -6, trackPeak: 0.9, albumGain: 3, albumPeak: 0.5)

  @Test(arguments: [
    (ReplayGainSettings(mode: .track), both, -6.0),
    (ReplayGainSettings(mode: .album), both, 3),
    (ReplayGainSettings(mode: .track, preamp: 2), both, -4),
    // The album's peak leaves 6 dB.
    (ReplayGainSettings(mode: .album, preamp: 12), both, 6.02),
    // If one gain is missing, the other one is used.
    (ReplayGainSettings(mode: .album), ReplayGainTags(trackGain: -2), -2),
    (ReplayGainSettings(mode: .track), ReplayGainTags(trackGain: nil, albumGain: -3), -3),
    // Without a peak tag, the gain is not reduced: the limiter prevents clipping.
    (ReplayGainSettings(mode: .track), ReplayGainTags(trackGain: 9), 9),
    (ReplayGainSettings(mode: .track), ReplayGainTags(trackGain: 9, trackPeak: 0), 9),
    // Tags with another reference loudness.
    (ReplayGainSettings(mode: .track), ReplayGainTags(trackGain: -4, reference: 83), 2),
    (ReplayGainSettings(mode: .track), ReplayGainTags(trackGain: -4, reference: -18), -4),
    (ReplayGainSettings(mode: .track, preamp: 5, fallback: -7), nil, -7),
    // A gain that is not a number, and one out of range.
    (ReplayGainSettings(mode: .track, fallback: -1), ReplayGainTags(trackGain: .nan), -1),
    (ReplayGainSettings(mode: .track, fallback: -1), ReplayGainTags(trackGain: 400), -1),
    (ReplayGainSettings(mode: .track), ReplayGainTags(r128: ["TITLE=x", "r128_track_gain=-1280"]), 0),
    (ReplayGainSettings(mode: .album), ReplayGainTags(r128: ["R128_ALBUM_GAIN=256", "R128_TRACK_GAIN=0"]), 6),
    (ReplayGainSettings(mode: .track), ReplayGainTags(r128: ["R128_TRACK_GAIN=loud"]), 0),
  ])
  func decibels(settings: ReplayGainSettings, tags: ReplayGainTags?, expected: Double) throws {
    let factor = try #require(settings.factor(for: tags))
    #expect(abs(20 * log10(factor) - expected) < 0.01)
  }

  @Test func offIsNoFactorAndNothingToDoIsExactlyOne() {
    #expect(ReplayGainSettings().factor(for: Self.both) == nil)
    #expect(ReplayGainSettings(mode: .track).factor(for: nil) == 1)
    #expect(ReplayGainSettings(mode: .track).factor(for: ReplayGainTags(trackGain: 0, trackPeak: 1)) == 1)
  }
}
