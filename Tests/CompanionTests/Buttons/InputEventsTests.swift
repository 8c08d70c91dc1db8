import CLinux
import PlaybackTestKit
import Testing

@testable import Companion

@Suite struct InputEventsTests {
  private static let now = Duration.seconds(1000)
  private static let instant = ContinuousClock.now

  private static func read(_ bytes: [UInt8], _ events: inout InputEvents) -> [InputEvents.Item] {
    events.read(bytes, now: now, instant: instant)
  }

  private static func read(_ bytes: [UInt8]) -> [InputEvents.Item] {
    var events = InputEvents()
    return read(bytes, &events)
  }

  private static func change(_ age: Duration, _ kind: InputChange.Kind) -> InputEvents.Item {
    .change(InputChange(time: instant - age, kind: kind))
  }

  @Test func readsKeysAndDialsWithTheirTimes() {
    let time = Self.now - .milliseconds(300)
    let bytes =
      InputRecords.key(KEY_PLAYPAUSE, 1, time) + InputRecords.bytes(time, EV_REL, REL_DIAL, -2)
      + InputRecords.key(KEY_PLAYPAUSE, 0, Self.now)
    #expect(
      Self.read(bytes) == [
        Self.change(.milliseconds(300), .key(164, isDown: true)),
        Self.change(.milliseconds(300), .steps(axis: 7, count: -2)), Self.change(.zero, .key(164, isDown: false)),
      ])
  }

  @Test func recordsMayArriveInPieces() {
    let bytes = InputRecords.key(KEY_PLAYPAUSE, 1, Self.now)
    for cut in bytes.indices {
      var events = InputEvents()
      #expect(
        Self.read(Array(bytes[..<cut]), &events) + Self.read(Array(bytes[cut...]), &events) == [
          Self.change(.zero, .key(164, isDown: true))
        ])
    }
  }

  @Test(
    arguments: [
      (EV_KEY, KEY_PLAYPAUSE, 2), (EV_MSC, MSC_SCAN, 9), (EV_ABS, ABS_X, 1), (EV_REL, REL_WHEEL_HI_RES, 120),
      (EV_REL, REL_DIAL, 0), (EV_KEY, 0xFFFF, 1), (EV_KEY, KEY_PLAYPAUSE, 7), (0x1F, 0, 1),
    ] as [(Int32, Int32, Int32)])
  func ignoresEverythingElse(type: Int32, code: Int32, value: Int32) {
    #expect(Self.read(InputRecords.bytes(Self.now, type, code, value)).isEmpty)
  }

  @Test func dropsOldPressesButNotOldReleases() {
    let young = Self.now - .seconds(1)
    #expect(
      Self.read(InputRecords.key(KEY_PLAYPAUSE, 1, young)) == [Self.change(.seconds(1), .key(164, isDown: true))])
    let old = young - .milliseconds(1)
    #expect(Self.read(InputRecords.key(KEY_PLAYPAUSE, 1, old)).isEmpty)
    #expect(Self.read(InputRecords.bytes(old, EV_REL, REL_DIAL, 1)).isEmpty)
    #expect(
      Self.read(InputRecords.key(KEY_PLAYPAUSE, 0, old)) == [
        Self.change(.milliseconds(1001), .key(164, isDown: false))
      ])
  }

  @Test func aTimeInTheFutureIsNow() {
    #expect(
      Self.read(InputRecords.key(KEY_PLAYPAUSE, 1, Self.now + .seconds(9))) == [
        Self.change(.zero, .key(164, isDown: true))
      ])
    #expect(Self.read(InputRecords.bytes(.seconds(Int64.max), EV_KEY, 1, 1)).count == 1)
  }

  @Test func afterLostEventsTheRestOfTheReportIsIgnored() {
    let bytes =
      InputRecords.bytes(Self.now, EV_KEY, KEY_PLAYPAUSE, 1) + InputRecords.bytes(Self.now, EV_SYN, SYN_DROPPED, 0)
      + InputRecords.key(KEY_NEXTSONG, 1, Self.now) + InputRecords.key(KEY_NEXTSONG, 0, Self.now)
    #expect(
      Self.read(bytes) == [
        Self.change(.zero, .key(164, isDown: true)), .lost, Self.change(.zero, .key(163, isDown: false)),
      ])
  }

  // MARK: Model

  /// A record of a key or of a dial.
  private struct Record {
    let type: Int32
    let code: Int32
    let value: Int32
    let age: Duration

    init(_ random: inout SplitMix) {
      type = Int.random(in: 0..<4, using: &random) == 0 ? EV_REL : EV_KEY
      code = type == EV_REL ? REL_DIAL : Int32.random(in: 1...4, using: &random)
      value = Int32.random(in: 0...2, using: &random)
      age = .milliseconds(Int.random(in: 0...1300, using: &random))
    }

    var bytes: [UInt8] { InputRecords.bytes(now - age, type, code, value) }

    /// The documented rules: no steps of 0, no repetition of keys, no old steps and presses.
    var item: InputEvents.Item? {
      let isOld = age > .seconds(1)
      if type == EV_REL { return value == 0 || isOld ? nil : change(age, .steps(axis: 7, count: value)) }
      return value == 2 || value == 1 && isOld ? nil : change(age, .key(UInt16(code), isDown: value == 1))
    }
  }

  /// Events are lost at random places. Everything from there to the end of the report is ignored.
  @Test func randomReportsFollowTheModel() {
    for seed in 1...1000 as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      var (bytes, expected): ([UInt8], [InputEvents.Item]) = ([], [])
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let records = (0..<Int.random(in: 0...4, using: &random)).map { _ in Record(&random) }
        let lost = Bool.random(using: &random) ? Int.random(in: 0...records.count, using: &random) : nil
        for (index, record) in records.enumerated() {
          if index == lost { bytes += InputRecords.bytes(Self.now, EV_SYN, SYN_DROPPED, 0) }
          bytes += record.bytes
        }
        if lost == records.count { bytes += InputRecords.bytes(Self.now, EV_SYN, SYN_DROPPED, 0) }
        bytes += InputRecords.bytes(Self.now, EV_SYN, SYN_REPORT, 0)
        expected += records.prefix(lost ?? records.count).compactMap(\.item)
        if lost != nil { expected.append(.lost) }
      }
      var events = InputEvents()
      var items: [InputEvents.Item] = []
      while !bytes.isEmpty {
        let count = Int.random(in: 1...min(100, bytes.count), using: &random)
        items += Self.read(Array(bytes.prefix(count)), &events)
        bytes.removeFirst(count)
      }
      guard items == expected else {
        Issue.record("seed \(seed): read \(items), expected \(expected)")
        return
      }
    }
  }

  @Test func randomBytesGiveAtMostOneItemPerRecord() {
    var (random, events, bytes, items) = (SplitMix(state: 1), InputEvents(), 0, 0)
    for _ in 0..<500 {
      let part = (0..<Int.random(in: 0...100, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes += part.count
      items += Self.read(part, &events).count
    }
    #expect(items <= bytes / MemoryLayout<input_event>.size)
  }
}
