import PlaybackModel

/// The sleep timer, for display.
package struct SleepState: Sendable, Equatable {
  package var end: SleepTimer.End
  /// Nil if it is unknown.
  package var rest: Duration?
  package var isFading: Bool
}

/// The alarms, for display.
package struct AlarmsState: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var alarm: ClockAlarm
    /// The local time of the next occurrence by ISO 8601; nil if it is off or the time is unknown.
    package var next: String?
  }

  /// An alarm that rings, is snoozed, or rings next.
  package struct Moment: Sendable, Equatable {
    package var id: UInt32
    package var name: String
    /// The local time by ISO 8601; nil for one that rings.
    package var time: String?
    package var isTone = false
    /// Whether it waits for the end of an announcement.
    package var isWaiting = false

    package init(id: UInt32, name: String, time: String? = nil, isTone: Bool = false, isWaiting: Bool = false) {
      (self.id, self.name, self.time) = (id, name, time)
      (self.isTone, self.isWaiting) = (isTone, isWaiting)
    }
  }

  package var entries: [Entry] = []
  package var ringing: Moment?
  package var snoozed: Moment?
  package var next: Moment?
  package var missed: [Moment] = []
  /// The id of the next alarm to be added. Those of removed alarms are lower.
  package var nextID: UInt32 = 1
  /// Whether the time of day is known.
  package var isClockSet = true
  /// The name of the time zone.
  package var zone = "UTC"

  package init() {}

  /// The state of the alarms for programs: `off`, `waiting`, `ringing` or `snoozed`.
  package var word: String {
    ringing.map { $0.isWaiting ? "waiting" : "ringing" } ?? (snoozed == nil ? "off" : "snoozed")
  }
}
