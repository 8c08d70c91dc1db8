import Testing

@testable import PlaybackModel

/// When alarms ring. Each row lists what happens, and what is reported about it.
@Suite struct AlarmTimeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let start: String
    let zone: TestZone
    let trust: ClockTrust
    let steps: [AlarmTable.Step]
    let log: [String]

    var testDescription: String { name }

    init(
      _ name: String, from start: String, in zone: TestZone = .utc,
      trust: ClockTrust = ClockTrust(isSynchronized: true), _ steps: [AlarmTable.Step], _ log: [String]
    ) {
      (self.name, self.start, self.zone, self.trust, self.steps, self.log) = (name, start, zone, trust, steps, log)
    }
  }

  private static let dismiss = AlarmTable.Step.event(.dismiss)
  private static let day = Duration.seconds(86_400)
  private static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

  @Test(arguments: [
    Row("no alarm", from: "2026-11-26 06:00", [.pass(day)], []),
    Row(
      "once", from: "2026-11-26 06:00", [.add("once", "07:00"), .pass(minutes(70)), dismiss, .pass(day * 3)],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "daily", from: "2026-11-26 06:00",
      [.add("daily", "07:00"), .pass(minutes(70)), dismiss, .pass(day), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended", "07:00 rings at 27T07:00:00", "07:00 ended"]),
    Row(
      "weekdays skip the weekend", from: "2026-11-27 06:00",
      [.add("mon-fri", "07:00"), .pass(minutes(70)), dismiss, .pass(day * 3), dismiss],
      ["07:00 rings at 27T07:00:00", "07:00 ended", "07:00 rings at 30T07:00:00", "07:00 ended"]),
    Row(
      "off", from: "2026-11-26 06:00", [.add("daily", "07:00") { $0.isEnabled = false }, .pass(day * 2)], []),
    Row(
      "midnight", from: "2026-11-26 23:59", [.add("daily", "00:00"), .pass(minutes(2)), dismiss],
      ["00:00 rings at 27T00:00:00", "00:00 ended"]),
    Row(
      "stops by itself", from: "2026-11-26 06:00",
      [.add("once", "07:00") { $0.limit = 20 }, .pass(minutes(90))],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    // The clock changes.
    Row(
      "the gap", from: "2026-03-28 23:00", in: .berlin,
      [.add("daily", "02:30"), .pass(minutes(125)), dismiss, .pass(minutes(23 * 60 + 30)), dismiss],
      ["02:30 rings at 29T03:00:00", "02:30 ended", "02:30 rings at 30T02:30:00", "02:30 ended"]),
    Row(
      "the hour that exists twice", from: "2026-10-24 20:00", in: .berlin,
      [.add("daily", "02:30"), .pass(minutes(5 * 60)), dismiss, .pass(day + minutes(40)), dismiss],
      ["02:30 rings at 25T02:30:00", "02:30 ended", "02:30 rings at 26T02:30:00", "02:30 ended"]),
    Row(
      "half an hour of a gap", from: "2026-10-03 10:00", in: .lordHowe,
      [.add("daily", "02:10"), .pass(minutes(330)), dismiss],
      ["02:10 rings at 04T02:30:00", "02:10 ended"]),
    Row(
      "half an hour that exists twice", from: "2026-04-04 10:00", in: .lordHowe,
      [.add("daily", "01:40"), .pass(minutes(290)), dismiss, .pass(minutes(60))],
      ["01:40 rings at 05T01:40:00", "01:40 ended"]),
    // The clock is set.
    Row(
      "forward over the alarm", from: "2026-11-26 06:58",
      [.add("daily", "07:00"), .jump(minutes(10)), .pass(minutes(2)), dismiss],
      ["07:00 rings at 26T07:09:00", "07:00 ended"]),
    Row(
      "far forward", from: "2026-11-26 06:00", [.add("daily", "07:00"), .jump(minutes(120)), .pass(minutes(2))],
      ["missed 26T07:00"]),
    Row(
      "back after it rang", from: "2026-11-26 06:59",
      [.add("daily", "07:00"), .pass(minutes(2)), dismiss, .jump(.zero - minutes(30)), .pass(minutes(60))],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "back while it rings", from: "2026-11-26 06:59",
      [.add("daily", "07:00"), .pass(minutes(2)), .jump(.zero - minutes(5)), .pass(minutes(10)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "back before it rang", from: "2026-11-26 06:59",
      [.add("daily", "07:00"), .jump(.zero - minutes(30)), .pass(minutes(32)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "the clock was years ahead", from: "2036-11-26 06:00",
      [
        .add("daily", "07:00"), .pass(minutes(61)), dismiss, .jump(.zero - day * 3653), .pass(day),
        dismiss,
      ], ["07:00 rings at 26T07:00:00", "07:00 ended", "07:00 rings at 27T07:00:00", "07:00 ended"]),
    Row(
      "what a wrong clock missed is still to come", from: "2026-11-26 06:00",
      [
        .add("once", "07:00"), .add("daily", "07:30"), .jump(day * 3653), .pass(minutes(2)), .jump(.zero - day * 3653),
        .pass(minutes(60)), dismiss, .pass(minutes(40)), dismiss,
      ],
      [
        "missed 26T07:00", "missed 25T07:30", "07:00 rings at 26T07:00:00", "07:00 ended", "07:30 rings at 26T07:30:00",
        "07:30 ended",
      ]),
    Row(
      "the time zone changes", from: "2026-11-26 04:00", in: .berlin,
      [.add("daily", "07:00"), .pass(minutes(60)), .zone(.utc), .pass(minutes(125)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "an earlier time zone", from: "2026-11-26 04:00",
      [.add("daily", "07:00"), .pass(minutes(60)), .zone(.berlin), .pass(minutes(62)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    // Snooze.
    Row(
      "snooze across midnight", from: "2026-11-26 23:54",
      [.add("once", "23:55"), .pass(minutes(2)), .event(.snooze(minutes: nil)), .pass(minutes(10)), dismiss],
      ["23:55 rings at 26T23:55:00", "23:55 snoozed 9", "23:55 rings at 27T00:05:00", "23:55 ended"]),
    Row(
      "snooze does not follow the clock", from: "2026-11-26 06:59",
      [
        .add("once", "07:00"), .pass(minutes(1)), .event(.snooze(minutes: 5)), .jump(.zero - minutes(60)),
        .pass(minutes(5)),
        dismiss,
      ], ["07:00 rings at 26T07:00:00", "07:00 snoozed 5", "07:00 rings at 26T06:05:00", "07:00 ended"]),
    Row(
      "snooze again, then dismiss", from: "2026-11-26 06:59",
      [
        .add("once", "07:00"), .pass(minutes(1)), .event(.snooze(minutes: 1)), .event(.snooze(minutes: 20)),
        .pass(minutes(19)), dismiss, .pass(minutes(10)), dismiss,
      ],
      ["07:00 rings at 26T07:00:00", "07:00 snoozed 1", "07:00 snoozed 20", "07:00 ended", "notRinging"]),
    Row(
      "nothing to snooze", from: "2026-11-26 06:59", [.event(.snooze(minutes: 5)), dismiss],
      ["notRinging", "notRinging"]),
    // Restart.
    Row(
      "a restart before it", from: "2026-11-26 06:00",
      [.add("once", "07:00"), .restart(minutes(30)), .pass(minutes(31)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "off for a while", from: "2026-11-26 06:50", [.add("once", "07:00"), .restart(minutes(25)), dismiss],
      ["07:00 rings at 26T07:15:00", "07:00 ended"]),
    Row(
      "off for too long", from: "2026-11-26 06:50",
      [.add("once", "07:00"), .restart(minutes(26)), .pass(day * 2), dismiss, dismiss],
      ["missed 26T07:00", "notRinging"]),
    Row(
      "off for days", from: "2026-11-26 06:50", [.add("daily", "07:00"), .restart(day * 3 + minutes(20)), dismiss],
      ["07:00 rings at 29T07:10:00", "07:00 ended"]),
    Row(
      "once stays once", from: "2026-11-26 06:50", [.add("once", "07:00"), .restart(day * 3 + minutes(20))],
      ["missed 26T07:00"]),
    Row(
      "a restart while it rings", from: "2026-11-26 06:59",
      [.add("once", "07:00"), .pass(minutes(2)), .restart(minutes(1)), dismiss],
      ["07:00 rings at 26T07:00:00", "07:00 rings at 26T07:02:00", "07:00 ended"]),
    Row(
      "a restart during a snooze", from: "2026-11-26 06:59",
      [
        .add("once", "07:00"), .pass(minutes(1)), .event(.snooze(minutes: 10)), .restart(minutes(2)), .pass(minutes(9)),
        dismiss,
      ],
      ["07:00 rings at 26T07:00:00", "07:00 snoozed 10", "07:00 rings at 26T07:10:00", "07:00 ended"]),
    Row(
      "off for longer than a snooze", from: "2026-11-26 06:59",
      [.add("once", "07:00"), .pass(minutes(1)), .event(.snooze(minutes: 10)), .restart(minutes(60))],
      ["07:00 rings at 26T07:00:00", "07:00 snoozed 10", "missed 26T07:10"]),
    // A board without a clock.
    Row(
      "waits for the clock", from: "2026-11-26 06:59", trust: ClockTrust(isBoard: true),
      [
        .add("daily", "07:00"), .pass(minutes(30)), .restart(.zero), .jump(minutes(23 * 60)), .synchronize,
        .pass(minutes(32)), dismiss,
      ], ["waits for the clock", "07:00 rings at 27T07:00:00", "07:00 ended"]),
    Row(
      "a clock that is set by hand", from: "2026-11-26 06:59", trust: ClockTrust(isBoard: true),
      [.add("daily", "07:00"), .pass(minutes(2)), .jump(day - minutes(3)), .pass(minutes(4)), dismiss],
      ["07:00 rings at 27T07:00:00", "07:00 ended"]),
    Row(
      "no time server, but a clock", from: "2026-11-26 06:59",
      trust: ClockTrust(hardwareClock: 1_795_676_400 + 3600, isBoard: true),
      [.add("daily", "07:00"), .pass(minutes(2)), dismiss], ["07:00 rings at 26T07:00:00", "07:00 ended"]),
    Row(
      "an alarm that was due while the time was unknown", from: "2026-11-26 06:50",
      [.add("daily", "07:00"), .restart(minutes(25)), dismiss], ["07:00 rings at 26T07:15:00", "07:00 ended"]),
    // Several.
    Row(
      "the same time", from: "2026-11-26 06:59",
      [
        .add("once", "07:00"), .add("once", "07:00") { $0.name = "other" }, .pass(minutes(2)), dismiss, .pass(day),
        dismiss,
      ],
      ["07:00 rings at 26T07:00:00", "07:00 ended", "notRinging"]),
    Row(
      "the next one takes over", from: "2026-11-26 06:59",
      [.add("once", "07:00"), .add("once", "07:05"), .pass(minutes(10)), dismiss, .pass(minutes(5))],
      ["07:00 rings at 26T07:00:00", "07:05 rings at 26T07:05:00", "07:05 ended"]),
  ])
  func rings(_ row: Row) {
    var table = AlarmTable(row.start, row.zone, trust: row.trust)
    table.run(row.steps)
    let words = ["volume", "ramp", "full", "play", "stop", "standby"]
    #expect(table.log.filter { line in !words.contains { line.hasPrefix($0) } } == row.log)
  }

  @Test func thereAreAtMost32() {
    var table = AlarmTable("2026-11-26 06:00")
    table.run(Array(repeating: .add("daily", "07:00"), count: 34) + [.pass(.seconds(3601)), .event(.dismiss)])
    #expect(table.machine.list.alarms.count == 32)
    #expect(table.log.filter { $0 == "full" }.count == 3)
    #expect(table.log.contains("07:00 ended"))
  }

  @Test func withoutAnAlarmNothingWakes() throws {
    var machine = AlarmMachine()
    let now = AlarmMoment(wall: .seconds(1_795_676_400), time: .now, trust: ClockTrust(isSynchronized: true))
    _ = try machine.step(.update, .init(), now: now, zone: TestZone.utc)
    #expect(machine.wake(now: now, zone: TestZone.utc) == nil)
    var alarm = ClockAlarm(time: try #require(TimeOfDay("07:00")), sound: .tone)
    alarm.isEnabled = false
    let id = try machine.add(alarm, now: now)
    #expect(machine.wake(now: now, zone: TestZone.utc) == nil)
    alarm.isEnabled = true
    try machine.change(id, to: alarm, now: now)
    #expect(machine.wake(now: now, zone: TestZone.utc) == .seconds(60))
  }
}

/// What happens while an alarm rings.
@Suite struct AlarmRingingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var isBroken = false
    let change: @Sendable (inout ClockAlarm) -> Void
    let steps: [AlarmTable.Step]
    let log: [String]

    var testDescription: String { name }

    init(
      _ name: String, isBroken: Bool = false, _ change: @escaping @Sendable (inout ClockAlarm) -> Void,
      _ steps: [AlarmTable.Step], _ log: [String]
    ) {
      (self.name, self.isBroken, self.change, self.steps, self.log) = (name, isBroken, change, steps, log)
    }

    init(_ name: String, isBroken: Bool = false, _ steps: [AlarmTable.Step], _ log: [String]) {
      self.init(name, isBroken: isBroken, { _ in }, steps, log)
    }
  }

  private static let begin = ["ramp 30", "volume 40", "play queue"]

  @Test(arguments: [
    Row("keeps the volume", [.event(.dismiss)], begin + ["stop", "full", "volume 40"]),
    Row(
      "sets and restores the volume", { ($0.volume, $0.ramp) = (25, 60) }, [.event(.dismiss)],
      ["ramp 60", "volume 25", "play queue", "stop", "full", "volume 40"]),
    Row(
      "the limit counts", { $0.volume = 90 }, [.event(.dismiss)],
      ["ramp 30", "volume 70", "play queue", "stop", "full", "volume 40"]),
    Row(
      "a volume that somebody sets ends the ramp and stays", { $0.volume = 25 },
      [.facts { $0.volume = 30 }, .event(.dismiss)], ["ramp 30", "volume 25", "play queue", "full", "stop", "full"]),
    Row("a pause dismisses", [.event(.stopped)], begin + ["full", "volume 40"]),
    Row("other music goes on", [.event(.replaced), .event(.dismiss)], begin),
    Row(
      "snooze restores the volume", { $0.volume = 25 },
      [.event(.snooze(minutes: 5)), .pass(.seconds(300)), .event(.dismiss)],
      [
        "ramp 30", "volume 25", "play queue", "stop", "full", "volume 40", "ramp 30", "volume 25", "play queue", "stop",
        "full", "volume 40",
      ]),
    Row(
      "music that is over begins again",
      [.facts { $0.isPlaying = true }, .event(.ended(isFailure: false)), .event(.dismiss)],
      begin + ["play queue", "stop", "full", "volume 40"]),
    Row(
      "a failure starts the tone", [.event(.ended(isFailure: true)), .event(.dismiss)],
      begin + ["play tone", "stop", "full", "volume 40"]),
    Row(
      "silence starts the tone", isBroken: true, [.pass(.seconds(29)), .pass(.seconds(2)), .event(.dismiss)],
      begin + ["play tone", "stop", "full", "volume 40"]),
    Row(
      "silence later starts the tone",
      [
        .pass(.seconds(300)), .facts { $0.isPlaying = false }, .pass(.seconds(20)), .facts { $0.isPlaying = true },
        .pass(.seconds(60)), .facts { $0.isPlaying = false }, .pass(.seconds(31)), .event(.dismiss),
      ],
      begin + ["play tone", "stop", "full", "volume 40"]),
    Row(
      "a tone that fails begins again",
      [
        .event(.ended(isFailure: true)), .facts { $0.isPlaying = false }, .event(.ended(isFailure: true)),
        .pass(.seconds(31)), .event(.dismiss),
      ],
      begin + ["play tone", "play tone", "stop", "full", "volume 40"]),
    Row(
      "the tone ends, too", { $0.limit = 10 }, [.event(.ended(isFailure: true)), .pass(.seconds(600))],
      begin + ["play tone", "stop", "full", "volume 40"]),
  ])
  func goesOn(_ row: Row) {
    var table = AlarmTable("2026-11-26 06:59")
    table.isBroken = row.isBroken
    table.run([.facts { $0.volumeLimit = 70 }, .add("once", "07:00", row.change), .pass(.seconds(60))] + row.steps)
    #expect(table.log.filter { !$0.hasPrefix("07:00") && $0 != "notRinging" } == row.log)
  }

  @Test func standbyAndMuteComeBack() {
    var table = AlarmTable("2026-11-26 06:59")
    table.run([
      .facts { ($0.isStandby, $0.isMuted, $0.volume) = (true, true, 3) }, .add("once", "07:00"), .pass(.seconds(60)),
      .event(.dismiss),
    ])
    #expect(
      table.log == [
        "ramp 30", "volume 10", "play queue", "07:00 rings at 26T07:00:00", "stop", "full", "volume 3 muted", "standby",
        "07:00 ended",
      ])
  }

  @Test func itWaitsForAnAnnouncement() {
    var table = AlarmTable("2026-11-26 06:59")
    table.run([
      .add("once", "07:00"), .facts { $0.isAnnouncing = true }, .pass(.seconds(90)), .facts { $0.isAnnouncing = false },
      .event(.dismiss),
    ])
    #expect(table.log.first { $0.contains("rings") } == "07:00 rings at 26T07:00:30")
  }
}
