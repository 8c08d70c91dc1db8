/// Finds the people among the devices that BlueZ sees.
///
/// A device that belongs to nobody is ignored for one minute, and 20 % longer each time, up to three minutes. Only then is it
/// looked at again: it may have been paired, or have changed into a beacon.
struct DeviceFilter {
  enum Verdict: Equatable {
    /// Index into the people.
    case person(Int)
    case ignored
    /// Its properties are needed for `learn`.
    case unknown
  }

  private struct Ignored {
    var until: ContinuousClock.Instant
    var period: Duration
  }

  static let shortestPeriod = Duration.seconds(60)
  static let longestPeriod = Duration.seconds(180)
  private static let growth = 1.2
  /// Phones change their addresses: the number of devices has no limit of its own.
  static let limit = 1024

  private let people: [PresenceSettings.Person.Device: Int]
  private var known: [String: Int] = [:]
  private var ignored: [String: Ignored] = [:]

  init(_ people: [PresenceSettings.Person]) {
    self.people = Dictionary(people.enumerated().map { ($1.device, $0) }) { first, _ in first }
  }

  /// - Parameter device: its object path.
  func verdict(on device: String, at now: ContinuousClock.Instant) -> Verdict {
    if let person = known[device] { return .person(person) }
    if let entry = ignored[device], now < entry.until { return .ignored }
    return .unknown
  }

  /// Decides about a device by its properties.
  /// - Parameters:
  ///   - address: the identity address of a bonded device; otherwise the one it sends with.
  ///   - appleData: its manufacturer data with Apple's identifier, if any.
  /// - Returns: nil if it belongs to nobody.
  mutating func learn(
    _ device: String, address: String?, appleData: [UInt8]?, at now: ContinuousClock.Instant
  ) -> Int? {
    let person =
      address.flatMap { people[.address($0.uppercased())] }
      ?? appleData.flatMap(BeaconFrame.init(bytes:)).flatMap { people[.beacon($0.uuid)] }
    guard let person else {
      known[device] = nil
      ignore(device, at: now)
      return nil
    }
    if known.count < Self.limit { known[device] = person }
    ignored[device] = nil
    return person
  }

  /// Whether a person's device is the same after it has sent new manufacturer data; nil for none.
  func isStill(_ person: Int, _ appleData: [UInt8]?) -> Bool {
    guard let appleData, let device = people.first(where: { $0.value == person })?.key, case .beacon(let uuid) = device
    else { return true }
    return BeaconFrame(bytes: appleData)?.uuid == uuid
  }

  private mutating func ignore(_ device: String, at now: ContinuousClock.Instant) {
    if ignored.count >= Self.limit, ignored[device] == nil {
      ignored = ignored.filter { now < $0.value.until }
      if ignored.count >= Self.limit, let oldest = ignored.min(by: { $0.value.until < $1.value.until }) {
        ignored[oldest.key] = nil
      }
    }
    let last = ignored[device]?.period
    let period = last.map { min($0 * Self.growth, Self.longestPeriod) } ?? Self.shortestPeriod
    ignored[device] = Ignored(until: now + period, period: period)
  }

  /// BlueZ has forgotten the device. How long it is ignored is kept, in case that it returns.
  mutating func removed(_ device: String) { known[device] = nil }

  /// BlueZ itself has gone.
  mutating func reset() { (known, ignored) = ([:], [:]) }
}
