/// Decides what to register with the Avahi daemon and when. The daemon comes and goes, and another machine may have taken
/// our name: then a number is added, for as long as that machine is there.
struct DNSSDRegistration {
  /// A service of any machine, as a browser reports it: once for each interface and protocol.
  struct Instance: Hashable {
    var name: String
    var type: String
    var interface: Int32
    var `protocol`: Int32
  }

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

  /// With the names that we would like.
  private var services: [DNSSDService]
  private var isRunning = false
  /// The number of names that turned out to be taken.
  private var collisions = 0
  /// Services of others with a name that we would like.
  private var rivals: Set<Instance> = []

  init(services: [DNSSDService]) {
    self.services = services
  }

  /// Replaces the services. Other names start without a number.
  mutating func publish(_ services: [DNSSDService]) -> [Action] {
    guard services != self.services else { return [] }
    if names(of: services) != names(of: self.services) { forgetCollisions() }
    self.services = services
    return registration
  }

  /// In lower case: DNS does not tell the cases apart.
  private func names(of services: [DNSSDService]) -> Set<String> {
    Set(services.map { Self.name($0.name, number: 1).lowercased() })
  }

  mutating func daemon(_ state: Daemon) -> [Action] {
    isRunning = state == .running
    // Everything is registered anew after that, so our name is tried again.
    if !isRunning { forgetCollisions() }
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

  /// The types to browse for the services of others, to learn when our name is free again; none while we have it.
  var watchedTypes: Set<String> { isRunning && collisions > 0 ? Set(services.map(\.type)) : [] }

  /// A service of one of these types came or went.
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

  /// The name, from the second on with its number, in the 63 bytes that a label of DNS may have.
  static func name(_ name: String, number: Int) -> String {
    let suffix = number > 1 ? " #\(number)" : ""
    var name = name
    while name.utf8.count + suffix.utf8.count > 63 { name.removeLast() }
    return name + suffix
  }
}
