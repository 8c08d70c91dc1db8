import CLinux

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
