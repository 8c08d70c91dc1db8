/// Decides whether one person is present, from the sightings of their device.
struct PersonTracker: Sendable, Equatable {
  /// Leaving the range takes this much less than entering it, in dB.
  static let hysteresis = 8.0
  /// A person is away only after this many scans without them, however long the scans were apart.
  static let scansToLeave = 2

  private let threshold: Double
  private let arrival: Duration
  private let departure: Duration

  /// Nil until the first decision.
  private(set) var isPresent: Bool?
  /// Whether the last sighting was in range.
  private(set) var isNear = false
  private(set) var filter = SignalFilter()
  /// Since when the person has been near, unless they are present already.
  private var nearSince: ContinuousClock.Instant?
  /// The last sighting in range, or the begin.
  private var lastNear: ContinuousClock.Instant
  private(set) var wasNearInScan = false
  private var missedScans = 0

  init(threshold: Int, arrival: Duration, departure: Duration, at now: ContinuousClock.Instant) {
    self.threshold = Double(threshold)
    self.arrival = arrival
    self.departure = departure
    lastNear = now
  }

  /// Whether the next scan should come soon because it decides about an arrival.
  var isArriving: Bool { nearSince != nil }

  /// - Returns: whether the person has just arrived.
  mutating func sighted(_ rssi: Int, at now: ContinuousClock.Instant) -> Bool {
    guard let level = filter.add(rssi, at: now) else { return false }
    isNear = level >= (isNear ? threshold - Self.hysteresis : threshold)
    guard isNear else {
      nearSince = nil
      return false
    }
    (lastNear, wasNearInScan, missedScans) = (now, true, 0)
    guard isPresent != true else { return false }
    let since = nearSince ?? now
    guard now - since >= arrival else {
      nearSince = since
      return false
    }
    (isPresent, nearSince) = (true, nil)
    return true
  }

  /// - Returns: whether the person has just left, or is known to be away for the first time.
  mutating func scanEnded(at now: ContinuousClock.Instant) -> Bool {
    defer { wasNearInScan = false }
    guard !wasNearInScan else { return false }
    (missedScans, nearSince, isNear) = (missedScans + 1, nil, false)
    guard isPresent != false, missedScans >= Self.scansToLeave, now - lastNear >= departure else { return false }
    isPresent = false
    return true
  }

  /// Time without a working adapter does not count.
  mutating func resumed(after gap: Duration) {
    lastNear += gap
    (nearSince, missedScans, wasNearInScan) = (nil, 0, false)
  }
}
