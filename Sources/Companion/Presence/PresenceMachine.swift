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
    guard trackers.indices.contains(person) else { return nil }
    let isFirst = trackers[person].isPresent == nil
    guard trackers[person].sighted(rssi, at: now) else { return nil }
    return decision(about: person, isPresent: true, isFirst: isFirst)
  }

  mutating func scanEnded(at now: ContinuousClock.Instant) -> [Decision] {
    trackers.indices.compactMap { person in
      let isFirst = trackers[person].isPresent == nil
      guard trackers[person].scanEnded(at: now) else { return nil }
      return decision(about: person, isPresent: false, isFirst: isFirst)
    }
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
