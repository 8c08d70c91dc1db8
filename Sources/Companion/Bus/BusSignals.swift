import Logging

/// The signal subscriptions and watched names of a bus.
///
/// Another program can take over a name, so signals of a well-known name count only from its present owner.
@CompanionActor final class BusSignals {
  typealias Body = @CompanionActor @Sendable (BusSignal) -> Void
  typealias Completion = @CompanionActor (Result<[BusValue], BusError>) -> Void

  nonisolated static let daemon = "org.freedesktop.DBus"

  /// Calls a method of the bus daemon.
  var send: @CompanionActor (_ member: String, [BusValue], @escaping Completion) -> Void = { _, _, completion in
    completion(.failure(.notConnected))
  }
  private let logger: Logger
  private var lastID = 0
  private var subscriptions: [Int: (match: BusMatch, body: Body)] = [:]
  private let names = BusNames()

  init(_ logger: Logger) { self.logger = logger }

  /// Adds all matches and requests all owners on a new connection.
  func restore() {
    for subscription in subscriptions.values { addMatch(subscription.match) }
    for name in names.names { askForOwner(name) }
  }

  func connectionEnded() { names.forgetOwners() }

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  // MARK: Signals

  func subscribe(_ match: BusMatch, _ body: @escaping Body) -> BusToken {
    let id = newID()
    subscriptions[id] = (match, body)
    if let sender = match.sender, isWellKnown(sender) { watch(id, sender, { _ in }, {}) }
    addMatch(match)
    return BusToken { [weak self] in
      guard let self, subscriptions.removeValue(forKey: id) != nil else { return }
      unwatch(id)
      send("RemoveMatch", [.string(match.rule)]) { _ in }
    }
  }

  private func addMatch(_ match: BusMatch) {
    send("AddMatch", [.string(match.rule)]) { [logger] result in
      if case .failure(let error) = result, error != .notConnected, error != .disconnected {
        logger.debug("A bus refused the match \(match.rule): \(error)")
      }
    }
  }

  private func isWellKnown(_ name: String) -> Bool { !name.hasPrefix(":") && name != Self.daemon }

  func receive(_ message: BusMessage) {
    let (sender, path) = (message.sender, message.path)
    let (interface, member) = (message.interface, message.member)
    let interested = subscriptions.filter { $0.value.match.accepts(path: path, interface: interface, member: member) }
    let ownerChanged = sender == Self.daemon && member == "NameOwnerChanged"
    guard !interested.isEmpty || ownerChanged, let arguments = try? message.arguments() else { return }
    if ownerChanged { noteOwner(arguments) }
    let signal = BusSignal(sender: sender, path: path, interface: interface, member: member, arguments: arguments)
    for (id, subscription) in interested.sorted(by: { $0.key < $1.key }) {
      // A body may cancel another subscription.
      guard subscriptions[id] != nil, accepts(signal, subscription.match) else { continue }
      subscription.body(signal)
    }
  }

  private func accepts(_ signal: BusSignal, _ match: BusMatch) -> Bool {
    if let wanted = match.firstArgument, signal.arguments.first != .string(wanted) { return false }
    guard let wanted = match.sender else { return true }
    return signal.sender == (isWellKnown(wanted) ? names.owner(of: wanted) : wanted)
  }

  // MARK: Names

  func watchName(
    _ name: String, _ appeared: @escaping BusNames.Appeared, _ vanished: @escaping BusNames.Vanished
  ) -> BusToken {
    let id = newID()
    watch(id, name, appeared, vanished)
    return BusToken { [weak self] in self?.unwatch(id) }
  }

  private func watch(
    _ id: Int, _ name: String, _ appeared: @escaping BusNames.Appeared, _ vanished: @escaping BusNames.Vanished
  ) {
    if names.add(id, name, appeared, vanished) { askForOwner(name) }
  }

  private func unwatch(_ id: Int) {
    guard let name = names.remove(id) else { return }
    send("RemoveMatch", [.string(Self.ownerMatch(name).rule)]) { _ in }
  }

  private func askForOwner(_ name: String) {
    addMatch(Self.ownerMatch(name))
    send("GetNameOwner", [.string(name)]) { [weak self] result in
      guard case .success(let values) = result, let owner = values.first?.string else { return }
      self?.names.set(owner, of: name)
    }
  }

  private static func ownerMatch(_ name: String) -> BusMatch {
    BusMatch(sender: daemon, interface: daemon, member: "NameOwnerChanged", firstArgument: name)
  }

  private func noteOwner(_ arguments: [BusValue]) {
    guard arguments.count == 3, let name = arguments[0].string, let owner = arguments[2].string else { return }
    names.set(owner.isEmpty ? nil : owner, of: name)
  }
}
