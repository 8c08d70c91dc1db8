/// The alarms of a speaker, and which of their occurrences have been dealt with.
///
/// Every occurrence rings once or is reported as missed, also when the system's clock is set. A pure value.
package struct AlarmList: Sendable, Equatable {
  /// An alarm that is later than this is reported rather than played, in seconds.
  package static let tolerance: Int64 = 15 * 60
  /// A clock that goes back by more than this was wrong before, in seconds. A smaller step does not repeat an alarm.
  private static let correction: Int64 = 12 * 3600

  package private(set) var alarms: [ClockAlarm]
  package private(set) var nextID: UInt32
  /// The last occurrence of each alarm that did not ring, until its alarm rings or is changed.
  package private(set) var missed: [MissedAlarm]

  package init(alarms: [ClockAlarm] = [], nextID: UInt32 = 1, missed: [MissedAlarm] = []) {
    (self.alarms, self.nextID, self.missed) = (alarms, nextID, missed)
  }

  package subscript(id: UInt32) -> ClockAlarm? { alarms.first { $0.id == id } }

  // MARK: Changes

  /// - Parameter now: nil while the time is unknown.
  /// - Returns: the id of the alarm.
  mutating func add(_ alarm: ClockAlarm, now: Int64?) throws(AlarmError) -> UInt32 {
    guard alarms.count < ClockAlarm.maximumCount else { throw .full }
    var alarm = alarm
    alarm.id = nextID
    alarm.settled = now
    nextID = nextID == .max ? 1 : nextID + 1
    while self[nextID] != nil { nextID = nextID == .max ? 1 : nextID + 1 }
    alarms.append(alarm)
    return alarm.id
  }

  mutating func change(_ id: UInt32, to alarm: ClockAlarm, now: Int64?) throws(AlarmError) {
    guard let index = alarms.firstIndex(where: { $0.id == id }) else { throw .unknown }
    alarms[index] = alarm
    alarms[index].id = id
    alarms[index].settled = now
    missed.removeAll { $0.id == id }
  }

  mutating func remove(_ id: UInt32) throws(AlarmError) {
    guard let index = alarms.firstIndex(where: { $0.id == id }) else { throw .unknown }
    alarms.remove(at: index)
    missed.removeAll { $0.id == id }
  }

  mutating func forgetMissed() { missed = [] }

  mutating func miss(_ alarm: ClockAlarm, due: Int64) {
    missed.removeAll { $0.id == alarm.id }
    missed.append(MissedAlarm(id: alarm.id, name: alarm.name, due: due))
  }

  // MARK: Time

  /// What is due at a time.
  struct Due: Equatable {
    /// The alarms to ring, with the time of their occurrences.
    var ringing: [(alarm: ClockAlarm, due: Int64)] = []
    var missed: [MissedAlarm] = []

    static func == (a: Due, b: Due) -> Bool {
      a.ringing.map(\.alarm) == b.ringing.map(\.alarm) && a.ringing.map(\.due) == b.ringing.map(\.due)
        && a.missed == b.missed
    }
  }

  /// Deals with all occurrences up to now.
  mutating func settle(now: Int64, _ zone: some TimeZoneRules) -> Due {
    var due = Due()
    withdrawMissed(now: now)
    for index in alarms.indices where alarms[index].isEnabled {
      let alarm = alarms[index]
      guard let settled = alarm.settled, settled <= now + Self.correction else {
        alarms[index].settled = now
        continue
      }
      let occurrence =
        alarm.isOnce ? zone.occurrence(of: alarm, after: settled) : zone.occurrence(of: alarm, upTo: now)
      guard occurrence > settled, occurrence <= now else { continue }
      alarms[index].settled = occurrence
      if alarm.isOnce { alarms[index].isEnabled = false }
      if now - occurrence <= Self.tolerance {
        missed.removeAll { $0.id == alarm.id }
        due.ringing.append((alarms[index], occurrence))
      } else {
        miss(alarm, due: occurrence)
        due.missed.append(MissedAlarm(id: alarm.id, name: alarm.name, due: occurrence))
      }
    }
    return due
  }

  /// The clock was ahead: what it missed is still to come.
  private mutating func withdrawMissed(now: Int64) {
    for early in missed where early.due > now {
      guard let index = alarms.firstIndex(where: { $0.id == early.id }) else { continue }
      alarms[index].settled = now
      if alarms[index].isOnce { alarms[index].isEnabled = true }
    }
    missed.removeAll { $0.due > now }
  }

  /// The next occurrence of an enabled alarm; nil if there is none.
  package func next(now: Int64, _ zone: some TimeZoneRules) -> (id: UInt32, due: Int64)? {
    alarms.filter(\.isEnabled).map { ($0.id, next(of: $0, now: now, zone)) }.min { $0.1 < $1.1 }
  }

  /// When an alarm rings next.
  package func next(of alarm: ClockAlarm, now: Int64, _ zone: some TimeZoneRules) -> Int64 {
    let settled = alarm.settled ?? now
    return zone.occurrence(of: alarm, after: settled <= now + Self.correction ? max(settled, now) : now)
  }
}

/// An alarm that did not ring, because the speaker was off or its clock was wrong.
public struct MissedAlarm: Sendable, Equatable {
  public let id: UInt32
  public let name: String
  /// Seconds since 1970.
  public let due: Int64

  package init(id: UInt32, name: String, due: Int64) { (self.id, self.name, self.due) = (id, name, due) }
}
