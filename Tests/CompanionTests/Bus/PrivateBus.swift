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

  init() throws {
    var template = Array("/tmp/swiftlet-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BusProblem(code: -errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen>
      <policy context="default"><allow eavesdrop="true"/><allow send_destination="*"/><allow own="*"/></policy></busconfig>
      """
    guard let file = fopen("\(folder)/bus.conf", "w") else { throw BusProblem(code: -errno) }
    fputs(configuration, file)
    fclose(file)
    try start()
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
  @CompanionActor func connect() -> Bus {
    Bus(kind, logger: logger, pauses: RetryPauses(first: .milliseconds(10), longest: .milliseconds(100)))
  }

  /// A new connection that is ready.
  @CompanionActor func connected() async throws -> Bus {
    let bus = connect()
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
