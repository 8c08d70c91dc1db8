import Glibc

/// A bus to connect to.
package enum BusKind: Sendable, Hashable, CustomStringConvertible {
  case system
  case session
  /// An address in D-Bus's notation, such as `unix:path=/run/bus`.
  case address(String)

  /// The address of the bus; nil if there is none, such as the session bus of a system service.
  func address(_ environment: (String) -> String? = Self.environment) -> String? {
    switch self {
    case .system: environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .session:
      environment("DBUS_SESSION_BUS_ADDRESS") ?? environment("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    case .address(let address): address
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }

  package var description: String {
    switch self {
    case .system: "system bus"
    case .session: "session bus"
    case .address(let address): "bus \(address)"
    }
  }
}
