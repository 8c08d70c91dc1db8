import PlaybackModel

/// Which events there have been, from what the player was and what it is.
struct HookWatch {
  /// As far as events follow from it.
  struct Moment: Equatable {
    var state: TransportState
    var trackID = 0
    var title: String?
    var volume = 100
    var isMuted = false
    var isStandby = false
  }

  private(set) var last: Moment

  init(_ moment: Moment) { last = moment }

  /// - Returns: in an order that makes sense: who has woken up, plays.
  mutating func note(_ moment: Moment) -> [HookEvent] {
    defer { last = moment }
    var events: [HookEvent] = []
    if moment.isStandby != last.isStandby { events.append(.standby) }
    switch (last.state.presence, moment.state.presence) {
    case (.silent, .sounding), (.held, .sounding): events.append(.play)
    case (.silent, .held), (.sounding, .held): events.append(.pause)
    case (.held, .silent), (.sounding, .silent): events.append(.stop)
    default: break
    }
    let isAnother = !last.state.isOn || (moment.trackID, moment.title) != (last.trackID, last.title)
    if isAnother, moment.state.isOn { events.append(.track) }
    if (moment.volume, moment.isMuted) != (last.volume, last.isMuted) { events.append(.volume) }
    return events
  }
}

extension TransportState {
  /// Whether a stop would end something.
  var isOn: Bool { presence != .silent }

  fileprivate enum Presence { case silent, held, sounding }

  /// A stream that has run dry for a moment is still the one that sounds.
  fileprivate var presence: Presence {
    switch self {
    case .noMedia, .stopped: .silent
    case .paused: .held
    case .transitioning, .playing: .sounding
    }
  }
}
