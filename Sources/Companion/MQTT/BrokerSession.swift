/// Decides about the connection to a broker: when to connect and with which version of MQTT, what to log and to report.
///
/// `BrokerConnection` performs the actions.
struct BrokerSession {
  enum Event: Equatable {
    case started
    /// The broker has accepted the connection.
    case accepted
    /// The broker cannot be reached, or refuses the connection.
    case refused(MQTTError)
    /// The connection has ended. `errorTLS` is the reason if the broker had not accepted it; nil without TLS.
    case closed(reason: String, errorTLS: MQTTError?)
    /// The pause before the next attempt is over.
    case retryDue
    /// A problem that leaves the connection open.
    case problem(String)
    /// Links, addresses or routes have changed. The connection is not usable if its own address or the route is gone.
    case networkChanged(isUsable: Bool)
    /// The broker has sent something.
    case answered
    /// The broker has not answered `probe` in time.
    case probeOverdue
    case stopped
  }

  enum Action: Equatable {
    case connect(isVersion5: Bool)
    case close
    /// Sends `retryDue` after a pause.
    case retry(after: Duration)
    case notice(String)
    case warn(String)
    case report(isConnected: Bool, problem: String?)
    /// Sends something that the broker answers, and `probeOverdue` if it does not.
    case probe
    /// Messages can be sent now.
    case begin
    /// Messages can no longer be sent.
    case end
    /// Leaves the broker in an orderly way. `close` follows.
    case sayGoodbye
  }

  private enum Phase { case idle, connecting, accepted, waiting, stopped }

  private let broker: BrokerAddress
  private let prefix: String
  private var phase = Phase.idle
  private var retry = BrokerRetry()
  private var version = BrokerVersion()
  private var problems = LoggedProblems()
  /// Whether the network has changed during this attempt, which may fail for a reason that is gone.
  private var isOutdated = false
  private var isProbing = false

  /// - Parameter prefix: the first levels of the speaker's topics, for the log.
  init(broker: BrokerAddress, prefix: String) {
    self.broker = broker
    self.prefix = prefix
  }

  /// Whether an attempt is under way and not answered.
  var isConnecting: Bool { phase == .connecting }
  /// Whether the broker has accepted the connection.
  var isAccepted: Bool { phase == .accepted }

  /// - Parameter jitter: a random value 0…1.
  mutating func handle(_ event: Event, at now: ContinuousClock.Instant, jitter: Double) -> [Action] {
    switch (event, phase) {
    case (.started, .idle), (.retryDue, .waiting): return connect()
    case (.networkChanged, .waiting):
      retry.reset()
      return connect()
    case (.networkChanged, .connecting):
      isOutdated = true
      return []
    case (.networkChanged(isUsable: false), .accepted):
      return reconnect(.lost("the network has changed"), at: now, jitter)
    case (.networkChanged, .accepted) where !isProbing:
      isProbing = true
      return [.probe]
    case (.answered, .accepted):
      isProbing = false
      return []
    case (.probeOverdue, .accepted) where isProbing:
      return reconnect(.lost("the broker does not answer since the network has changed"), at: now, jitter)
    case (.accepted, .connecting): return accept(at: now)
    case (.refused(.oldVersion), .connecting):
      let error: MQTTError = version.is5 ? .oldVersion : .refused("it does not support MQTT 3.1.1")
      version.refused()
      return fail(error, at: now, jitter)
    case (.refused(let error), .connecting): return fail(error, at: now, jitter)
    case (.closed(let reason, let errorTLS), .connecting):
      version.ended(wasAccepted: false)
      return fail(errorTLS ?? .lost(reason), at: now, jitter)
    case (.closed(let reason, _), .accepted):
      version.ended(wasAccepted: true)
      return fail(.lost(reason), at: now, jitter)
    case (.problem(let text), .accepted):
      return problems.isNew(text) ? [.warn(text), .report(isConnected: true, problem: text)] : []
    case (.stopped, .accepted):
      phase = .stopped
      return [.sayGoodbye, .close]
    case (.stopped, .idle), (.stopped, .connecting), (.stopped, .waiting):
      phase = .stopped
      return [.close]
    default: return []
    }
  }

