/// A network link as the kernel tells of it: RTM_NEWLINK, rtnetlink(7).
struct NetworkLink: Sendable, Hashable {
  var index: Int
  var name: String
  /// IFF_…, netdevice(7).
  var flags: UInt32
  /// ARPHRD_…
  var hardwareType: UInt16
  /// IFLA_INFO_KIND: `bridge`, `veth`, `vlan` …; nil for a network card.
  var kind: String?
  /// The index of the bridge or bond whose port it is.
  var master: Int?

  /// Switched on and with a carrier.
  var isRunning: Bool { flags & 0x1 != 0 && flags & 0x40 != 0 }
  var isLoopback: Bool { flags & 0x8 != 0 }
  var isPointToPoint: Bool { flags & 0x10 != 0 }
  var canMulticast: Bool { flags & 0x1000 != 0 }
  /// Ethernet or Wi-Fi, or InfiniBand.
  var isEthernet: Bool { hardwareType == 1 || hardwareType == 32 }
}
