import PlaybackModel
import Testing

@testable import PlaybackStore

@Suite struct SavedAlarmsTextTests {
  private static func alarms() throws -> SavedAlarms {
    let sounds: [AlarmSound] = [
      .preset(id: 7, uri: "http://radio.example.org/a", title: "Radio “A”\n2"), .pin(6),
      .playlist(uri: "http://example.org/list.m3u"), .queue, .tone,
    ]
    let alarms = try sounds.enumerated().map { index, sound in
      var alarm = ClockAlarm(time: try #require(TimeOfDay(hour: index, minute: 59)), sound: sound)
      (alarm.id, alarm.name, alarm.days) = (UInt32(index + 3), "Läutet 🔔", .day(index))
      (alarm.volume, alarm.ramp, alarm.limit, alarm.snooze) = (index == 0 ? nil : 25, 90, 1440, 60)
      (alarm.isEnabled, alarm.settled) = (index != 1, index == 2 ? nil : 1_795_676_400)
      return alarm
    }
    return SavedAlarms(
      list: AlarmList(alarms: alarms, nextID: 12, missed: [MissedAlarm(id: 4, name: "", due: 1_795_676_400)]),
      pending: .init(id: 5, due: 1_795_676_500, former: .init(volume: 30, isMuted: true, isStandby: false)))
  }

  @Test func alarmsAreRestored() throws {
    let saved = try Self.alarms()
    #expect(SavedAlarms(saved.text) == saved)
    #expect(SavedAlarms(SavedAlarms().text) == SavedAlarms())
    var snoozed = saved
    snoozed.pending?.former = nil
    #expect(SavedAlarms(snoozed.text) == snoozed)
  }

  @Test func unknownKeysAreIgnored() throws {
    var text = try Self.alarms().text
    text.add("later", "x")
    #expect(SavedAlarms(text) == (try Self.alarms()))
  }

  @Test(arguments: [
    ("time", "25:00"), ("days", "128"), ("sound", "siren"), ("volume", "101"), ("ramp", "-1"), ("limit", "0"),
    ("snooze", "x"), ("enabled", "maybe"), ("id", "0"), ("next", "0"), ("missed.due", "soon"), ("settled", "x"),
    ("settled", "-9223372036854775808"), ("missed.due", "9223372036854775807"),
  ])
  func aWrongValueIsRefused(key: String, value: String) throws {
    let text = try Self.alarms().text
    var wrong = StateText()
    for line in text.lines { wrong.add(line.key, line.key == key ? value : line.value) }
    #expect(SavedAlarms(wrong) == nil)
  }

  @Test func missingAndTooManyRowsAreRefused() throws {
    var text = try Self.alarms().text
    text.add("name", "one more")
    #expect(SavedAlarms(text) == nil)
    let alarm = try #require(try Self.alarms().list.alarms.first)
    let alarms = (1...33).map { id in
      var alarm = alarm
      alarm.id = UInt32(id)
      return alarm
    }
    #expect(SavedAlarms(SavedAlarms(list: AlarmList(alarms: alarms, nextID: 34)).text) == nil)
  }
}
