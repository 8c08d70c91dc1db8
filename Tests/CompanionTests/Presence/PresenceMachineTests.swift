import Testing

@testable import Companion

@Suite struct PresenceMachineTests {
  private static let start = ContinuousClock.now
  private static func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  private static let two = PresenceSettings(
    people: [
      .init(name: "Ann", device: .address("00:00:5E:00:53:01")),
      .init(name: "Bob", device: .address("00:00:5E:00:53:02")),
    ], threshold: -80, arrival: .seconds(5), departure: .seconds(60))

  /// Performs scans of four seconds every twenty seconds, and sees these people in each.
  private static func scan(
    _ machine: inout PresenceMachine, from begin: Double, to end: Double, seeing people: [Int], rssi: Int = -60
  ) -> [PresenceMachine.Decision] {
    var decisions: [PresenceMachine.Decision] = []
    for window in stride(from: begin, to: end, by: 20) {
      for second in 0..<4 {
        for person in people {
          let now = time(window + Double(second))
          if let decision = machine.sighted(person, rssi: rssi, at: now) { decisions.append(decision) }
        }
      }
      decisions += machine.scanEnded(at: time(window + 4))
    }
    return decisions
  }

  @Test func firstDecisionsAreNoEvents() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    let decisions = Self.scan(&machine, from: 0, to: 100, seeing: [0])
    #expect(
      decisions == [
        .init(person: 0, isPresent: true, isFirst: true, home: nil),
        .init(person: 1, isPresent: false, isFirst: true, home: nil),
      ])
    #expect(machine.isOccupied == true)
  }

  @Test func theLastToLeaveEmptiesTheHomeAndTheFirstToReturnFillsIt() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    _ = Self.scan(&machine, from: 0, to: 100, seeing: [0, 1])
    #expect(
      Self.scan(&machine, from: 100, to: 300, seeing: [1]) == [.init(person: 0, isPresent: false, isFirst: false)])
    #expect(
      Self.scan(&machine, from: 300, to: 500, seeing: [])
        == [.init(person: 1, isPresent: false, isFirst: false, home: .everyoneLeft)])
    #expect(
      Self.scan(&machine, from: 500, to: 600, seeing: [0, 1])
        == [
          .init(person: 0, isPresent: true, isFirst: false, home: .someoneReturned),
          .init(person: 1, isPresent: true, isFirst: false),
        ])
  }

  @Test func nobodyHomeAtTheStartIsNoDeparture() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    let decisions = Self.scan(&machine, from: 0, to: 200, seeing: [])
    #expect(decisions.map(\.home) == [nil, nil] && machine.isOccupied == false)
    #expect(Self.scan(&machine, from: 200, to: 300, seeing: [1]).map(\.home) == [.someoneReturned])
  }

  @Test func departureNeedsTheTimeAndTwoScans() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    _ = Self.scan(&machine, from: 0, to: 40, seeing: [0, 1])
    // One missed scan is not enough, even long after the departure time.
    #expect(machine.scanEnded(at: Self.time(1000)) == [])
    let gone1001 = machine.scanEnded(at: Self.time(1001))
    #expect(gone1001.count == 2)
  }

  @Test func timeWithoutAnAdapterDoesNotCount() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    _ = Self.scan(&machine, from: 0, to: 60, seeing: [0, 1])
    machine.scanningChanged(isPossible: false, at: Self.time(60))
    machine.scanningChanged(isPossible: false, at: Self.time(70))
    machine.scanningChanged(isPossible: true, at: Self.time(3600))
    // The last sighting was 17 s before the adapter disappeared, and that time counts.
    #expect(machine.scanEnded(at: Self.time(3604)) == [])
    #expect(machine.scanEnded(at: Self.time(3642)) == [])
    let gone3643 = machine.scanEnded(at: Self.time(3643))
    #expect(gone3643.count == 2)
  }

  /// Samples of the signal, one per second, and whether the person is near afterwards. The threshold is −80 dBm.
  @Test(arguments: [
    ([-79], true), ([-81], false), ([-80], true), ([-70, -84, -84], true),
    ([-79] + Array(repeating: -87, count: 40), true),
    ([-79] + Array(repeating: -90, count: 40), false), ([-90] + Array(repeating: -81, count: 40), false),
    ([-90] + Array(repeating: -70, count: 8), true), ([-70, -127, -70], true), ([-90, 127, 127, 0, 99], false),
  ])
  func hysteresisAndSmoothing(_ samples: [Int], _ isNear: Bool) {
    var tracker = PersonTracker(threshold: -80, arrival: .seconds(5), departure: .seconds(60), at: Self.start)
    for (second, rssi) in samples.enumerated() { _ = tracker.sighted(rssi, at: Self.time(Double(second))) }
    #expect(tracker.isNear == isNear)
  }

  @Test func aPassingPersonDoesNotArrive() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    // Each of ten scans has one short sighting.
    for scan in 0..<10 {
      let begin = Double(scan) * 40
      #expect(machine.sighted(0, rssi: -60, at: Self.time(begin)) == nil)
      #expect(machine.isUndecided)
      _ = machine.scanEnded(at: Self.time(begin + 4))
      _ = machine.scanEnded(at: Self.time(begin + 9))
      #expect(!machine.isUndecided)
    }
    #expect(machine.trackers[0].isPresent != true)
  }

  @Test func strangersInTheListAreIgnored() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    #expect(machine.sighted(2, rssi: -60, at: Self.start) == nil)
    #expect(machine.sighted(-1, rssi: -60, at: Self.start) == nil)
  }

  // MARK: Connections

  enum Event {
    case connected(Bool)
    case sighted(Int)
    case scanEnded
  }

  private static let connections: [[(second: Double, event: Event, change: PersonTracker.Change?)]] = [
    // A connected person arrives and stays without a signal. The departure time starts at the end of the connection.
    [
      (0, .connected(true), nil), (4, .scanEnded, nil), (9, .scanEnded, .arrived), (29, .scanEnded, nil),
      (500, .scanEnded, nil), (520, .scanEnded, nil), (521, .connected(false), nil), (540, .scanEnded, nil),
      (560, .scanEnded, nil), (580, .scanEnded, nil), (600, .scanEnded, .left),
    ],
    // A weak signal has no effect during a connection.
    [(0, .connected(true), nil), (1, .sighted(-120), nil), (5, .scanEnded, .arrived), (6, .sighted(-120), nil)],
    // A connection shorter than the arrival time is not an arrival.
    [
      (0, .connected(true), nil), (3, .connected(false), nil), (4, .scanEnded, nil), (9, .scanEnded, nil),
      (12, .sighted(-60), nil), (13, .scanEnded, nil), (30, .scanEnded, nil), (71, .scanEnded, nil),
      (72, .scanEnded, .left),
    ],
    // The times of signal and connection add up.
    [(0, .sighted(-60), nil), (3, .connected(true), nil), (5, .connected(false), .arrived), (6, .sighted(-60), nil)],
    // A repeated report of the same connection state does not count as a sighting.
    [(30, .connected(false), nil), (40, .scanEnded, nil), (60, .scanEnded, .left)],
    [
      (0, .connected(true), nil), (5, .connected(true), nil), (6, .connected(false), .arrived),
      (40, .connected(false), nil), (50, .scanEnded, nil), (60, .scanEnded, nil), (66, .scanEnded, .left),
    ],
  ]

  /// Bob arrives by his connection in the scan that misses Ann for the last time.
  @Test func theHomeIsNotEmptyForAMoment() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    #expect(Self.scan(&machine, from: 0, to: 40, seeing: [0]).map(\.person) == [0])
    #expect(Self.scan(&machine, from: 40, to: 80, seeing: []).map(\.person) == [1])
    #expect(machine.connectionChanged(1, isConnected: true, at: Self.time(80)) == nil)
    #expect(
      machine.scanEnded(at: Self.time(200)) == [
        .init(person: 1, isPresent: true, isFirst: false, home: nil),
        .init(person: 0, isPresent: false, isFirst: false, home: nil),
      ])
  }

  /// Bob need not advertise, so scans can end early without a sighting of him.
  @Test func connectedPeopleCountAsSeenInEveryScan() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    #expect(machine.needsScans && !machine.hasSeenEveryone)
    _ = machine.connectionChanged(1, isConnected: true, at: Self.start)
    _ = Self.scan(&machine, from: 0, to: 40, seeing: [0])
    for window in [40.0, 60, 80] {
      #expect(!machine.hasSeenEveryone)
      _ = machine.sighted(0, rssi: -60, at: Self.time(window))
      #expect(machine.hasSeenEveryone && machine.needsScans)
      #expect(machine.scanEnded(at: Self.time(window + 1)) == [])
    }
  }

  @Test func nobodyIsScannedForWhileEverybodyIsConnected() {
    var machine = PresenceMachine(Self.two, at: Self.start)
    machine.scanningChanged(isPossible: false, at: Self.start)
    for person in [0, 1] {
      #expect(machine.needsScans)
      #expect(machine.connectionChanged(person, isConnected: true, at: Self.time(Double(person))) == nil)
    }
    #expect(!machine.needsScans && machine.hasSeenEveryone && !machine.isUndecided)
    // The arrival time counts from when scans are possible.
    machine.scanningChanged(isPossible: true, at: Self.time(2))
    #expect(machine.nextArrival == Self.time(7))
    #expect(machine.timePassed(at: Self.time(6.9)) == [])
    #expect(machine.timePassed(at: Self.time(7)).map(\.person) == [0, 1])
    #expect(machine.nextArrival == nil && machine.timePassed(at: Self.time(1000)) == [])
    #expect(machine.connectionChanged(0, isConnected: false, at: Self.time(1000)) == nil)
    #expect(machine.needsScans)
    // The departure time begins now. A scan does not end early because the device was connected before it.
    for window in [1000.0, 1030] {
      machine.scanBegan()
      #expect(!machine.hasSeenEveryone)
      #expect(machine.scanEnded(at: Self.time(window + 4)) == [])
    }
    machine.scanBegan()
    #expect(machine.scanEnded(at: Self.time(1060)).map(\.person) == [0])
  }

  @Test(arguments: connections.indices)
  func aConnectionIsLikeBeingNear(index: Int) {
    var tracker = PersonTracker(threshold: -80, arrival: .seconds(5), departure: .seconds(60), at: Self.start)
    for (number, step) in Self.connections[index].enumerated() {
      let now = Self.time(step.second)
      let change =
        switch step.event {
        case .connected(let isConnected): tracker.connectionChanged(isConnected, at: now)
        case .sighted(let rssi): tracker.sighted(rssi, at: now)
        case .scanEnded: tracker.scanEnded(at: now)
        }
      #expect(change == step.change, "step \(number)")
    }
  }
}
