import MediaOrigin

extension MediaServer {
  /// Serves bytes, politely but for what `change` makes of it.
  /// - Returns: the address.
  @discardableResult
  package func serve(_ path: String, _ body: [UInt8], change: (inout Manners) -> Void = { _ in }) -> String {
    put("/" + path, .bytes(body), change: change)
    return url("/" + path)
  }
}
