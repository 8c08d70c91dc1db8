import PlaybackModel
import SpeakerCore

/// Remembers whether presence has paused the speaker. Only then does it resume.
struct PresencePlayback: Sendable, Equatable {
  private struct Held: Equatable {
    var state: TransportState
    var source: Source
    var trackID: Int
    var isStandby: Bool

    init(_ moment: SpeakerState) {
      (state, source, trackID, isStandby) = (moment.state, moment.source, moment.trackID, moment.isStandby)
    }
  }

  private enum State: Equatable {
    case none
    /// The pause command has been sent.
    case pausing
    /// Paused, or stopped if the stream is live.
    case held(Held)
  }

  private var state = State.none
  private var last = SpeakerState()

  var hasPaused: Bool { state != .none }

  /// The speaker has changed. Any change by a person while it is paused means that it does not resume.
  mutating func note(_ moment: SpeakerState) {
    last = moment
    switch state {
    case .none: break
    case .pausing: if !moment.state.isActive { state = .held(Held(moment)) }
    case .held(let held): if Held(moment) != held { state = .none }
    }
  }

  /// Everybody has left, and the speaker should be paused.
  /// - Returns: whether there is something to pause.
  mutating func leave() -> Bool {
    guard last.state.isActive else { return false }
    state = .pausing
    return true
  }

  /// The pause command has failed.
  mutating func pauseFailed() { if state == .pausing { state = .none } }

  /// Somebody has returned.
  /// - Returns: whether to play.
  mutating func comeBack() -> Bool {
    defer { state = .none }
    return state != .none
  }
}
