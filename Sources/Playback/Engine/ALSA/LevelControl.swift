import Logging
import PlaybackModel

/// Divides the level between the hardware mixer, if there is one, and the samples.
struct LevelControl {
  private let mixer: HardwareMixer?
  /// Whether the mixer has reported the gain for the samples.
  private var hasMixerAnswered = false
  /// Revision of the latest level.
  private var revision = 0
  /// The card's factor on the samples; nil if the volume is applied to the samples alone.
  private var card: Double?
  /// The volume of the announcement that the card was made louder for, of 0…100.
  private var raisedStep: Int?

  /// An announcement must be louder than the card by this factor for the card to be changed: a quarter of a decibel.
  private static let tolerance = 1.03
  /// Samples that were changed are heard after the device's delay, and at most this much later.
  private static let grace = Duration.milliseconds(100)

  init(_ description: MixerDescription?, mailbox: Mailbox, logger: Logger) {
    mixer = description.map { HardwareMixer($0, mailbox: mailbox, logger: logger) }
  }

  /// - Returns: the new gain and mute of the samples; nil to keep the current ones.
  mutating func set(_ level: Level) -> (gain: Double, isMuted: Bool)? {
    revision = level.revision
    mixer?.set(level)
    // Until the mixer answers, the samples are attenuated too: briefly too soft is better than too loud.
    if hasMixerAnswered { return nil }
    return (VolumeScale.gain(step: level.volume), level.isMuted)
  }

  /// Whether to apply the mixer's answer. An answer to an earlier level may be too loud.
  /// - Parameter card: the card's factor on the samples; nil without a card.
  mutating func accepts(revision: Int, card: Double?) -> Bool {
    guard revision >= self.revision else { return false }
    hasMixerAnswered = true
    self.card = card
    return true
  }

  func quit() { mixer?.quit() }

  // MARK: Announcements

  /// The factor on the samples of an announcement.
  /// - Parameter step: its volume, of 0…100.
  func gain(ofAnnouncement step: Int) -> Double {
    let gain = VolumeScale.gain(step: step)
    guard var card else { return gain }
    // The card will be louder before the announcement is heard.
    if raisedStep != nil { card = max(card, gain) }
    return card > 0 ? min(1, gain / card) : gain
  }

  /// Makes the card louder if an announcement is louder than the card.
  /// - Parameters:
  ///   - step: the announcement's volume, of 0…100.
  ///   - delay: that of the device.
  /// - Returns: the time until the card is louder; nil if it stays.
  @discardableResult
  mutating func raise(for step: Int, delay: Duration) -> Duration? {
    let isLouder = VolumeScale.gain(step: step) > (card ?? .infinity) * Self.tolerance
    guard let mixer, step != raisedStep, raisedStep != nil || isLouder else { return nil }
    raisedStep = step
    mixer.announce(step, delay: delay + Self.grace)
    return delay + Self.grace
  }

  /// Gives the card its level again.
  mutating func lower() {
    if raisedStep != nil { mixer?.announce(nil) }
    raisedStep = nil
  }
}
