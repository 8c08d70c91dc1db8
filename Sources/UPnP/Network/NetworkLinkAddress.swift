/// An IPv4 address of a link as the kernel tells of it: RTM_NEWADDR, rtnetlink(7).
struct NetworkLinkAddress: Sendable, Hashable, Identifiable {
  /// A link has each address once with the same prefix.
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

  /// How good it is as the address to announce; the first of the best is taken.
  var rank: Int {
    // A deprecated address is about to go; a self-assigned one reaches only others that have none either (RFC 3927); a
    // secondary one goes with its primary.
    (flags & 0x20 == 0 ? 4 : 0) + (address.isLinkLocalIPv4 ? 0 : 2) + (flags & 0x1 == 0 ? 1 : 0)
  }
}
