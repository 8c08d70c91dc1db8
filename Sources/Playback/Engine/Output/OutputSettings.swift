import PlaybackModel

/// Settings for the samples. They apply to every output that is attached.
struct OutputSettings {
  var gain = 1.0
  var isMuted = false
  var balance = 0
  /// Nil while it is off.
  var equalizer: EqualizerSettings?
  var fade = FadeStage()
  /// ReplayGain factors by track.
  var trackGains: [Int: Double?] = [:]
  /// ReplayGain factor of tracks without tags.
  var defaultTrackGain: Double?

  init(defaultTrackGain: Double?) { self.defaultTrackGain = defaultTrackGain }

  func apply(to converter: OutputConverter) {
    converter.setDefaultTrackGain(defaultTrackGain)
    converter.setTrackGains(trackGains)
    converter.setVolume(gain)
    converter.setMuted(isMuted)
    converter.setBalance(balance)
    converter.setEqualizer(equalizer)
    converter.fade = fade
  }

  mutating func start(_ fade: Fade) { self.fade.start(fade) }
}
