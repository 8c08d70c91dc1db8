import Logging
import PlaybackModel

/// Splits the level between the hardware mixer, if there is one, and the samples.
struct LevelControl {
  private let mixer: HardwareMixer?
  /// The mixer has said what is left to the samples.
  private var hasMixerAnswered = false
  /// Revision of the level that is wanted.
  private var revision = 0

  init(_ description: MixerDescription?, mailbox: Mailbox, logger: Logger) {
    mixer = description.map { HardwareMixer($0, mailbox: mailbox, logger: logger) }
  }

  /// - Returns: what the samples are to get; nil to leave them as they are.
  mutating func set(_ level: Level) -> (gain: Double, isMuted: Bool)? {
    revision = level.revision
    mixer?.set(level)
    // Until the mixer answers, the samples have the level themselves: too soft for a moment is better than too loud.
    return hasMixerAnswered ? nil : (VolumeScale.gain(step: level.volume), level.isMuted)
  }

  /// Whether an answer of the mixer is for the level that is wanted: one for a louder level would be heard for a moment.
  mutating func accepts(revision: Int) -> Bool {
    guard revision >= self.revision else { return false }
    hasMixerAnswered = true
    return true
  }

  func quit() { mixer?.quit() }
}
