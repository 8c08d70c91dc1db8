/// The rules of a time zone.
package protocol TimeZoneRules {
  /// Seconds east of Greenwich at a time, which is given in seconds since 1970.
  func offset(at time: Int64) -> Int64
}

/// Finds the times at which alarms ring. Times are seconds since 1970, days are counted from 1970-01-01 in local time.
extension TimeZoneRules {
  private static var secondsPerDay: Int64 { 86_400 }
  /// Longer than any offset from Greenwich, so that a change of the offset that matters is between the two ends.
  private static var margin: Int64 { 129_600 }

  func day(at time: Int64) -> Int64 { Self.floor(time + offset(at: time), Self.secondsPerDay) }

  /// The moment at which clocks show the time of day. If it occurs twice, the first one; if it does not occur, the first
  /// moment after the gap.
  func moment(_ time: TimeOfDay, on day: Int64) -> Int64 {
    let shown = day * Self.secondsPerDay + time.seconds
    let offsets = [offset(at: shown - Self.margin), offset(at: shown + Self.margin)]
    let moments = offsets.map { shown - $0 }.filter { $0 + offset(at: $0) == shown }
    if let first = moments.min() { return first }
    // The change of the offset: before it clocks show less, from it on they show more.
    var (before, after) = (shown - Self.margin, shown + Self.margin)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + offset(at: middle) < shown { before = middle } else { after = middle }
    }
    return after
  }

  /// The first occurrence of an alarm after a time.
  func occurrence(of alarm: ClockAlarm, after time: Int64) -> Int64 {
    let today = day(at: time)
    // A change of the clock can move the last occurrence into the next day. A weekday recurs after seven days.
    for day in today - 1...today + 8 where alarm.rings(on: day) {
      let moment = moment(alarm.time, on: day)
      if moment > time { return moment }
    }
    return .max
  }

  /// The last occurrence of an alarm up to a time.
  func occurrence(of alarm: ClockAlarm, upTo time: Int64) -> Int64 {
    let today = day(at: time)
    for day in (today - 8...today + 1).reversed() where alarm.rings(on: day) {
      let moment = moment(alarm.time, on: day)
      if moment <= time { return moment }
    }
    return .min
  }

  /// The local time by ISO 8601, as in `2026-11-27T07:00:00+01:00`.
  package func text(of time: Int64) -> String {
    let offset = offset(at: time)
    let day = day(at: time)
    let second = Int(time + offset - day * Self.secondsPerDay)
    let minutes = Int(offset.magnitude / 60)
    let digits = TimeOfDay.digits
    return "\(Self.date(day))T\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60))"
      + "\(offset < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
  }

  /// The Gregorian date of a day, as in `2026-11-27`.
  /// Source: http://howardhinnant.github.io/date_algorithms.html#civil_from_days
  private static func date(_ day: Int64) -> String {
    let shifted = day + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(TimeOfDay.digits(month))-\(TimeOfDay.digits(dayOfMonth))"
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }
}

extension ClockAlarm {
  /// - Parameter day: from 1970-01-01, which was a Thursday.
  func rings(on day: Int64) -> Bool { isOnce || days.contains(.day(Int(((day + 3) % 7 + 7) % 7))) }
}
