import Logging

/// A connection to D-Bus that reconnects whenever it ends.
///
/// Subscriptions, watches, exports and names last until their token is cancelled or released; they are restored with each
/// new connection.
@CompanionActor package final class Bus {
  package enum State: Sendable, Equatable {
    case connecting
    case connected(uniqueName: String)
    /// Not connected, until the next attempt.
    case disconnected
  }

  package nonisolated static let defaultTimeout = Duration.seconds(25)
  private static var shared: [BusKind: WeakBus] = [:]

  package nonisolated let kind: BusKind
  package private(set) var state = State.connecting
  /// Why there is no connection, in a sentence; nil while there is one, and until the first attempt has failed.
  package private(set) var problem: String?
  private let logger: Logger
  private var retry: BusRetry
  private var retryTimer: CompanionTimer?
  private let namePauses: RetryPauses
  private var connection: BusConnection?
  private var isClosed = false

  private var lastID = 0
  private var stateObservers: [Int: @CompanionActor @Sendable (State) -> Void] = [:]
  private let signals: BusSignals
  private var ownNames: [Int: BusOwnName] = [:]
  private let exports = BusExports()

  /// Starts to connect.
  package init(_ kind: BusKind, logger: Logger, pauses: RetryPauses = RetryPauses()) {
    self.kind = kind
    self.logger = logger
    retry = BusRetry(pauses)
    namePauses = pauses
    signals = BusSignals(logger)
    signals.send = { [weak self] member, arguments, completion in
      guard let self else { return completion(.failure(.notConnected)) }
      sendToDaemon(member, arguments, completion)
    }
    connect()
  }

  /// The connection that all companions share. It closes when its last user releases it.
  package static func shared(_ kind: BusKind, logger: Logger) -> Bus {
    if let bus = shared[kind]?.bus { return bus }
    let bus = Bus(kind, logger: logger)
    shared[kind] = WeakBus(bus: bus)
    return bus
  }

  private struct WeakBus { weak var bus: Bus? }

  /// Closes the connection for good. Pending calls throw `.disconnected`.
  package func close() {
    isClosed = true
    end()
    retryTimer = nil
  }

  // MARK: Connection

  private func connect() {
    guard !isClosed else { return }
    set(.connecting)
    do throws(BusProblem) {
      guard let address = kind.address() else { throw BusProblem("its address is unknown") }
      let connection = try BusConnection(address)
      self.connection = connection
      connection.onReady = { [weak self] name in self?.becomeReady(name) }
      connection.onEnd = { [weak self] reason in self?.lose(reason) }
      connection.onMessage = { [weak self] message, isSignal in self?.receive(message, isSignal) ?? false }
    } catch {
      lose(error.description)
    }
  }

  private func becomeReady(_ uniqueName: String) {
    if retry.connected(at: .now) { logger.notice("Connected to the \(kind).") }
    problem = nil
    signals.restore()
    for name in ownNames.values { name.request() }
    set(.connected(uniqueName: uniqueName))
  }

  private func lose(_ reason: String) {
    let sentence = "No connection to the \(kind): \(reason). Swiftlet tries again."
    problem = sentence
    let (pause, loss) = retry.lost(at: .now)
    switch loss {
    case .first: logger.warning("\(sentence)")
    case .again:
      logger.warning("\(sentence) The log stays silent until a connection has lasted \(BusRetry.stableTime).")
    case .further: break
    }
    end()
    guard !isClosed else { return }
    retryTimer = CompanionTimer(after: pause) { [weak self] in self?.connect() }
  }

  private func end() {
    connection?.close()
    connection = nil
    signals.connectionEnded()
    for name in ownNames.values { name.lose() }
    set(.disconnected)
  }

  private func set(_ state: State) {
    guard state != self.state else { return }
    self.state = state
    for (_, observer) in stateObservers.sorted(by: { $0.key < $1.key }) { observer(state) }
  }

  /// Calls the body with the present state and after every change.
  package func observe(_ body: @escaping @CompanionActor @Sendable (State) -> Void) -> BusToken {
    let id = newID()
    stateObservers[id] = body
    body(state)
    return BusToken { [weak self] in self?.stateObservers[id] = nil }
  }

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  // MARK: Calls

  /// Calls a method of another program.
  /// - Parameter reply: the signature that the reply must have; nil for any.
  package func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    reply: String? = nil, timeout: Duration = Bus.defaultTimeout
  ) async throws(BusError) -> [BusValue] {
    let values = try await result(destination, path, interface, member, arguments, timeout).get()
    if let reply, values.map(\.signature).joined() != reply { throw .unexpectedReply }
    return values
  }

  private func result(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue],
    _ timeout: Duration
  ) async -> Result<[BusValue], BusError> {
    await withCheckedContinuation { continuation in
      send(destination, path, interface, member, arguments, timeout: timeout) { continuation.resume(returning: $0) }
    }
  }

  private func send(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue],
    timeout: Duration = Bus.defaultTimeout,
    _ completion: @escaping @CompanionActor (Result<[BusValue], BusError>) -> Void
  ) {
    guard let connection, connection.isReady else { return completion(.failure(.notConnected)) }
    connection.call(destination, path, interface, member, arguments, timeout: timeout, completion)
  }

  private func sendToDaemon(
    _ member: String, _ arguments: [BusValue],
    _ completion: @escaping @CompanionActor (Result<[BusValue], BusError>) -> Void
  ) {
    send(
      BusSignals.daemon, "/org/freedesktop/DBus", BusSignals.daemon, member, arguments, completion)
  }

  // MARK: Signals and names of others

  /// Calls the body with each signal that matches. If the sender is a well-known name, only signals of its owner match.
  package func subscribe(
    _ match: BusMatch, _ body: @escaping @CompanionActor @Sendable (BusSignal) -> Void
  ) -> BusToken {
    signals.subscribe(match, body)
  }

  /// Calls `appeared` when a program owns the name, now or later, and `vanished` when it no longer does or the connection
  /// ends. A new owner is both.
  package func watchName(
    _ name: String, appeared: @escaping @CompanionActor @Sendable (_ owner: String) -> Void,
    vanished: @escaping @CompanionActor @Sendable () -> Void
  ) -> BusToken {
    signals.watchName(name, appeared, vanished)
  }

  private func receive(_ message: BusMessage, _ isSignal: Bool) -> Bool {
    if isSignal {
      signals.receive(message)
      return true
    }
    // sd-bus answers Peer itself, and calls to paths that are not exported.
    guard exports.contains(message.path), message.interface != "org.freedesktop.DBus.Peer" else { return false }
    if let connection { exports.answer(message, on: connection) }
    return true
  }

  // MARK: Own names

  /// Requests the first free name of the candidates, again on every new connection, and again after a refusal.
  /// - Parameter changed: called with the owned name, with an error after every refusal, and with nil when the connection
  ///   ends.
  package func requestName(
    _ candidates: [String], changed: @escaping @CompanionActor @Sendable (Result<String, BusError>?) -> Void
  ) -> BusToken {
    let id = newID()
    let name = BusOwnName(
      candidates, pauses: namePauses,
      send: { [weak self] in self?.sendToDaemon("RequestName", $0, $1) },
      watch: { [weak self] name, vanished in self?.watchName(name, appeared: { _ in }, vanished: vanished) },
      changed: changed)
    ownNames[id] = name
    name.request()
    return BusToken { [weak self] in
      guard let self, let name = ownNames.removeValue(forKey: id) else { return }
      if let owned = name.owned { sendToDaemon("ReleaseName", [.string(owned)]) { _ in } }
    }
  }

  // MARK: Own objects

  /// Exports an interface of an object. `Properties` and `Introspectable` are added.
  package func export(_ path: String, _ interface: BusInterface) -> BusToken {
    let id = newID()
    exports.add(id, path, interface)
    return BusToken { [weak self] in self?.exports.remove(id) }
  }

  /// Emits a signal from an exported object. Does nothing without a connection.
  package func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
    guard let connection, connection.isReady else { return }
    do throws(BusError) {
      try connection.emit(path, interface, member, arguments)
    } catch {
      logger.debug("The signal \(interface).\(member) could not be sent: \(error)")
    }
  }

  /// Emits PropertiesChanged with the present values of the named properties.
  package func emitPropertiesChanged(_ path: String, _ interface: String, _ names: [String]) {
    guard let properties = exports.interface(path, interface)?.properties else { return }
    let changed = properties.filter { names.contains($0.name) }
    guard !changed.isEmpty else { return }
    let values = Dictionary(changed.map { ($0.name, $0.get()) }, uniquingKeysWith: { first, _ in first })
    emit(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(interface), .options(values), .strings([])])
  }
}
