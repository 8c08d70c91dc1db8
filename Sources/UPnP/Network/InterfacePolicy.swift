/// Which interfaces are used.
public struct InterfacePolicy: Sendable, Hashable {
  /// Only the interfaces of these names are used, whatever they are; if empty, those that lead to a network of people.
  public var names: [String]

  public init(names: [String] = []) {
    self.names = names
  }

  /// What hypervisors, containers and tunnels call their interfaces, where the kernel does not tell the kind, and what
  /// they call the host's end of a veth pair.
  private static let virtualNames = [
    "veth", "docker", "br-", "virbr", "vnet", "lxc", "lxd", "cni", "cali", "flannel", "podman", "tun", "tap", "wg",
    "zt",
    "tailscale", "ppp", "ifb", "dummy",
  ]
  /// Virtual links that carry a network as good as a card's own.
  private static let transparentKinds: Set<String> = ["vlan", "bond", "team", "batadv", "dsa", "hsr", "ipoib"]
  /// What a container gets instead of a card.
  private static let containerKinds: Set<String> = ["veth", "macvlan", "ipvlan"]
  /// A port of one of these has its addresses there.
  private static let portMasters: Set<String> = ["bridge", "bond", "team", "openvswitch"]

  /// Whether a link is used once it is up and has an address.
  func isUsed(_ link: NetworkLink, among links: [Int: NetworkLink]) -> Bool {
    guard names.isEmpty else { return names.contains(link.name) }
    guard link.canMulticast, !link.isLoopback, !link.isPointToPoint, !isPort(link, among: links) else { return false }
    if link.kind == "bridge" {
      // One with a card among its ports is a network of people; one that has only containers or virtual machines is not.
      return links.values.contains { $0.master == link.index && isCard($0) }
    }
    if isCard(link) { return true }
    // In a container veth is all there is, and what its user means.
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
