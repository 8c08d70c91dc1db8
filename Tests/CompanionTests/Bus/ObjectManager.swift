@testable import Companion

/// Exports objects below a path together with an `ObjectManager` that lists and announces them, as BlueZ does (D-Bus
/// specification, Standard Interfaces).
@CompanionActor final class ObjectManager {
  private static let name = "org.freedesktop.DBus.ObjectManager"

  private let bus: Bus
  private let path: String
  private var objects: [String: BusInterface] = [:]
  private var tokens: [String: BusToken] = [:]

  init(_ path: String, on bus: Bus) {
    (self.bus, self.path) = (bus, path)
    let list = BusInterface.Method("GetManagedObjects") { [weak self] _ in
      let objects = (self?.objects ?? [:]).map { (BusValue.path($0), Self.properties(of: $1)) }
      return [.dictionary(key: "o", value: "a{sa{sv}}", Dictionary(uniqueKeysWithValues: objects))]
    }
    tokens[path] = bus.export(path, BusInterface(Self.name, methods: [list]))
  }

  /// Exports an object with one interface.
  func export(_ path: String, _ interface: BusInterface) {
    tokens[path] = bus.export(path, interface)
    objects[path] = interface
    bus.emit(self.path, Self.name, "InterfacesAdded", [.path(path), Self.properties(of: interface)])
  }

  func remove(_ path: String) {
    guard let interface = objects.removeValue(forKey: path) else { return }
    tokens.removeValue(forKey: path)?.cancel()
    bus.emit(self.path, Self.name, "InterfacesRemoved", [.path(path), .strings([interface.name])])
  }

  private static func properties(of interface: BusInterface) -> BusValue {
    .dictionary(key: "s", value: "a{sv}", [.string(interface.name): interface.values])
  }
}
