/// Decides who is present, and when the home becomes empty or occupied.
struct PresenceMachine: Sendable, Equatable {
  /// About one person.
  struct Decision: Sendable, Equatable {
    enum Home: Sendable, Equatable {
      case everyoneLeft, someoneReturned
    }

    /// Index into `people`.
    var person: Int
    var isPresent: Bool
    /// Whether it is the first about this person since the start. Nobody has come or gone then.
    var isFirst: Bool
    /// What it means for the home, if anything.
    var home: Home?
  }

  private(set) var trackers: [PersonTracker]
  /// Nil until somebody is found, or nobody is.
  private(set) var isOccupied: Bool?
  /// Since when no scan is possible.
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
  var hasSeenEveryone: Bool { !trackers.isEmpty && trackers.allSatisfy(\.wasNearInScan) && !isUndecided }

  mutating func sighted(_ person: Int, rssi: Int, at now: ContinuousClock.Instant) -> Decision? {
    change(person) { $0.sighted(rssi, at: now) }
  }

  /// A person's device has connected or disconnected.
  mutating func connectionChanged(_ person: Int, isConnected: Bool, at now: ContinuousClock.Instant) -> Decision? {
    change(person) { $0.connectionChanged(isConnected, at: now) }
  }

  mutating func scanEnded(at now: ContinuousClock.Instant) -> [Decision] {
    // Only people with a connection can arrive now. They come first: otherwise the home could be empty for a moment.
    let people =
      trackers.indices.filter { trackers[$0].isConnected } + trackers.indices.filter { !trackers[$0].isConnected }
    return people.compactMap { person in change(person) { $0.scanEnded(at: now) } }
  }

  private mutating func change(_ person: Int, _ body: (inout PersonTracker) -> PersonTracker.Change?) -> Decision? {
    guard trackers.indices.contains(person) else { return nil }
    let isFirst = trackers[person].isPresent == nil
    return body(&trackers[person]).map { decision(about: person, isPresent: $0 == .arrived, isFirst: isFirst) }
  }

  /// While no scan is possible, nobody leaves.
  mutating func scanningChanged(isPossible: Bool, at now: ContinuousClock.Instant) {
    if isPossible, let since = pausedSince {
      for person in trackers.indices { trackers[person].resumed(after: now - since) }
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
