import UPnP

/// Identity, ports, limits and trust of a `DeviceHost`.
public struct DeviceHostSettings: Sendable {
  /// The SERVER and USER-AGENT headers: `OS/version UPnP/1.1 product/version` (UDA 1.1 §1.2.2).
  public var product: String
  /// TCP ports for the HTTP server, tried in order; 0 means any free port.
  public var ports: [Int]
  /// BOOTID.UPNP.ORG, within `BootID.range`; must be higher than in any earlier run (UDA 1.1 §1.2.2).
  public var bootID: Int
  /// The interfaces on which the devices can be found.
  public var interfaces = InterfacePolicy()
  /// Limits on HTTP requests and connections.
  public var limits = HTTPLimits()
  /// Which Host and Origin headers are accepted.
  public var hostPolicy = HostPolicy()
  /// Which addresses events are sent to.
  public var callbackPolicy = CallbackPolicy()

  /// - Parameters:
  ///   - product: the SERVER and USER-AGENT headers: `OS/version UPnP/1.1 product/version`.
  ///   - ports: tried in order; 0 means any free port.
  ///   - bootID: by default from the system clock. A machine without a clock has to store it between runs.
  public init(product: String, ports: [Int] = [0], bootID: Int = BootID.fromClock) {
    self.product = product
    self.ports = ports
    self.bootID = bootID
  }
}

/// Why a host cannot start.
public enum DeviceHostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The port is taken, or is below 1024 and needs privileges. `reason` is the kernel's message.
  case cannotListen(port: Int, reason: String)
  /// The network interfaces cannot be listed. `reason` is the kernel's message.
  case noInterfaces(reason: String)

  /// One sentence for users.
  public var description: String {
    switch self {
    case .cannotListen(let port, let reason): "Cannot listen on port \(port): \(reason)."
    case .noInterfaces(let reason): "Cannot watch the network interfaces: \(reason)."
    }
  }
}
