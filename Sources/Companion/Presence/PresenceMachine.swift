/// Decides who is present, and when the home becomes empty or occupied.
struct PresenceMachine: Sendable, Equatable {
  /// A decision about one person.
  struct Decision: Sendable, Equatable {
    enum Home: Sendable, Equatable {
      case everyoneLeft, someoneReturned
    }

    /// Index into `people`.
    var person: Int
    var isPresent: Bool
    /// Whether this is the person's first state since the start, rather than an arrival or a departure.
    var isFirst: Bool
    /// Set if the home has become empty or occupied by this decision.
    var home: Home?
  }

  private(set) var trackers: [PersonTracker]
  /// Whether anybody is present; nil until the first person is found or everybody is absent.
  private(set) var isOccupied: Bool?
  /// When scanning became impossible; nil while it is possible.
  private var pausedSince: ContinuousClock.Instant?

  init(_ settings: PresenceSettings, at now: ContinuousClock.Instant) {
    trackers = settings.people.map { person in
      PersonTracker(
        threshold: person.threshold ?? settings.threshold, arrival: settings.arrival, departure: settings.departure,
        at: now)
    }
  }

  /// Whether the next scan decides about an arrival.
  var isUndecided: Bool { trackers.contains(where: \.isArriving) }

  /// Whether a scan can end early, because everybody has been seen in it.
  var hasSeenEveryone: Bool { !trackers.isEmpty && trackers.allSatisfy(\.isSeen) && !isUndecided }

  /// Whether scans are needed. They are not while everybody is connected.
  var needsScans: Bool { trackers.isEmpty || !trackers.allSatisfy(\.isConnected) }

  /// When to call `timePassed`; nil if time alone decides nothing.
  var nextArrival: ContinuousClock.Instant? { trackers.compactMap(\.arrivalTime).min() }

  mutating func sighted(_ person: Int, rssi: Int, at now: ContinuousClock.Instant) -> Decision? {
    change(person) { $0.sighted(rssi, at: now) }
  }

  /// A person's device has connected or disconnected.
  mutating func connectionChanged(_ person: Int, isConnected: Bool, at now: ContinuousClock.Instant) -> Decision? {
    change(person) { $0.connectionChanged(isConnected, at: now) }
  }

  /// Connected people can arrive between scans.
  mutating func timePassed(at now: ContinuousClock.Instant) -> [Decision] {
    trackers.indices.compactMap { person in change(person) { $0.timePassed(at: now) } }
  }

  mutating func scanBegan() { for person in trackers.indices { trackers[person].scanBegan() } }

  /// A scan that had begun has ended.
  mutating func scanEnded(at now: ContinuousClock.Instant) -> [Decision] {
    // Only connected people can arrive now. Handle them first, or the home could be empty for a moment.
    let people =
      trackers.indices.filter { trackers[$0].isConnected } + trackers.indices.filter { !trackers[$0].isConnected }
    return people.compactMap { person in change(person) { $0.scanEnded(at: now) } }
  }

  private mutating func change(_ person: Int, _ body: (inout PersonTracker) -> PersonTracker.Change?) -> Decision? {
    guard trackers.indices.contains(person) else { return nil }
    let isFirst = trackers[person].isPresent == nil
    return body(&trackers[person]).map { decision(about: person, isPresent: $0 == .arrived, isFirst: isFirst) }
  }

  /// Scanning has become possible or impossible. Nobody leaves while it is impossible.
  mutating func scanningChanged(isPossible: Bool, at now: ContinuousClock.Instant) {
    if isPossible, let since = pausedSince {
      for person in trackers.indices { trackers[person].resumed(after: now - since, at: now) }
      pausedSince = nil
    } else if !isPossible, pausedSince == nil {
      pausedSince = now
    }
  }

  private mutating func decision(about person: Int, isPresent: Bool, isFirst: Bool) -> Decision {
    let before = isOccupied
    if isPresent {
      isOccupied = true
    } else if trackers.allSatisfy({ $0.isPresent == false }) {
      isOccupied = false
    }
    let home: Decision.Home? =
      switch (before, isOccupied) {
      case (true, false): .everyoneLeft
      case (false, true): .someoneReturned
      default: nil
      }
    return Decision(person: person, isPresent: isPresent, isFirst: isFirst, home: home)
  }
}
