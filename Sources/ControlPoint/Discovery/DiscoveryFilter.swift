import UPnP

/// Why a device is not there any more.
public enum DepartureReason: Sendable, Hashable {
  /// It said so.
  case byebye
  /// It did not announce itself again in time.
  case expired
  /// The network that it was on is gone.
  case unreachable
}

/// A change of the devices that are there.
public enum DiscoveryChange: Sendable, Hashable {
  case appeared(DiscoveredDevice)
  /// The same device at a new address, after a restart, or with new descriptions.
  case updated(DiscoveredDevice)
  case gone(DiscoveredDevice, DepartureReason)
}

/// What one listener hears of the changes of a device table.
struct DiscoveryFilter {
  let target: SearchTarget
  private var known: [String: DiscoveredDevice] = [:]

  init(_ target: SearchTarget) { self.target = target }

  mutating func change(_ change: DeviceTable.Change) -> DiscoveryChange? {
    switch change {
    case .gone(let device, let reason):
      return known.removeValue(forKey: device.udn) == nil ? nil : .gone(device, reason)
    case .seen(let device):
      guard let former = known[device.udn] else {
        // Types arrive one by one, in any order.
        guard device.matches(target) else { return nil }
        known[device.udn] = device
        return .appeared(device)
      }
      known[device.udn] = device
      let isSame =
        (former.location, former.bootID, former.configID) == (device.location, device.bootID, device.configID)
      return isSame ? nil : .updated(device)
    }
  }
}
