import CLinux
import Glibc

/// A network link as RTM_NEWLINK describes it (rtnetlink(7)).
struct NetworkLink: Sendable, Hashable {
  var index: Int
  var name: String
  /// IFF_… (netdevice(7)).
  var flags: UInt32
  /// ARPHRD_…
  var hardwareType: UInt16
  /// IFLA_INFO_KIND: `bridge`, `veth`, `vlan` …; nil for a network card.
  var kind: String?
  /// Index of the bridge or bond that this link is a port of.
  var master: Int?

  /// Whether the link is switched on and has a carrier.
  var isRunning: Bool { has(IFF_UP) && has(IFF_RUNNING) }
  var isLoopback: Bool { has(IFF_LOOPBACK) }
  var isPointToPoint: Bool { has(IFF_POINTOPOINT) }
  var canMulticast: Bool { has(IFF_MULTICAST) }
  /// Ethernet, Wi-Fi or InfiniBand.
  var isEthernet: Bool { [swiftlet_arphrd_ether, swiftlet_arphrd_infiniband].contains(Int32(hardwareType)) }

  private func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
}

/// An IPv4 address of a link as RTM_NEWADDR describes it (rtnetlink(7)).
struct NetworkLinkAddress: Sendable, Hashable, Identifiable {
  /// The kernel allows each address and prefix length once per link.
  struct ID: Sendable, Hashable {
    var index: Int
    var address: IPAddress
    var prefixLength: Int
  }

  var index: Int
  var address: IPAddress
  var prefixLength: Int
  /// IFA_F_…
  var flags: UInt32

  var id: ID { ID(index: index, address: address, prefixLength: prefixLength) }

  /// Suitability as the address to announce; higher is better, and the first of equals wins.
  var rank: Int {
    // Deprecated addresses expire soon, secondary ones with their primary. A self-assigned address reaches only other
    // self-assigned ones (RFC 3927).
    (has(IFA_F_DEPRECATED) ? 0 : 4) + (address.isLinkLocalIPv4 ? 0 : 2) + (has(IFA_F_SECONDARY) ? 0 : 1)
  }

  private func has(_ flag: Int32) -> Bool { flags & UInt32(flag) != 0 }
}
