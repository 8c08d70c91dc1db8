import UPnP

/// One listener of a controller as seen from one address of ours: what shares it shares connections.
struct Authority: Hashable {
  let address: IPAddress
  let port: UInt16
  /// Where connections to it leave from.
  let local: IPAddress
}
