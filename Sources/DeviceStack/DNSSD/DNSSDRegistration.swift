/// What is registered with the Avahi daemon and when: it comes and goes, and another machine may have taken our name.
struct DNSSDRegistration {
  /// What is to be done.
  enum Action: Hashable {
    /// Withdraw what is registered and register these instead.
    case register([DNSSDService])
    case withdraw
    /// Give up the connection to the daemon and make a new one.
    case reconnect
  }

  /// What the daemon is, as its client library tells.
  enum Daemon: Hashable {
    /// Ready to register.
    case running
    /// There, but still about its own host name: what is registered is void.
    case busy
    /// Not there; the library tells when it comes.
    case absent
    /// It was there and is not any more, or the bus between us is not.
    case lost
  }

  /// As wanted; the names may be taken.
  private var services: [DNSSDService]
  private var isRunning = false
  /// How many names have been found to be taken.
  private var collisions = 0

  init(services: [DNSSDService]) {
    self.services = services
  }

  /// Other services are wanted.
  mutating func publish(_ services: [DNSSDService]) -> [Action] {
    guard services != self.services else { return [] }
    self.services = services
    return registration
  }

  mutating func daemon(_ state: Daemon) -> [Action] {
    isRunning = state == .running
    switch state {
    case .running: return registration
    case .busy: return [.withdraw]
    case .absent: return []
    case .lost: return [.reconnect]
    }
  }

  /// Somebody else has one of the names.
  mutating func nameIsTaken() -> [Action] {
    collisions += 1
    // Nobody has a hundred of the same: it is ourselves that we run into.
    return collisions < 100 ? registration : [.withdraw]
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

  /// The name, from the second on with its number, in the 63 bytes that a label of DNS may have.
  static func name(_ name: String, number: Int) -> String {
    let suffix = number > 1 ? " #\(number)" : ""
    var name = name
    while name.utf8.count + suffix.utf8.count > 63 { name.removeLast() }
    return name + suffix
  }
}
