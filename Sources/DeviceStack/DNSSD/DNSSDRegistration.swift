/// A service to announce by DNS-SD (RFC 6763).
struct DNSSDService: Sendable, Hashable {
  /// The instance's name for users. Truncated to 63 bytes, the length of a DNS label.
  var name: String
  /// The service type, such as `_openhome._tcp`.
  var type: String
  var port: UInt16
  /// The TXT record: entries `key=value` of at most 255 bytes.
  var txt: [String]
  /// The index of the interface to announce on; nil for all. A TXT record with a local address is valid on one interface.
  var interfaceIndex: Int?

  init(name: String, type: String, port: UInt16, txt: [String], interfaceIndex: Int? = nil) {
    self.name = name
    self.type = type
    self.port = port
    self.txt = txt
    self.interfaceIndex = interfaceIndex
  }
}

/// Decides what to register with the Avahi daemon and when. Pure.
///
/// The daemon may restart. If another machine has taken our name, a number is added until that machine is gone.
struct DNSSDRegistration {
  /// A service on the network, as a browser reports it: once per interface and protocol.
  struct Instance: Hashable {
    var name: String
    var type: String
    var interface: Int32
    var `protocol`: Int32
  }

  enum Action: Hashable {
    /// Replace the registered services by these.
    case register([DNSSDService])
    case withdraw
    /// Reconnect to the daemon.
    case reconnect
  }

  /// The state of the daemon as its client library reports it.
  enum Daemon: Hashable {
    /// Ready to register.
    case running
    /// Still negotiating its host name. Registrations are void.
    case busy
    /// Not running. The library reports when it starts.
    case absent
    /// The daemon or D-Bus went away.
    case lost
  }

  /// The services to announce, with their original names.
  private var services: [DNSSDService]
  private var isRunning = false
  /// The number of names that were taken.
  private var collisions = 0
  /// Services of other machines with our original names.
  private var rivals: Set<Instance> = []

  init(services: [DNSSDService]) {
    self.services = services
  }

  /// Replaces the services. New names start without a number.
  mutating func publish(_ services: [DNSSDService]) -> [Action] {
    guard services != self.services else { return [] }
    if names(of: services) != names(of: self.services) { forgetCollisions() }
    self.services = services
    return registration
  }

  /// The names that are announced, in lower case, since DNS names are case-insensitive.
  private func names(of services: [DNSSDService]) -> Set<String> {
    Set(services.map { Self.name($0.name, number: 1).lowercased() })
  }

  mutating func daemon(_ state: Daemon) -> [Action] {
    isRunning = state == .running
    // After that, everything is registered again under its original name.
    if !isRunning { forgetCollisions() }
    switch state {
    case .running: return registration
    case .busy: return [.withdraw]
    case .absent: return []
    case .lost: return [.reconnect]
    }
  }

  /// Another machine has one of the names.
  mutating func nameIsTaken() -> [Action] {
    collisions += 1
    // After a hundred collisions, the rival can only be ourselves.
    return collisions < 100 ? registration : [.withdraw]
  }

  /// The types to browse, to learn when our original name is free again; empty while we have it.
  var watchedTypes: Set<String> { isRunning && collisions > 0 ? Set(services.map(\.type)) : [] }

  /// A service of a watched type appeared or disappeared.
  mutating func observe(_ instance: Instance, isThere: Bool) -> [Action] {
    guard watchedTypes.contains(instance.type) else { return [] }
    if isThere {
      if names(of: services).contains(instance.name.lowercased()) { rivals.insert(instance) }
      return []
    }
    guard rivals.remove(instance) != nil, rivals.isEmpty else { return [] }
    forgetCollisions()
    return registration
  }

  private mutating func forgetCollisions() {
    collisions = 0
    rivals = []
  }

  private var registration: [Action] {
    guard isRunning else { return [] }
    guard !services.isEmpty else { return [.withdraw] }
    return [
      .register(
        services.map {
          var service = $0
          service.name = Self.name($0.name, number: collisions + 1)
          return service
        })
    ]
  }

  /// The name, with a number from 2 on, within the 63 bytes of a DNS label.
  static func name(_ name: String, number: Int) -> String {
    let suffix = number > 1 ? " #\(number)" : ""
    var name = name
    while name.utf8.count + suffix.utf8.count > 63 { name.removeLast() }
    return name + suffix
  }
}
