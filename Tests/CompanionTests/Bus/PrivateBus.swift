import Glibc
import Logging
import NetworkTesting
import Synchronization

@testable import Companion

/// A private message bus, whose daemon can be killed and started again.
final class PrivateBus: Sendable {
  let folder: String
  private let daemon = Mutex<Command?>(nil)

  var kind: BusKind { .address("unix:path=\(folder)/bus") }

  let logger: Logger = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
  }()

  /// - Parameter denied: a name that nobody may own, until `deny(nil)`.
  init(denying denied: String? = nil) throws {
    var template = Array("/tmp/swiftlet-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BusProblem(code: -errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try deny(denied)
    try start()
  }

  /// Writes the policy. A running daemon reads it when its method `ReloadConfig` is called.
  func deny(_ name: String?) throws {
    let rule = name.map { "<deny own=\"\($0)\"/>" } ?? ""
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><policy context="default">
      <allow eavesdrop="true"/><allow send_destination="*"/><allow own="*"/>\(rule)</policy></busconfig>
      """
    guard let file = fopen("\(folder)/bus.conf", "w") else { throw BusProblem(code: -errno) }
    fputs(configuration, file)
    fclose(file)
  }

  func start() throws {
    let daemon = try Command(["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf"])
    self.daemon.withLock { $0 = daemon }
  }

  func kill() {
    daemon.withLock { $0.take() }?.end()
    unlink("\(folder)/bus")
  }

  deinit {
    kill()
    for name in ["/bus.conf", ""] { remove(folder + name) }
  }

  /// A new connection.
  @CompanionActor func connect(retryingAfter pause: Duration = .milliseconds(10)) -> Bus {
    Bus(kind, logger: logger, pauses: RetryPauses(first: pause, longest: pause * 10))
  }

  /// A new connection that is ready.
  @CompanionActor func connected(retryingAfter pause: Duration = .milliseconds(10)) async throws -> Bus {
    let bus = connect(retryingAfter: pause)
    try await eventually { if case .connected = bus.state { true } else { false } }
    return bus
  }
}

/// Collects values that callbacks report, in order.
@CompanionActor final class Record<Element: Sendable & Equatable> {
  private(set) var elements: [Element] = []

  func add(_ element: Element) { elements.append(element) }

  func wait(for expected: [Element]) async throws {
    try await eventually { elements == expected }
  }
}

/// Waits up to 30 s for a condition.
@CompanionActor func eventually(_ condition: @CompanionActor () -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(30)
  while !condition() {
    guard ContinuousClock.now < end else { throw BusProblem("The condition was not met in time.") }
    try await Task.sleep(for: .milliseconds(5))
  }
}
