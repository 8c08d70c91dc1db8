/// Decides whether one person is present, from the sightings of their device and its connection.
///
/// A device that is connected need not advertise, so a connection counts as being near all the time.
struct PersonTracker: Sendable, Equatable {
  enum Change: Sendable, Equatable {
    case arrived
    /// The person has left, or the first decision is that they are absent.
    case left
  }

  /// Hysteresis in dB: out of range is this far below the threshold.
  static let hysteresis = 8.0
  /// A person leaves only after at least this many scans in a row without a sighting in range, even if the pauses
  /// between scans are long.
  static let scansToLeave = 2

  private let threshold: Double
  private let arrival: Duration
  private let departure: Duration

  /// Whether the person is present; nil until the first decision.
  private(set) var isPresent: Bool?
  /// Whether the device is connected to the adapter.
  private(set) var isConnected = false
  /// Whether the last sighting was in range.
  private(set) var isNear = false
  private(set) var filter = SignalFilter()
  /// When the person came into range; nil if they are out of range or already present.
  private var nearSince: ContinuousClock.Instant?
  /// The time of the last sighting in range, or of the start.
  private var lastNear: ContinuousClock.Instant
  private var wasNearInScan = false
  private var missedScans = 0

  init(threshold: Int, arrival: Duration, departure: Duration, at now: ContinuousClock.Instant) {
    self.threshold = Double(threshold)
    self.arrival = arrival
    self.departure = departure
    lastNear = now
  }

  /// Whether the next scan should come soon because it decides about an arrival. A connection decides without scans.
  var isArriving: Bool { nearSince != nil && !isConnected }

  /// When a connected person arrives without further events.
  var arrivalTime: ContinuousClock.Instant? { isConnected ? nearSince.map { $0 + arrival } : nil }

  /// Whether the current scan cannot learn anything new about the person.
  var isSeen: Bool { isConnected || wasNearInScan }

  mutating func sighted(_ rssi: Int, at now: ContinuousClock.Instant) -> Change? {
    guard let level = filter.add(rssi, at: now) else { return nil }
    if isConnected || level >= (isNear ? threshold - Self.hysteresis : threshold) { return near(at: now) }
    (isNear, nearSince) = (false, nil)
    return nil
  }

  mutating func connectionChanged(_ isConnected: Bool, at now: ContinuousClock.Instant) -> Change? {
    guard isConnected != self.isConnected else { return nil }
    self.isConnected = isConnected
    // The end of a connection also shows that the device is near.
    return near(at: now)
  }

  /// A person whose device stays connected arrives with time.
  mutating func timePassed(at now: ContinuousClock.Instant) -> Change? { isConnected ? near(at: now) : nil }

  /// Forgets that the person was near before the scan, for example when the device disconnected.
  mutating func scanBegan() { wasNearInScan = false }

  mutating func scanEnded(at now: ContinuousClock.Instant) -> Change? {
    defer { wasNearInScan = false }
    if isConnected { return near(at: now) }
    guard !wasNearInScan else { return nil }
    (missedScans, nearSince, isNear) = (missedScans + 1, nil, false)
    guard isPresent != false, missedScans >= Self.scansToLeave, now - lastNear >= departure else { return nil }
    isPresent = false
    return .left
  }

  private mutating func near(at now: ContinuousClock.Instant) -> Change? {
    (isNear, lastNear, wasNearInScan, missedScans) = (true, now, true, 0)
    guard isPresent != true else { return nil }
    let since = nearSince ?? now
    guard now - since >= arrival else {
      nearSince = since
      return nil
    }
    (isPresent, nearSince) = (true, nil)
    return .arrived
  }

  /// Excludes a time without scans, so that it does not count towards a departure.
  mutating func resumed(after gap: Duration, at now: ContinuousClock.Instant) {
    // A connection may have shown during the gap that the person is near.
    lastNear = min(lastNear + gap, now)
    (nearSince, missedScans, wasNearInScan) = (isConnected ? nearSince.map { _ in now } : nil, 0, false)
  }
}
