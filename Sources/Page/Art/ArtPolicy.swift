import ControlPoint
import UPnP

/// Decides which URLs the art proxy may fetch. A pure decision.
///
/// Anyone on the network can write metadata. It must not give access to services on the loopback interface, on other
/// networks of the house, or on the speaker's machine. A server on the internet must not lead to any in the house.
struct ArtPolicy: Hashable {
  /// The networks of the speaker's interfaces, each with the speaker's own address.
  var networks: [CIDR]
  /// Configured networks behind a router.
  var allowed: [CIDR] = []
  /// The port of the speaker's own HTTP server.
  var ownPort: Int = 0
  /// The beginnings of the paths of the pictures that the speaker's own server has.
  var ownPictures: [String] = []

  /// The decision about a URL.
  enum Verdict: Hashable {
    case connect(IPAddress)
    /// Ask for the addresses of this name, then `address(of:)`.
    case resolve(String)
    /// The speaker's machine: connect only if music comes from there.
    case askLocal(IPAddress)
    case refuse
  }

  /// - Parameter isRedirected: whether a server on the internet has named the URL.
  func verdict(_ url: ArtURL, isRedirected: Bool = false) -> Verdict {
    guard let address = url.location.address else {
      return Self.isOpen(url.location.port) ? .resolve(url.location.host) : .refuse
    }
    guard address.isHost, !address.isLoopbackIPv4 else { return .refuse }
    if isPublic(address) { return Self.isOpen(url.location.port) ? .connect(address) : .refuse }
    guard !isRedirected else { return .refuse }
    if networks.contains(where: { $0.address == address }) {
      guard Int(url.location.port) == ownPort else { return .askLocal(address) }
      // A URL of the speaker's own API would make the proxy request it from itself in a loop.
      return ownPictures.contains { url.location.target.hasPrefix($0) } ? .connect(address) : .refuse
    }
    return AddressPolicy(allowed: allowed).allows(address, networks: networks) ? .connect(address) : .refuse
  }

  /// The address to connect to for a name. The request must go to this address: another lookup may return a different
  /// one.
  /// - Returns: nil if any address is not public. Otherwise a foreign DNS server could direct the proxy to devices in
  ///   the house.
  func address(of found: [IPAddress]) -> IPAddress? { found.allSatisfy(isPublic) ? found.first : nil }

  /// Whether an address belongs to the internet.
  func isPublic(_ address: IPAddress) -> Bool {
    address.isHost && !address.isLocalIPv4 && !(Self.reserved + networks + allowed).contains { $0.contains(address) }
  }

  /// Further addresses that are not routed on the internet: protocol assignments, relays, benchmarks (RFC 6890).
  private static let reserved = ["192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15"].compactMap { CIDR($0) }

  /// Whether a port on the internet may be that of a web server. Low ports belong to other protocols, such as mail.
  private static func isOpen(_ port: UInt16) -> Bool { port == 80 || port == 443 || port >= 1024 }
}
