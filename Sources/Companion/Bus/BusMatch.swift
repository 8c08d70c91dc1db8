/// Selects signals for a subscription. Nil accepts every value.
package struct BusMatch: Sendable, Hashable {
  /// A unique or well-known name. For a well-known name, only its present owner matches.
  package var sender: String?
  package var path: String?
  /// Matches this path and every path below it.
  package var pathNamespace: String?
  package var interface: String?
  package var member: String?
  /// The first argument, if it is a string.
  package var firstArgument: String?

  package init(
    sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
    member: String? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The match rule for AddMatch.
  var rule: String {
    let parts = [
      ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface),
      ("member", member), ("arg0", firstArgument),
    ]
    return (["type='signal'"] + parts.compactMap { key, value in value.map { "\(key)='\($0)'" } })
      .joined(separator: ",")
  }

  /// Checks everything except the sender and the first argument.
  func accepts(path: String, interface: String, member: String) -> Bool {
    if let wanted = self.path, wanted != path { return false }
    if let root = pathNamespace, root != "/", path != root, !path.hasPrefix(root + "/") { return false }
    if let wanted = self.interface, wanted != interface { return false }
    if let wanted = self.member, wanted != member { return false }
    return true
  }
}

package struct BusSignal: Sendable, Equatable {
  /// The sender's unique name.
  package let sender: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [BusValue]
}
