/// Finds the people among the devices that BlueZ sees, and those whose device is connected.
///
/// A device that belongs to nobody is ignored for one minute, and 20 % longer each time, up to three minutes. Then its
/// properties are read again, because it may have been paired or have become a beacon.
struct DeviceFilter {
  enum Verdict: Equatable {
    /// Index into the people.
    case person(Int)
    case ignored
    /// Not known yet, or not any more: read its properties and call `learn`.
    case unknown
  }

  private struct Ignored {
    var until: ContinuousClock.Instant
    var period: Duration
  }

  static let shortestPeriod = Duration.seconds(60)
  static let longestPeriod = Duration.seconds(180)
  private static let growth = 1.2
  /// Maximum number of devices in each table. Phones change their addresses, so the number of devices is unbounded.
  static let limit = 1024

  private let people: [PresenceSettings.Person.Device: Int]
  private var known: [String: Int] = [:]
  /// The known devices that are connected to the adapter.
  private var connected: Set<String> = []
  private var ignored: [String: Ignored] = [:]

  init(_ people: [PresenceSettings.Person]) {
    self.people = Dictionary(people.enumerated().map { ($1.device, $0) }) { first, _ in first }
  }

  /// The people with a connected device.
  var connectedPeople: Set<Int> { Set(connected.compactMap { known[$0] }) }

  /// - Parameter device: its object path.
  func verdict(on device: String, at now: ContinuousClock.Instant) -> Verdict {
    if let person = known[device] { return .person(person) }
    if let entry = ignored[device], now < entry.until { return .ignored }
    return .unknown
  }

  /// Decides about a device by its properties.
  /// - Parameters:
  ///   - address: the identity address of a bonded device; otherwise the address that it advertises.
  ///   - appleData: its manufacturer data for Apple's identifier; nil if there is none.
  /// - Returns: the index of the person; nil if the device belongs to nobody.
  mutating func learn(
    _ device: String, address: String?, appleData: [UInt8]?, isConnected: Bool = false,
    at now: ContinuousClock.Instant
  ) -> Int? {
    let person =
      address.flatMap { people[.address($0.uppercased())] }
      ?? appleData.flatMap(BeaconFrame.init(bytes:)).flatMap { self.person(of: $0) }
    guard let person else {
      removed(device)
      ignore(device, at: now)
      return nil
    }
    if known.count < Self.limit || known[device] != nil { known[device] = person }
    connectionChanged(device, isConnected: isConnected)
    ignored[device] = nil
    return person
  }

  /// A device has connected or disconnected. Ignored for devices that belong to nobody.
  mutating func connectionChanged(_ device: String, isConnected: Bool) {
    if isConnected, known[device] != nil { connected.insert(device) } else { connected.remove(device) }
  }

  /// Whether a device still belongs to the person after it has sent new manufacturer data.
  /// - Parameter appleData: the data for Apple's identifier; nil if it has not changed.
  func isStill(_ person: Int, _ appleData: [UInt8]?) -> Bool {
    guard let appleData, let device = people.first(where: { $0.value == person })?.key, case .beacon = device
    else { return true }
    return BeaconFrame(bytes: appleData).flatMap { self.person(of: $0) } == person
  }

  /// The person with the smallest region that contains the iBeacon.
  private func person(of frame: BeaconFrame) -> Int? {
    BeaconRegion.containing(frame).lazy.compactMap { people[.beacon($0)] }.first
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

  /// BlueZ has removed the device. Its ignore period is kept in case the device returns.
  mutating func removed(_ device: String) {
    known[device] = nil
    connected.remove(device)
  }

  /// Forgets all devices, because BlueZ has gone.
  mutating func reset() { (known, connected, ignored) = ([:], [], [:]) }
}
