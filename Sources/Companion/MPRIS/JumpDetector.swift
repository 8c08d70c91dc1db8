import SpeakerCore

/// Detects changes of the position other than normal playback, which MPRIS announces as `Seeked`.
struct JumpDetector {
  private var last: SpeakerState?
  /// Smaller differences come from buffering and rounding.
  private static let tolerance = Duration.milliseconds(750)

  /// Whether there was a jump since the last moment.
  mutating func update(_ moment: SpeakerState) -> Bool {
    defer { last = moment }
    guard let last, moment.trackID != 0 else { return false }
    // Clients expect a new track to begin at 0.
    let expected = last.trackID == moment.trackID ? last.position(at: moment.time) : .zero
    let difference = moment.position - expected
    return difference > Self.tolerance || difference < .zero - Self.tolerance
  }
}
