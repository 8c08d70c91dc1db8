import Glibc

/// The sound that `AnnouncementStage` adds. Used by one thread at a time.
package protocol OverlaySound: AnyObject, Sendable {
  /// Adds the next frames to samples.
  /// - Returns: whether the sound is over.
  func add(to samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int, gain: Double) -> Bool
}

/// Adds an announcement to the sound, and lowers the sound meanwhile.
///
/// The last stage, so that volume, mute and balance of the speaker do not concern the announcement. Without one, samples
/// pass untouched.
package struct AnnouncementStage: SampleStage {
  /// The factor on the music: −18 dB.
  package static let ducked = 0.125_892_541_179_416_73
  /// Duration in seconds of the ramps at the beginning and the end.
  package static let ramp = 0.3
  /// The music stays low this long after an announcement, in seconds, in case another one follows.
  package static let tail = 0.4

  private var sound: (any OverlaySound)?
  /// The factor on the announcement's samples, and its wanted value.
  private var gain = 1.0
  private var wantedGain = 1.0
  private var duck = GainGlide(duration: Self.ramp)
  /// The factor on the music while the announcement is heard.
  private var music = Self.ducked
  /// Frames until the music rises again.
  private var tail = 0
  /// Whether the announcement has a place of its own between the samples of the music.
  private var isInserted = false
  /// Whether the sound has ended since the last call of `takeEnd`.
  private var hasEnded = false

  package var isNeutral: Bool { sound == nil && duck.isUnity }
  /// Whether the announcement is added to the next samples.
  package var isActive: Bool { sound != nil }
  package var effects: Set<SampleEffect> { sound == nil ? [] : [.announcement] }

  /// - Parameters:
  ///   - gain: the factor on the announcement's samples.
  ///   - music: the factor on the other samples meanwhile.
  package mutating func begin(_ sound: any OverlaySound, gain: Double, music: Double) {
    self.sound = sound
    (self.gain, wantedGain, self.music) = (gain, gain, music)
    (tail, isInserted, hasEnded) = (0, false, false)
  }

  /// Sets the factor on the announcement's samples.
  package mutating func setGain(_ gain: Double) { wantedGain = gain }

  /// The next samples are a place for the announcement between the samples of the music, whose level does not change.
  package mutating func insert() { isInserted = true }

  package mutating func end() {
    sound = nil
    tail = 0
  }

  /// Returns once that the sound has ended.
  package mutating func takeEnd() -> Bool {
    defer { hasEnded = false }
    return hasEnded
  }

  /// A new run of the output: the music is low from its first sample.
  package mutating func reset() {
    isInserted = false
    hasEnded = false
    if sound == nil { tail = 0 }
    updateTarget()
    duck.settle()
  }

  private mutating func updateTarget() {
    duck.target = (sound != nil || tail > 0) && !isInserted ? SideGains(music) : .unity
  }

  package mutating func process(_ block: inout SampleBlock) {
    updateTarget()
    duck.process(&block)
    tail = max(0, tail - block.frames)
    guard let sound else { return }
    let (sides, rate) = (block.sides, block.rate)
    // A jump of the gain would be heard as a click.
    gain += (wantedGain - gain) * min(1, Double(block.frames) / Double(rate) / 0.05)
    var isOver = false
    block.withSamples { isOver = sound.add(to: $0, sides: sides, rate: rate, gain: gain) }
    guard isOver else { return }
    self.sound = nil
    tail = isInserted ? 0 : Int(Self.tail * Double(rate))
    hasEnded = true
  }
}
