import MediaOrigin

extension MediaServer {
  /// Serves bytes without faults except for those that the closure sets.
  /// - Returns: the URL.
  @discardableResult
  package func serve(_ path: String, _ body: [UInt8], change: (inout Manners) -> Void = { _ in }) -> String {
    put("/" + path, .bytes(body), change: change)
    return url("/" + path)
  }
}
