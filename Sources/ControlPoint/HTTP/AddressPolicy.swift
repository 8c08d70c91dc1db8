import UPnP

/// Which addresses a control point connects to.
///
/// Anyone on the network can announce a device whose LOCATION, SCPD, control or event URL names a third party, such as
/// a service on the loopback interface or on another network. A control point that follows it attacks that third party
/// (server-side request forgery). So it connects only to hosts on directly connected networks, and to those that the
/// caller allows. These include the router and this machine's own addresses on these networks.
public struct AddressPolicy: Sendable, Hashable {
  /// Further networks, such as those behind a router.
  public var allowed: [CIDR]

  public init(allowed: [CIDR] = []) { self.allowed = allowed }

  /// Whether to connect to an address.
  /// - Parameter networks: the networks that this machine's interfaces are on.
  public func allows(_ address: IPAddress, networks: [CIDR]) -> Bool {
    // Excludes the network and broadcast addresses of connected networks.
    networks.contains { $0.containsHost(address) } || allowed.contains { $0.contains(address) }
  }

  /// Whether to connect to the host of a URL. Names are refused.
  func allows(_ url: HTTPURL, networks: [CIDR]) -> Bool {
    url.address.map { allows($0, networks: networks) } ?? false
  }
}
