/// The Bluetooth adapters that BlueZ knows, and which of them is used.
struct BluezAdapters: Equatable {
  struct Adapter: Sendable, Equatable {
    let path: String
    var isPowered = false
    /// Whether it has LEAdvertisingManager1.
    var canAdvertise = false
  }

  private(set) var all: [String: Adapter] = [:]

  /// The first adapter that is switched on, otherwise the first; nil if there is none.
  var chosen: Adapter? {
    let ordered = all.values.sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
    return ordered.first(where: \.isPowered) ?? ordered.first
  }

  mutating func removeAll() { all = [:] }

  /// - Parameter interfaces: the interfaces with their properties, as ObjectManager sends them.
  mutating func added(_ path: String, _ interfaces: [String: [String: BusValue]]) {
    if let properties = interfaces[BluezName.adapter] {
      all[path] = Adapter(
        path: path, isPowered: properties["Powered"]?.bool == true, canAdvertise: all[path]?.canAdvertise ?? false)
    }
    // Mocks and later versions may announce this interface in a signal of its own.
    if interfaces[BluezName.advertisingManager] != nil {
      all[path, default: Adapter(path: path)].canAdvertise = true
    }
  }

  mutating func removed(_ path: String, _ interfaces: [String]) {
    if interfaces.contains(BluezName.adapter) {
      all[path] = nil
    } else if interfaces.contains(BluezName.advertisingManager) {
      all[path]?.canAdvertise = false
    }
  }

  /// Applies changed properties of Adapter1.
  mutating func changed(_ path: String, _ properties: [String: BusValue]) {
    if let isPowered = properties["Powered"]?.bool { all[path]?.isPowered = isPowered }
  }
}

/// Names on the bus (doc/*-api.txt of BlueZ 5.66).
enum BluezName {
  static let service = "org.bluez"
  static let root = "/org/bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let agent = "org.bluez.Agent1"
  static let agentManager = "org.bluez.AgentManager1"
  static let advertisement = "org.bluez.LEAdvertisement1"
  static let advertisingManager = "org.bluez.LEAdvertisingManager1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
}
