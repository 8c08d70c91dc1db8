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
  var isEthernet: Bool { [ARPHRD_ETHER, ARPHRD_INFINIBAND].contains(Int32(hardwareType)) }

  private func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
}
