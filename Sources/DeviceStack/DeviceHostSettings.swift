import UPnP

/// How a `DeviceHost` appears and whom it trusts.
public struct DeviceHostSettings: Sendable {
  /// What SERVER and USER-AGENT say: `OS/version UPnP/1.1 product/version` (UDA 1.1 §1.2.2).
  public var product: String
  /// For the HTTP server, the first that is free; 0 is any.
  public var ports: [Int]
  /// BOOTID.UPNP.ORG: higher than in any earlier run (UDA 1.1 §1.2.2), within `BootID.range`.
  public var bootID: Int
  /// On which interfaces the devices are found.
  public var interfaces = InterfacePolicy()
  public var limits = HTTPLimits()
  public var hostPolicy = HostPolicy()
  public var callbackPolicy = CallbackPolicy()

  public init(product: String, ports: [Int] = [0], bootID: Int) {
    self.product = product
    self.ports = ports
    self.bootID = bootID
  }
}
