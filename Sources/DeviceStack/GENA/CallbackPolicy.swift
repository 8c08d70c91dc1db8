import UPnP

/// Which addresses a subscriber may have events sent to. Without such a rule anybody could make the device send requests
/// to anywhere (CVE-2020-12695, "CallStranger").
public struct CallbackPolicy: Sendable {
  /// Networks allowed by configuration beside the subscriber's own address and the link, for routed home networks.
  public var networks: [CIDR]

  public init(networks: [CIDR] = []) { self.networks = networks }

  /// - Parameters:
  ///   - callback: where events are to go.
  ///   - asker: who subscribes.
  ///   - local: the address of ours that was subscribed on.
  ///   - prefixLength: of the subnet that `local` is in; nil if unknown.
  func allows(_ callback: IPAddress, asker: IPAddress, local: IPAddress, prefixLength: Int?) -> Bool {
    if callback == asker { return true }
    guard callback.isHost else { return false }
    if networks.contains(where: { $0.contains(callback) }) { return true }
    // What listens on this machine is not for others to reach through us.
    guard callback != local, let prefixLength, let link = CIDR(local, prefixLength: prefixLength) else { return false }
    return link.containsHost(callback)
  }
}
