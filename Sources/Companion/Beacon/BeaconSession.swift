import PlaybackModel
import SpeakerCore

/// Major and minor of the beacon: a session, and the position in it.
///
/// A session begins when playback starts from stopped, or on another source. Pause and resume, and the next track of
/// the same source, continue it.
struct BeaconSession: Sendable, Equatable {
  /// The session, 1…65535. It keeps its number after the session has ended.
  private(set) var major: UInt16
  private var last: SpeakerState

  /// The last session that the previous run may have used. Sessions are saved within a second, so a kill may lose a number that
  /// phones have seen.
  static func lastUsed(saved: UInt16) -> UInt16 { UInt16((Int(saved) - 1 + 16) % Int(UInt16.max)) + 1 }

  /// - Parameter major: the last session in use. This one gets the next number.
  init(after major: UInt16) {
    self.major = Self.next(major)
    last = SpeakerState()
  }

  private static func next(_ major: UInt16) -> UInt16 { major == .max ? 1 : major + 1 }

  /// - Returns: whether a session has begun.
  mutating func note(_ moment: SpeakerState) -> Bool {
    defer { last = moment }
    guard moment.state.isActive else { return false }
    if last.state.isOn, last.source == moment.source { return false }
    major = Self.next(major)
    return true
  }

  /// The position in whole seconds, modulo 65536; 0 when nothing is loaded.
  func minor(at now: ContinuousClock.Instant) -> UInt16 {
    guard last.state.isOn else { return 0 }
    return UInt16(truncatingIfNeeded: max(0, last.position(at: now).components.seconds))
  }

  /// When the minor will change by itself; nil unless something plays.
  func nextChange(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard last.state == .playing else { return nil }
    let position = last.position(at: now)
    let second = Duration.seconds(position.components.seconds + 1)
    return now + (second - position)
  }
}
