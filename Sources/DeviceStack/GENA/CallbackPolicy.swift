import UPnP

/// Restricts the addresses that events are sent to. Otherwise a subscriber could make the device send requests to any host
/// (CVE-2020-12695, "CallStranger").
public struct CallbackPolicy: Sendable {
  /// Networks that are allowed besides the subscriber's own address and its link, for routed home networks.
  public var networks: [CIDR]

  /// - Parameter networks: allowed besides the subscriber's own address and its link.
  public init(networks: [CIDR] = []) { self.networks = networks }

  /// - Parameters:
  ///   - callback: the target of the events.
  ///   - subscriber: the subscriber's address.
  ///   - local: the local address that was subscribed to.
  ///   - prefixLength: of the subnet of `local`; nil if unknown.
  func allows(_ callback: IPAddress, subscriber: IPAddress, local: IPAddress, prefixLength: Int?) -> Bool {
    if callback == subscriber { return true }
    guard callback.isHost else { return false }
    if networks.contains(where: { $0.contains(callback) }) { return true }
    // Services on this machine must not be reachable through us.
    guard callback != local, let prefixLength, let link = CIDR(local, prefixLength: prefixLength) else { return false }
    return link.containsHost(callback)
  }
}
