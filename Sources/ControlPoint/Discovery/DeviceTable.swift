import NIOCore
import UPnP

/// A device as its announcements show it, before its description is read.
public struct DiscoveredDevice: Sendable, Hashable {
  /// `uuid:…`
  public var udn: String
  /// The URL of its description.
  public var location: HTTPURL
  /// Everything that it has announced: `upnp:rootdevice`, its UDN, device and service types.
  public var types: Set<String>
  /// SERVER, such as `Linux/6.1 UPnP/1.1 Swiftlet/1.0`.
  public var server: String
  /// Changes when the device restarts or comes to another network; nil for UPnP 1.0.
  public var bootID: Int?
  /// Changes with the device's descriptions; nil for UPnP 1.0.
  public var configID: Int?

  /// Whether a search for the target finds this device.
  public func matches(_ target: SearchTarget) -> Bool {
    switch target {
    case .all: true
    case .rootDevice: types.contains(SearchTarget.rootDeviceText)
    case .udn(let udn): self.udn == udn
    case .type(let wanted): types.contains { URN($0)?.satisfies(wanted) ?? false }
    }
  }
}

/// The devices that are available, according to their announcements. A pure state machine: notices and time in, changes
/// out.
struct DeviceTable {
  typealias Instant = NIODeadline

  enum Change: Sendable, Hashable {
    /// A new device, or something about a known one is different.
    case seen(DiscoveredDevice)
    case gone(DiscoveredDevice, DepartureReason)

    var device: DiscoveredDevice {
      switch self {
      case .seen(let device), .gone(let device, _): device
      }
    }
  }

  /// Limits of the table. With the lengths that `SSDPNotice` allows, a full table takes about 60 MB.
  struct Limits {
    /// Further devices are ignored until others leave.
    var devices = 4096
    /// Announced types of one device.
    var types = 64
    /// Addresses of one device.
    var locations = 4
  }

  private struct Entry {
    var device: DiscoveredDevice
    /// When each of its addresses expires. A device on two networks announces one on each.
    var locations: [HTTPURL: Instant]
    var expires: Instant { locations.values.max() ?? .distantPast }
  }

  private let limits: Limits
  private var entries: [String: Entry] = [:]

  init(limits: Limits = Limits()) { self.limits = limits }

  var devices: [DiscoveredDevice] { entries.values.map(\.device) }

  /// When to call `expire` next; nil if nothing expires.
  var deadline: Instant? { entries.values.lazy.flatMap(\.locations.values).min() }

  /// Applies a notice whose LOCATION the caller has checked.
  mutating func receive(_ notice: SSDPNotice, at now: Instant) -> [Change] {
    switch notice.kind {
    case .byebye: byebye(notice)
    case .present: present(notice, at: now)
    case .update(let next): update(notice, next: next, at: now)
    }
  }

  /// Removes expired addresses, and the devices that have no other.
  mutating func expire(at now: Instant) -> [Change] {
    removeLocations(.expired) { $0.value <= now }
  }

  /// Removes unreachable addresses, and the devices that have no other.
  mutating func remove(unreachable isUnreachable: (HTTPURL) -> Bool) -> [Change] {
    removeLocations(.unreachable) { isUnreachable($0.key) }
  }

  private mutating func present(_ notice: SSDPNotice, at now: Instant) -> [Change] {
    guard let location = notice.location else { return [] }
    let expires = now + notice.maxAge
    guard var entry = entries[notice.udn] else {
      guard entries.count < limits.devices else { return [] }
      let device = DiscoveredDevice(
        udn: notice.udn, location: location, types: [notice.type], server: notice.server, bootID: notice.bootID,
        configID: notice.configID)
      entries[notice.udn] = Entry(device: device, locations: [location: expires])
      return [.seen(device)]
    }
    let former = entry.device
    if isOlder(notice.bootID, than: former.bootID) {
      // Sent before a restart that is already known.
      return []
    }
    // Some devices omit BOOTID in part of their messages.
    let bootID = notice.bootID ?? former.bootID
    if bootID != former.bootID {
      // After a restart, only the newly announced address is valid.
      entry.locations = [:]
      entry.device.location = location
      entry.device.types = []
    }
    if entry.locations[location] != nil || entry.locations.count < limits.locations {
      entry.locations[location] = expires
    }
    if entry.locations[entry.device.location].map({ $0 <= now }) ?? true { entry.device.location = location }
    if entry.device.types.count < limits.types { entry.device.types.insert(notice.type) }
    entry.device.bootID = bootID
    entry.device.configID = notice.configID ?? former.configID
    if !notice.server.isEmpty { entry.device.server = notice.server }
    entries[notice.udn] = entry
    return entry.device == former ? [] : [.seen(entry.device)]
  }

  /// BOOTIDs only grow (UDA 1.1 §1.2.2). A much lower one is accepted: the device has lost its count.
  private func isOlder(_ bootID: Int?, than former: Int?) -> Bool {
    guard let bootID, let former else { return false }
    return bootID < former && former - bootID < 10
  }

  private mutating func update(_ notice: SSDPNotice, next: Int?, at now: Instant) -> [Change] {
    guard entries[notice.udn] != nil else { return [] }
    var notice = notice
    notice.bootID = next ?? notice.bootID
    return present(notice, at: now)
  }

  private mutating func byebye(_ notice: SSDPNotice) -> [Change] {
    guard let entry = entries[notice.udn], !isOlder(notice.bootID, than: entry.device.bootID) else { return [] }
    entries[notice.udn] = nil
    return [.gone(entry.device, .byebye)]
  }

  private mutating func removeLocations(
    _ reason: DepartureReason, where shouldRemove: ((key: HTTPURL, value: Instant)) -> Bool
  ) -> [Change] {
    var changes: [Change] = []
    for (udn, entry) in entries {
      let rest = entry.locations.filter { !shouldRemove(($0.key, $0.value)) }
      guard rest.count < entry.locations.count else { continue }
      guard let latest = rest.max(by: { $0.value < $1.value }) else {
        entries[udn] = nil
        changes.append(.gone(entry.device, reason))
        continue
      }
      var device = entry.device
      if rest[device.location] == nil { device.location = latest.key }
      entries[udn] = Entry(device: device, locations: rest)
      if device != entry.device { changes.append(.seen(device)) }
    }
    return changes
  }
}
