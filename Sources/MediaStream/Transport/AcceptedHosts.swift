import Synchronization

/// Hosts whose invalid certificates the user accepts (`tls.accept`): self-signed, for another name, or expired. Applies
/// to the whole process, also to the segments of HLS and to pictures.
package enum AcceptedHosts {
  private static let names = Mutex<Set<String>>([])

  /// Replaces the list. Connections that are open stay open.
  /// - Parameter hosts: names and addresses.
  package static func set(_ hosts: [String]) {
    names.withLock { $0 = Set(hosts.map { $0.lowercased() }) }
  }

  static func contains(_ host: String) -> Bool { names.withLock { $0.contains(host.lowercased()) } }
}
