import NIOCore
import Network

/// An IPv4 address with a UDP port.
package struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  package var address: IPAddress
  package var port: UInt16

  package init(address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Parses `ADDRESS:PORT`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
      let port = UInt16(parts[1])
    else { return nil }
    self.init(address: address, port: port)
  }

  package init?(_ address: SocketAddress) {
    guard let ip = IPAddress(address), let port = address.port else { return nil }
    self.init(address: ip, port: UInt16(truncatingIfNeeded: port))
  }

  package var socketAddress: SocketAddress { address.socketAddress(port: port) }
  package var description: String { "\(address):\(port)" }
}

/// Where a stream is.
package enum SongcastURI: Sendable, Hashable, CustomStringConvertible {
  /// `ohm://`: a group that the sender sends to.
  case multicast(Endpoint)
  /// `ohu://`: the address of the sender.
  case unicast(Endpoint)
  /// `ohz://`: a name. The sender announces its present URI.
  case zone(String)
  /// The sender is off: `ohu://0.0.0.0:0`.
  case none

  /// The group and port of all zones.
  package static let zones = Endpoint(address: IPAddress(bits: 0xEFFF_FFFA), port: 51972)
  /// The port of all multicast streams.
  package static let multicastPort: UInt16 = 51970

  /// The group of a channel.
  package static func channel(_ number: UInt16) -> SongcastURI {
    .multicast(Endpoint(address: IPAddress(bits: 0xEFFD_0000 | UInt32(number)), port: multicastPort))
  }

  /// Returns nil for anything that no sender can have.
  package init?(_ text: String) {
    guard text.utf8.count <= WireLimits.zone + 64 else { return nil }
    if let zone = Self.rest(of: text, after: "ohz://\(Self.zones)/") {
      // The name must be something, and fit into a message.
      guard (1...WireLimits.zone).contains(zone.utf8.count) else { return nil }
      self = .zone(String(zone))
      return
    }
    guard text.utf8.count <= WireLimits.messageURI else { return nil }
    let isUnicast = text.hasPrefix("ohu://")
    guard let endpoint = Self.rest(of: text, after: isUnicast ? "ohu://" : "ohm://").flatMap(Endpoint.init) else {
      return nil
    }
    switch (isUnicast, endpoint) {
    case (_, Endpoint(address: IPAddress(bits: 0), port: 0)): self = .none
    case (true, _) where endpoint.address.isHost && endpoint.port > 0: self = .unicast(endpoint)
    case (false, _) where endpoint.address.isMulticast && endpoint.port > 0: self = .multicast(endpoint)
    default: return nil
    }
  }

  private static func rest(of text: String, after prefix: String) -> Substring? {
    text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil
  }

  package var description: String {
    switch self {
    case .multicast(let endpoint): "ohm://\(endpoint)"
    case .unicast(let endpoint): "ohu://\(endpoint)"
    case .zone(let zone): "ohz://\(Self.zones)/\(zone)"
    case .none: "ohu://0.0.0.0:0"
    }
  }
}