  private mutating func connect() -> [Action] {
    phase = .connecting
    (isOutdated, isProbing) = (false, false)
    return [.connect(isVersion5: version.is5)]
  }

  private mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
    phase = .accepted
    retry.connected(at: now)
    var actions: [Action] = []
    if problems.connected() {
      actions.append(.notice("connected to \(broker.place), topics begin with \(prefix)/."))
    }
    return actions + [.report(isConnected: true, problem: nil), .begin]
  }

  /// Closes a connection that the network has cut off, and begins the next attempt without a pause.
  private mutating func reconnect(
    _ error: MQTTError, at now: ContinuousClock.Instant, _ jitter: Double
  ) -> [Action] {
    isOutdated = true
    return fail(error, at: now, jitter)
  }

  /// Closes the connection, and waits before the next attempt.
  private mutating func fail(_ error: MQTTError, at now: ContinuousClock.Instant, _ jitter: Double) -> [Action] {
    let problem = error.description
    var actions: [Action] = [.close]
    if retry.isStable(at: now) { problems.forget() }
    if problems.disconnected(problem) { actions.append(.warn("\(problem) The speaker tries \(broker) again.")) }
    actions.append(.report(isConnected: false, problem: problem))
    let pause = retry.pause(at: now, jitter: jitter)
    if isOutdated { retry.reset() }
    actions.append(.retry(after: isOutdated ? .zero : pause))
    if isAccepted { actions.append(.end) }
    phase = .waiting
    return actions
  }
}

/// Decides how long to wait before the next connection: 1 s to 60 s, doubled after every failure.
struct BrokerRetry {
  /// A connection that has lasted this long resets the pause.
  static let stable = Duration.seconds(30)

  private var pauses = RetryPauses()
  private var connected: ContinuousClock.Instant?

  mutating func connected(at now: ContinuousClock.Instant) { connected = now }

  /// Whether the connection has lasted for `stable`.
  func isStable(at now: ContinuousClock.Instant) -> Bool { connected.map { now - $0 >= Self.stable } ?? false }

  /// The next pause is the shortest one again, because the reason of the failures may be gone.
  mutating func reset() { pauses.reset() }

  /// The pause before the next attempt, after a failure or the end of a connection.
  /// - Parameter jitter: a random value 0…1, so that clients do not all reconnect at once after the broker has
  ///   restarted.
  mutating func pause(at now: ContinuousClock.Instant, jitter: Double) -> Duration {
    if isStable(at: now) { pauses.reset() }
    connected = nil
    return pauses.next() * (0.75 + 0.25 * jitter)
  }
}

/// Chooses the version of MQTT for the next connection: 5, or 3.1.1 for a broker that does not know 5.
///
/// Such a broker refuses the version, in the form of 3.1.1, or closes the connection. libmosquitto 2.0.21 does not understand
/// the refusal and closes the connection, too. A closed connection can have other reasons, such as a broker that is starting
/// behind a proxy, so that 3.1.1 is tried once and then 5 again.
struct BrokerVersion {
  private(set) var is5 = true
  /// Whether the broker has refused version 5.
  private var isCertain = false

  /// The broker has refused the version.
  mutating func refused() {
    isCertain = is5
    is5.toggle()
  }

  /// The connection has ended.
  /// - Parameter wasAccepted: whether the broker had accepted it before.
  mutating func ended(wasAccepted: Bool) {
    guard !isCertain else { return }
    is5 = wasAccepted || !is5
  }
}

/// Decides which problems of a connection are logged: each one once, until a connection has been stable.
struct LoggedProblems {
  private var texts: Set<String> = []
  /// Whether the next connection is logged: the first one, and each one after a logged problem.
  private var isConnectionNews = true

  /// Whether to log a problem that leaves the connection open.
  mutating func isNew(_ problem: String) -> Bool { texts.insert(problem).inserted }

  /// Whether to log a problem that has ended the connection.
  mutating func disconnected(_ problem: String) -> Bool {
    guard texts.insert(problem).inserted else { return false }
    isConnectionNews = true
    return true
  }

  /// Whether to log that the speaker is connected.
  mutating func connected() -> Bool {
    defer { isConnectionNews = false }
    return isConnectionNews
  }

  /// A stable connection has ended: problems are logged again.
  mutating func forget() { texts = [] }
}
