import ControlPoint
import UPnP

/// Decides which URLs the art proxy may fetch. A pure decision.
///
/// Metadata is written by anyone on the network. The proxy must not reach services for which that would be a way in: those on
/// the loopback interface, on other networks of the house, and the speaker itself.
struct ArtPolicy: Hashable {
  /// The networks of the speaker's interfaces, each with the speaker's own address.
  var networks: [CIDR]
  /// Configured networks behind a router.
  var allowed: [CIDR] = []
  /// Of the speaker's own HTTP server.
  var ownPort: Int = 0

  /// What is needed for a request.
  enum Verdict: Hashable {
    case connect(IPAddress)
    /// Ask for the addresses of this name, then `address(of:)`.
    case resolve(String)
    case refuse
  }

  func verdict(_ url: ArtURL) -> Verdict {
    guard let address = url.location.address else {
      return Self.isOpen(url.location.port) ? .resolve(url.location.host) : .refuse
    }
    guard address.isHost, !address.isLoopbackIPv4 else { return .refuse }
    // A picture that is behind the speaker's own API would be fetched again and again.
    if Int(url.location.port) == ownPort, networks.contains(where: { $0.address == address }) { return .refuse }
    let isAllowed =
      AddressPolicy(allowed: allowed).allows(address, networks: networks)
      || isPublic(address) && Self.isOpen(url.location.port)
    return isAllowed ? .connect(address) : .refuse
  }

  /// The address to connect to for a name. The request must go to this address: the next answer for the name may be another.
  /// - Returns: nil if any address is not public: the server of the name decides what a name in the house would mean.
  func address(of found: [IPAddress]) -> IPAddress? { found.allSatisfy(isPublic) ? found.first : nil }

  /// Whether an address belongs to the internet.
  private func isPublic(_ address: IPAddress) -> Bool {
    address.isHost && !address.isLocalIPv4 && !(Self.reserved + networks + allowed).contains { $0.contains(address) }
  }

  /// Further addresses that are not routed on the internet: protocol assignments, relays, benchmarks (RFC 6890).
  private static let reserved = ["192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"].compactMap { CIDR($0) }

  /// Whether a port on the internet may be that of a web server. Low ports belong to other protocols, such as mail.
  private static func isOpen(_ port: UInt16) -> Bool { port == 80 || port == 443 || port >= 1024 }
}
