/// Selects the network interfaces to use.
public struct InterfacePolicy: Sendable, Hashable {
  /// Names of interfaces of any kind. If empty, physical LAN interfaces are used: no loopback, tunnels or containers.
  public var names: [String]

  /// - Parameter names: empty for all physical LAN interfaces.
  public init(names: [String] = []) {
    self.names = names
  }

  /// Names of interfaces of hypervisors, containers and tunnels for which the kernel reports no kind, and of the host's end
  /// of a veth pair.
  private static let virtualNames = [
    "veth", "docker", "br-", "virbr", "vnet", "lxc", "lxd", "cni", "cali", "flannel", "podman", "tun", "tap", "wg",
    "zt",
    "tailscale", "ppp", "ifb", "dummy",
  ]
  /// Virtual links that carry a physical network.
  private static let transparentKinds: Set<String> = ["vlan", "bond", "team", "batadv", "dsa", "hsr", "ipoib"]
  /// The kinds of links inside a container.
  private static let containerKinds: Set<String> = ["veth", "macvlan", "ipvlan"]
  /// Links that have the addresses of their ports.
  private static let portMasters: Set<String> = ["bridge", "bond", "team", "openvswitch"]

  /// Whether a link is used once it is up and has an address.
  func isUsed(_ link: NetworkLink, among links: [Int: NetworkLink]) -> Bool {
    guard names.isEmpty else { return names.contains(link.name) }
    guard link.canMulticast, !link.isLoopback, !link.isPointToPoint, !isPort(link, among: links) else { return false }
    if link.kind == "bridge" {
      // A bridge with a physical port is a LAN. One with only containers or virtual machines is not.
      return links.values.contains { $0.master == link.index && isCard($0) }
    }
    if isCard(link) { return true }
    // In a container, veth is the only interface.
    return Self.containerKinds.contains(link.kind ?? "") && !hasVirtualName(link)
      && !links.values.contains(where: isCard)
  }

  private func isCard(_ link: NetworkLink) -> Bool {
    guard let kind = link.kind else { return link.isEthernet && !hasVirtualName(link) }
    return Self.transparentKinds.contains(kind)
  }

  private func isPort(_ link: NetworkLink, among links: [Int: NetworkLink]) -> Bool {
    guard let master = link.master.flatMap({ links[$0] }) else { return false }
    return Self.portMasters.contains(master.kind ?? "")
  }

  private func hasVirtualName(_ link: NetworkLink) -> Bool { Self.virtualNames.contains { link.name.hasPrefix($0) } }
}
