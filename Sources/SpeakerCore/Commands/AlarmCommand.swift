import PlaybackModel

/// A command to the alarms.
package enum AlarmCommand: Sendable, Equatable {
  /// The result has the id.
  case add(ClockAlarm)
  case change(UInt32, to: ClockAlarm)
  case remove(UInt32)
  case enable(UInt32, Bool)
  /// Nil for the minutes of the alarm.
  case snooze(minutes: Int?)
  case dismiss
}

extension SleepTimer.End: CustomStringConvertible {
  /// The argument of the command `sleep`.
  package var description: String {
    switch self {
    case .minutes(let minutes): "\(minutes)"
    case .track: "track"
    case .queue: "queue"
    }
  }
}

/// What a command of a person means for an alarm that rings.
enum PersonalAct {
  /// The speaker before or after a command.
  struct Glimpse: Equatable {
    var source = Source.playlist
    var trackID = 0
    var state = TransportState.stopped
    var isStandby = false
  }

  /// - Returns: nil if the alarm goes on.
  static func event(
    of command: SpeakerCommand, from before: Glimpse, to after: Glimpse
  ) -> AlarmMachine.Event? {
    let isAnother = before.source != after.source || before.trackID != after.trackID
    switch command {
    case .transport(.pause, let source), .transport(.stop, let source):
      return source == nil || source == before.source ? .stopped : nil
    case .transport(.play, _): return isAnother ? .replaced : nil
    case .transport: return nil
    case .toggle: return after.state.isActive ? nil : .stopped
    case .standby: return after.isStandby ? .stopped : nil
    case .source: return isAnother ? .stopped : nil
    // What they play may be known only later.
    case .preset, .pin, .pins(.play), .radio(.play): return .replaced
    case .queue, .radio, .sender, .item:
      guard isAnother else { return nil }
      return after.state.isOn ? .replaced : .stopped
    default: return nil
    }
  }
}
