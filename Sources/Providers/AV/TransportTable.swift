import UPnP

/// What AVTransport's transport-controlling actions do in each state: the one place that says what is offered, what is
/// put up with and what is refused. docs/controllers.md shows it.
///
/// It is more lenient than AVTransport:1 §2.5 where a controller fails without (the reasons stand beside the rules), and
/// CurrentTransportActions lists what the specification has as well as us: what does something.
enum TransportTable {
  typealias State = AVTransport1.TransportState

  /// The actions that CurrentTransportActions speaks of (AVTransport:1 §2.2.26), in the order in which it lists them.
  enum Action: String, Sendable, CaseIterable {
    case play = "Play"
    case stop = "Stop"
    case pause = "Pause"
    case seek = "Seek"
    case next = "Next"
    case previous = "Previous"
  }

  /// The state, and what decides beside it.
  struct Situation: Sendable, Equatable {
    var state: State
    var canPause = true
    var canSeek = true
    var hasNext = false
    var hasPrevious = false
  }

  enum Verdict: Sendable, Equatable {
    /// Done, and offered; the state it leads to is told before the answer.
    case leads(to: State)
    /// Accepted without effect, and not offered.
    case tolerated
    case refused(ActionFault)
  }

  static func verdict(on action: Action, in situation: Situation) -> Verdict {
    let state = situation.state
    switch action {
    case .play: return play(in: state)
    case .stop:
      // Older Kodis begin with a Stop and give up when that fails (xbmc/xbmc#4232); Home Assistant's stop likewise.
      return state == .noMediaPresent ? .tolerated : .leads(to: .stopped)
    case .pause:
      switch state {
      case .noMediaPresent: return .refused(AVTransportFaults.transitionNotAvailable)
      // DSub leaves the renderer for good when a Pause fails (hzeller/gmrender-resurrect#139).
      case .stopped, .pausedPlayback: return .tolerated
      case .transitioning, .playing:
        return situation.canPause ? .leads(to: .pausedPlayback) : .refused(AVTransportFaults.transitionNotAvailable)
      }
    case .seek:
      if state == .noMediaPresent { return .refused(AVTransportFaults.transitionNotAvailable) }
      // When stopped, it chooses where Play starts: controllers resume so.
      return situation.canSeek ? .leads(to: state) : .refused(AVTransportFaults.seekModeNotSupported)
    case .next: return skip(in: state, isThere: situation.hasNext)
    case .previous: return skip(in: state, isThere: situation.hasPrevious)
    }
  }

  /// CurrentTransportActions: exactly what would do something now. Home Assistant waits for `Play` to appear here.
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

  private static func skip(in state: State, isThere: Bool) -> Verdict {
    switch state {
    case _ where isThere: .leads(to: state == .noMediaPresent || state == .stopped ? .stopped : .transitioning)
    case .noMediaPresent: .refused(AVTransportFaults.transitionNotAvailable)
    // It is a seek to a track that is not there (AVTransport:1 §2.4.12).
    case _: .refused(AVTransportFaults.illegalSeekTarget)
    }
  }
}
