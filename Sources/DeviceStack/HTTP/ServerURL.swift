import UPnP

/// The base URL of the HTTP server at one of its addresses, without a path.
enum ServerURL {
  /// Empty for an address that is not IPv4.
  static func text(_ address: IPAddress?, port: Int?) -> String {
    guard let address, let port else { return "" }
    return "http://\(address):\(port)"
  }
}
