import DeviceStack

/// The answer to an action: its results in order, or a fault.
struct Answer: Sendable {
  var results: [(name: String, value: String)] = []
  var fault: Int?

  subscript(_ name: String) -> String? { results.first { $0.name == name }?.value }

  /// Parses a SOAP envelope.
  init(_ xml: String) throws {
    for (path, text) in try XMLText.leaves(of: xml) {
      if path.last == "errorCode" { fault = Int(text) }
      if path.count == 4, path[2].hasSuffix("Response") { results.append((path[3], text)) }
    }
  }
}
