import PlaybackModel

/// Derives events from the difference between two states of the player.
struct HookWatch {
  /// The part of the player's state that events depend on.
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

  /// - Returns: the events in causal order: standby ends before playback begins.
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
  /// Whether a track is loaded that a stop would end.
  var isOn: Bool { presence != .silent }

  fileprivate enum Presence { case silent, held, sounding }

  /// A stream that is buffering counts as sounding.
  fileprivate var presence: Presence {
    switch self {
    case .noMedia, .stopped: .silent
    case .paused: .held
    case .transitioning, .playing: .sounding
    }
  }
}
