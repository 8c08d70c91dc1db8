import Testing

@testable import PlaybackModel

@Suite struct AlarmCalendarTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let zone: String
    let days: String
    let time: String
    /// In Greenwich.
    let after: String
    /// Local time.
    let next: String

    var testDescription: String { "\(zone) \(days) \(time) after \(after)" }

    init(_ zone: String, _ days: String, _ time: String, after: String, _ next: String) {
      (self.zone, self.days, self.time, self.after, self.next) = (zone, days, time, after, next)
    }
  }

  static func zone(_ name: String) -> TestZone {
    switch name {
    case "berlin": .berlin
    case "lord_howe": .lordHowe
    case "samoa": .samoa
    default: .utc
    }
  }

  /// 2026-11-26 is a Thursday.
  @Test(arguments: [
    Case("utc", "once", "07:00", after: "2026-11-26 06:59:59", "2026-11-26T07:00:00+00:00"),
    Case("utc", "once", "07:00", after: "2026-11-26 07:00", "2026-11-27T07:00:00+00:00"),
    Case("utc", "daily", "00:00", after: "2026-11-26 23:59:59", "2026-11-27T00:00:00+00:00"),
    Case("utc", "daily", "23:59", after: "2026-12-31 23:59", "2027-01-01T23:59:00+00:00"),
    Case("utc", "mon-fri", "07:00", after: "2026-11-27 08:00", "2026-11-30T07:00:00+00:00"),
    Case("utc", "thu", "07:00", after: "2026-11-26 07:00", "2026-12-03T07:00:00+00:00"),
    Case("utc", "sat,sun", "09:30", after: "2026-11-26 07:00", "2026-11-28T09:30:00+00:00"),
    // Leap days.
    Case("utc", "daily", "07:00", after: "2028-02-28 07:00", "2028-02-29T07:00:00+00:00"),
    Case("utc", "daily", "07:00", after: "2027-02-28 07:00", "2027-03-01T07:00:00+00:00"),
    Case("utc", "tue", "07:00", after: "2028-02-26 07:00", "2028-02-29T07:00:00+00:00"),
    Case("utc", "daily", "07:00", after: "2100-02-28 07:00", "2100-03-01T07:00:00+00:00"),
    // Berlin: 02:00…03:00 does not exist on 29 March, and exists twice on 25 October.
    Case("berlin", "daily", "02:30", after: "2026-03-28 12:00", "2026-03-29T03:00:00+02:00"),
    Case("berlin", "daily", "02:00", after: "2026-03-28 12:00", "2026-03-29T03:00:00+02:00"),
    Case("berlin", "daily", "01:59", after: "2026-03-28 12:00", "2026-03-29T01:59:00+01:00"),
    Case("berlin", "daily", "03:00", after: "2026-03-28 12:00", "2026-03-29T03:00:00+02:00"),
    Case("berlin", "daily", "02:30", after: "2026-03-29 01:00", "2026-03-30T02:30:00+02:00"),
    Case("berlin", "sun", "02:30", after: "2026-03-28 12:00", "2026-03-29T03:00:00+02:00"),
    Case("berlin", "daily", "02:30", after: "2026-10-24 12:00", "2026-10-25T02:30:00+02:00"),
    Case("berlin", "daily", "02:30", after: "2026-10-25 00:30", "2026-10-26T02:30:00+01:00"),
    Case("berlin", "daily", "03:00", after: "2026-10-24 12:00", "2026-10-25T03:00:00+01:00"),
    Case("berlin", "daily", "07:00", after: "2026-10-24 12:00", "2026-10-25T07:00:00+01:00"),
    Case("berlin", "daily", "00:10", after: "2026-11-26 23:05", "2026-11-27T00:10:00+01:00"),
    // Lord Howe: 01:30…02:00 exists twice on 5 April, and 02:00…02:30 does not exist on 4 October.
    Case("lord_howe", "daily", "01:45", after: "2026-04-04 00:00", "2026-04-05T01:45:00+11:00"),
    Case("lord_howe", "daily", "01:45", after: "2026-04-04 14:45", "2026-04-06T01:45:00+10:30"),
    Case("lord_howe", "daily", "02:00", after: "2026-04-04 00:00", "2026-04-05T02:00:00+10:30"),
    Case("lord_howe", "daily", "02:15", after: "2026-10-03 00:00", "2026-10-04T02:30:00+11:00"),
    Case("lord_howe", "daily", "02:30", after: "2026-10-03 00:00", "2026-10-04T02:30:00+11:00"),
    Case("lord_howe", "daily", "01:59", after: "2026-10-03 00:00", "2026-10-04T01:59:00+10:30"),
    // A day that does not exist.
    Case("samoa", "fri", "07:00", after: "2011-12-29 18:00", "2011-12-31T00:00:00+14:00"),
    Case("samoa", "daily", "07:00", after: "2011-12-30 17:00", "2012-01-01T07:00:00+14:00"),
  ])
  func theNextOccurrence(of example: Case) throws {
    let zone = Self.zone(example.zone)
    var alarm = ClockAlarm(time: try #require(TimeOfDay(example.time)), sound: .tone)
    alarm.days = try #require(Weekdays(text: example.days))
    let after = TestZone.utc(example.after)
    let next = zone.occurrence(of: alarm, after: after)
    #expect(zone.text(of: next) == example.next)
    #expect(zone.occurrence(of: alarm, upTo: next) == next)
    #expect(zone.occurrence(of: alarm, upTo: next - 1) <= after)
  }

  /// Every alarm rings exactly once a day, whatever the clock does.
  @Test(arguments: ["utc", "berlin", "lord_howe"])
  func everyDayHasOneOccurrence(of name: String) throws {
    let zone = Self.zone(name)
    for minute in stride(from: 0, to: 24 * 60, by: 15) {
      var alarm = ClockAlarm(
        time: try #require(TimeOfDay(hour: minute / 60, minute: minute % 60)), sound: .tone)
      alarm.days = .all
      var time = TestZone.utc("2026-01-01 12:00")
      for _ in 0..<360 {
        let next = zone.occurrence(of: alarm, after: time)
        #expect((22 * 3600...26 * 3600).contains(next - time) || time == TestZone.utc("2026-01-01 12:00"))
        time = next
      }
    }
  }

  @Test(arguments: [
    ("mon", ["mon"]), ("mon-wed", ["mon", "tue", "wed"]), ("sat-mon", ["mon", "sat", "sun"]),
    ("mon,fri", ["mon", "fri"]), ("daily", Weekdays.names), ("once", []),
  ])
  func daysAreRead(text: String, days: [String]) {
    #expect(Weekdays(text: text)?.words == days)
  }

  @Test(arguments: ["", "Mon", "mon-", "-mon", "mon,,tue", "mon-tue-wed", "monday", "8"])
  func otherDaysAreRefused(text: String) {
    #expect(Weekdays(text: text) == nil)
  }

  @Test(arguments: [
    ("07:05", "07:05"), ("7:05", "07:05"), ("23:59", "23:59"), ("0:00", "00:00"), ("25:00", nil), ("24:00", nil),
    ("07:60", nil), ("7", nil), ("7:5", nil), ("-1:00", nil), ("+7:00", nil), ("07:00:00", nil), ("", nil),
    (" 7:00", nil),
  ])
  func timesAreRead(text: String, time: String?) {
    #expect(TimeOfDay(text)?.description == time)
  }
}
