import PlaybackTestKit
import Testing

@testable import Companion

/// Random sequences of events, compared with a model that derives presence from the whole history.
@Suite struct PresenceModelTests {
  private enum Event {
    case near(Int)
    case far(Int)
    case scanEnded
    case adapter(Bool)
  }

  private struct Record {
    var time: Double
    var event: Event
  }

  private static let settings = PresenceSettings(
    people: (0..<3).map { .init(name: "\($0)", device: .address("00:00:5E:00:53:0\($0)")) }, threshold: -80,
    arrival: .seconds(6), departure: .seconds(60))

  /// Presence as documented, derived from the history of events.
  private struct Model {
    var present: [Bool?] = [nil, nil, nil]
    private var history: [Record] = []
    /// Time during which scans were possible.
    private var usable = 0.0
    private var last = 0.0
    private var isPossible = true
    private var stamps: [Double] = []
    /// The people whose devices are connected. They count as near all the time.
    var connected: Set<Int> = []
    /// The smoothed signal of each person, and when it was measured.
    private var levels: [(level: Double, time: Double)?] = [nil, nil, nil]

    /// Whether a sighting is near, by the smoothed signal and the threshold, which is lower for somebody who is near.
    mutating func sighting(of person: Int, rssi: Int, time: Double) -> Event {
      var level = Double(rssi)
      if let last = levels[person], time - last.time <= 60 {
        let step = max(0.25, time - last.time)
        level = last.level + (level - last.level) * step / (step + 5)
      }
      levels[person] = (level, time)
      let isNear = connected.contains(person) || level >= (wasNear(person) ? -88 : -80)
      return isNear ? .near(person) : .far(person)
    }

    private func wasNear(_ person: Int) -> Bool {
      for index in history.indices.reversed() {
        switch history[index].event {
        case .near(person): return true
        case .far(person): return false
        case .scanEnded where !hasSighting(of: person, inScanEndingAt: index): return false
        default: break
        }
      }
      return false
    }

    mutating func add(_ record: Record) {
      if isPossible { usable += record.time - last }
      last = record.time
      if case .adapter(let isOn) = record.event { isPossible = isOn }
      history.append(record)
      stamps.append(usable)
      for person in present.indices { decide(person) }
    }

    private mutating func decide(_ person: Int) {
      // Walk backwards to the last run of near sightings, and count the scans that missed the person since.
      var missed = 0
      var lastNear = 0.0
      var wasSeen = false
      var firstNear: Double?
      walk: for index in history.indices.reversed() {
        switch history[index].event {
        case .near(person):
          if !wasSeen { lastNear = stamps[index] }
          wasSeen = true
          firstNear = history[index].time
        case .far(person): if wasSeen { break walk }
        case .scanEnded:
          // A scan without a sighting ends a run of sightings.
          if wasSeen, !hasSighting(of: person, inScanEndingAt: index) { break walk }
          if !wasSeen, !hasSighting(of: person, inScanEndingAt: index) { missed += 1 }
        case .adapter(true):
          if wasSeen { break walk }
        default: break
        }
      }
      if case .near(person)? = history.last?.event, let firstNear, last - firstNear >= 6 { present[person] = true }
      if case .scanEnded? = history.last?.event, scansSinceAdapter(missed: missed) >= 2, usable - lastNear >= 60 {
        present[person] = false
      }
    }

    private func scansSinceAdapter(missed: Int) -> Int {
      let begin = history.lastIndex { if case .adapter(true) = $0.event { true } else { false } } ?? -1
      let scans = history[(begin + 1)...].count { if case .scanEnded = $0.event { true } else { false } }
      return min(missed, scans)
    }

    private func hasSighting(of person: Int, inScanEndingAt end: Int) -> Bool {
      for index in history[..<end].indices.reversed() {
        switch history[index].event {
        case .near(person): return true
        case .scanEnded: return false
        case .adapter(true): return false
        default: break
        }
      }
      return false
    }
  }

  @Test(arguments: 1...40)
  func decisionsAgreeWithTheModel(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let start = ContinuousClock.now
    var machine = PresenceMachine(Self.settings, at: start)
    var model = Model()
    var occupied: Bool?
    var time = 0.0
    var isPossible = true
    for step in 0..<400 {
      time += Double(Int.random(in: 0...40, using: &random)) / 2
      let now = start + .seconds(time)
      let person = Int.random(in: 0..<3, using: &random)
      var decisions: [PresenceMachine.Decision] = []
      let event: Event
      switch (Int.random(in: 0..<13, using: &random), isPossible) {
      case (0..<5, true):
        let rssi = [-30, -60, -78, -83, -90, -120].randomElement(using: &random) ?? -30
        event = model.sighting(of: person, rssi: rssi, time: time)
        decisions = machine.sighted(person, rssi: rssi, at: now).map { [$0] } ?? []
      case (11, true):
        let isConnected = !model.connected.contains(person)
        if isConnected { model.connected.insert(person) } else { model.connected.remove(person) }
        event = .near(person)
        decisions = machine.connectionChanged(person, isConnected: isConnected, at: now).map { [$0] } ?? []
      case (5..<10, true):
        for person in model.connected.sorted() { model.add(Record(time: time, event: .near(person))) }
        event = .scanEnded
        decisions = machine.scanEnded(at: now)
      case (12, true):
        guard let last = model.connected.max() else { continue }
        for person in model.connected.sorted() where person != last {
          model.add(Record(time: time, event: .near(person)))
        }
        event = .near(last)
        decisions = machine.timePassed(at: now)
      case (10, _), (_, false):
        isPossible.toggle()
        event = .adapter(isPossible)
        machine.scanningChanged(isPossible: isPossible, at: now)
      default: continue
      }
      model.add(Record(time: time, event: event))
      // The arrival time of connected people begins again with the adapter.
      if case .adapter(true) = event {
        for person in model.connected { model.add(Record(time: time, event: .near(person))) }
      }
      #expect(machine.trackers.map(\.isPresent) == model.present, "seed \(seed), step \(step)")
      let before = occupied
      if model.present.contains(true) {
        occupied = true
      } else if model.present.allSatisfy({ $0 == false }) {
        occupied = false
      }
      let home: PresenceMachine.Decision.Home? =
        switch (before, occupied) {
        case (true, false): .everyoneLeft
        case (false, true): .someoneReturned
        default: nil
        }
      // Several decisions can follow from one scan. The first to arrive fills the home, the last to leave empties it.
      let homes = decisions.map(\.home)
      #expect(homes.compactMap(\.self) == [home].compactMap(\.self), "seed \(seed), step \(step)")
      if let home { #expect((home == .everyoneLeft ? homes.last : homes.first) == home) }
    }
  }
}
