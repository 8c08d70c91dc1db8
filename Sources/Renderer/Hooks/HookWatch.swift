import SpeakerCore

/// Derives events from the difference between two states of the speaker.
struct HookWatch {
  private(set) var last: SpeakerState

  init(_ state: SpeakerState) { last = state }

  /// - Returns: the events in causal order: standby ends before playback begins.
  mutating func note(_ moment: SpeakerState) -> [HookEvent] {
    defer { last = moment }
    var events: [HookEvent] = []
    if moment.isStandby != last.isStandby { events.append(.standby) }
    if moment.state.isActive, !last.state.isActive { events.append(.play) }
    if moment.state == .paused, last.state != .paused { events.append(.pause) }
    if !moment.state.isOn, last.state.isOn { events.append(.stop) }
    let isAnother = !last.state.isOn || (moment.trackID, moment.title) != (last.trackID, last.title)
    if isAnother, moment.state.isOn { events.append(.track) }
    if (moment.volume, moment.isMuted) != (last.volume, last.isMuted) { events.append(.volume) }
    if moment.alarms.word != last.alarms.word { events.append(.alarm) }
    return events
  }
}
