import ControlPoint
import UPnP

/// Decides which URLs the art proxy may fetch. A pure decision.
///
/// Metadata is written by anyone on the network. The proxy must not reach services for which that would be a way in: those on
/// the loopback interface, on other networks, and the speaker itself.
struct ArtPolicy: Hashable {
  /// The networks of the speaker's interfaces, each with the speaker's own address.
  var networks: [CIDR]
  /// Configured networks behind a router.
  var allowed: [CIDR] = []
  /// Of the speaker's own HTTP server.
  var ownPort: Int = 0

  func allows(_ url: HTTPURL) -> Bool {
    guard let address = url.address, address.isHost, !address.isLoopbackIPv4 else { return false }
    // A picture that is behind the speaker's own API would be fetched again and again.
    if Int(url.port) == ownPort, networks.contains(where: { $0.address == address }) { return false }
    return AddressPolicy(allowed: allowed).allows(address, networks: networks)
  }
}
