import NIOCore
import Network

/// Which datagrams belong to the stream, and which receivers get them from here.
///
/// Sound comes from another port than everything else, and a slave gets all from another receiver. So the first source of
/// sound is kept, and another one is accepted when it has been silent for a while.
struct StreamSource {
  /// Silence after which sound may come from another source: a few frames, which can still be repaired.
  static let silence = TimeAmount.milliseconds(30)
  /// The reference sends to at most five receivers in unicast.
  static let longestSlaveList = 4

  let uri: SongcastURI
  /// The networks of this machine, with its addresses.
  var networks: [CIDR]
  private var source: Endpoint?
  private var lastSound = NIODeadline.distantPast
  private var slaves: [Endpoint] = []

  init(uri: SongcastURI, networks: [CIDR]) {
    self.uri = uri
    self.networks = networks
  }

  /// Whether sound from there is the stream's.
  mutating func accepts(soundFrom sender: Endpoint, _ arrival: NIODeadline) -> Bool {
    guard isPossible(sender) else { return false }
    if let source, source != sender, arrival - lastSound < Self.silence { return false }
    source = sender
    lastSound = arrival
    return true
  }

  /// Whether a track or text from there is the stream's.
  func accepts(textFrom sender: Endpoint, _ arrival: NIODeadline) -> Bool {
    if case .unicast(let target) = uri, sender.address == target.address { return true }
    guard isPossible(sender), let source else { return isPossible(sender) }
    return source.address == sender.address || arrival - lastSound >= Self.silence
  }

  /// The sender asks to forward the stream. Only receivers on this network get it, so that a forged list cannot send it
  /// anywhere else.
  mutating func forward(to list: [Endpoint], askedBy sender: Endpoint, local: Endpoint) {
    guard case .unicast(sender) = uri else { return }
    var accepted: [Endpoint] = []
    for slave in list where accepted.count < Self.longestSlaveList {
      guard slave.port > 0, slave != sender, isOnLink(slave.address), !accepted.contains(slave),
        slave.port != local.port || !networks.contains(where: { $0.address == slave.address })
      else { continue }
      accepted.append(slave)
    }
    slaves = accepted
  }

  /// The receivers to forward a datagram to. What another receiver forwarded is not forwarded again.
  func slaves(for sender: Endpoint) -> [Endpoint] {
    guard case .unicast(let target) = uri, sender.address == target.address else { return [] }
    return slaves
  }

  /// A group hears everybody. A unicast stream comes from its sender, or from a receiver on this network.
  private func isPossible(_ sender: Endpoint) -> Bool {
    switch uri {
    case .multicast: true
    case .unicast(let target): sender.address == target.address || isOnLink(sender.address)
    default: false
    }
  }

  private func isOnLink(_ address: IPAddress) -> Bool {
    address.isHost && networks.contains { $0.containsHost(address) }
  }
}
