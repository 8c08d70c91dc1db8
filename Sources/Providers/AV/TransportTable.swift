import PlaybackModel
import SpeakerCore
import UPnP

/// The effect of AVTransport's transport actions in each state, as shown in docs/controllers.md. They act on the source
/// that `ShownSource` names, also if another controller started it. `TransportAbilities` says what can be done with it.
///
/// The table tolerates more than AVTransport:1 §2.5 requires where controllers need it; the comments name them.
enum TransportTable {
  typealias State = AVTransport1.TransportState

  /// The actions of CurrentTransportActions (AVTransport:1 §2.2.26), in its order.
  enum Action: String, Sendable, CaseIterable {
    case play = "Play"
    case stop = "Stop"
    case pause = "Pause"
    case seek = "Seek"
    case next = "Next"
    case previous = "Previous"
  }

  /// The state and what can be done with the source.
  struct Situation: Sendable, Equatable {
    var state: State
    var can: TransportAbilities
  }

  enum Verdict: Sendable, Equatable {
    /// Performed and listed in CurrentTransportActions. The new state is evented before the answer.
    case leads(to: State)
    /// Accepted without effect and not listed.
    case tolerated
    case refused(ActionFault)
  }

  static func verdict(on action: Action, in situation: Situation) -> Verdict {
    let state = situation.state
    switch action {
    case .play: return play(in: state)
    case .stop:
      // Older versions of Kodi start with a Stop and give up if it fails (xbmc/xbmc#4232), as does Home Assistant.
      return state == .noMediaPresent ? .tolerated : .leads(to: .stopped)
    case .pause:
      switch state {
      case .noMediaPresent: return .refused(AVTransportFaults.transitionNotAvailable)
      // DSub disconnects from the renderer if a Pause fails (hzeller/gmrender-resurrect#139).
      case .stopped, .pausedPlayback: return .tolerated
      case .transitioning, .playing: return .leads(to: situation.can.pauseStops ? .stopped : .pausedPlayback)
      }
    case .seek:
      if state == .noMediaPresent { return .refused(AVTransportFaults.transitionNotAvailable) }
      // When stopped, it sets where Play starts: controllers resume this way.
      return situation.can.seek ? .leads(to: state) : .refused(AVTransportFaults.seekModeNotSupported)
    case .next: return skip(in: situation, hasTarget: situation.can.next)
    case .previous: return skip(in: situation, hasTarget: situation.can.previous)
    }
  }

  /// CurrentTransportActions: the actions with an effect. Home Assistant waits for `Play` to appear.
  static func offered(in situation: Situation) -> [Action] {
    Action.allCases.filter { if case .leads = verdict(on: $0, in: situation) { true } else { false } }
  }

  private static func play(in state: State) -> Verdict {
    switch state {
    case .noMediaPresent: .refused(AVTransportFaults.transitionNotAvailable)
    case .stopped, .transitioning: .leads(to: .transitioning)
    case .playing, .pausedPlayback: .leads(to: .playing)
    }
  }

  private static func skip(in situation: Situation, hasTarget: Bool) -> Verdict {
    let staysStopped = [.noMediaPresent, .stopped].contains(situation.state) && !situation.can.skipsStart
    return switch situation.state {
    case _ where hasTarget: .leads(to: staysStopped ? .stopped : .transitioning)
    case .noMediaPresent: .refused(AVTransportFaults.transitionNotAvailable)
    // Next without a next track is a seek to a missing track (AVTransport:1 §2.4.12).
    case _: .refused(AVTransportFaults.illegalSeekTarget)
    }
  }
}

/// The faults of AVTransport (AVTransport:1 §2.4).
enum AVTransportFaults {
  static let transitionNotAvailable = ActionFault(701, "Transition not available")
  static let seekModeNotSupported = ActionFault(710, "Seek mode not supported")
  static let illegalSeekTarget = ActionFault(711, "Illegal seek target")

  static func fault(_ error: CommandError) -> ActionFault {
    switch error {
    case .player(.seekNotAvailable): seekModeNotSupported
    case .player(.illegalSeekTarget): illegalSeekTarget
    default: transitionNotAvailable
    }
  }
}
