/// Why a host cannot start.
public enum DeviceHostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The HTTP server has no port: another program has it, or it is one of those below 1024 that need privileges.
  case cannotListen(port: Int, reason: String)
  /// The kernel does not tell which network interfaces there are.
  case noInterfaces(reason: String)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .cannotListen(let port, let reason): "Port \(port) cannot be listened on: \(reason)."
    case .noInterfaces(let reason): "The kernel does not tell of network interfaces: \(reason)."
    }
  }
}
