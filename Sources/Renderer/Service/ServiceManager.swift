import Glibc
import ServiceLifecycle

/// Reports to the service manager that started the program, such as systemd (sd_notify(3)). Without one it does nothing.
struct ServiceManager: Service {
  /// The watchdog's timeout; nil if it is off (sd_watchdog_enabled(3)).
  let watchdogLimit: Duration?
  private let socket: ServiceSocket?
  private let notices: AsyncStream<[ServiceNotice]>
  private let continuation: AsyncStream<[ServiceNotice]>.Continuation

  /// - Parameters:
  ///   - environment: contains the manager's variables.
  ///   - processID: the ID of this process. WATCHDOG_PID can name another process.
  init(environment: [String: String], processID: Int32) {
    socket = environment["NOTIFY_SOCKET"].flatMap { ServiceSocket($0) }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
    watchdogLimit = if let limit, limit > 0, isMeant, socket != nil { .microseconds(limit) } else { nil }
    (notices, continuation) = AsyncStream.makeStream()
  }

  /// Queues notices that are sent together. Does not block.
  func notify(_ notices: ServiceNotice...) {
    guard socket != nil else { return }
    continuation.yield(notices)
  }

  /// Sends the notices in order, until shutdown.
  func run() async {
    await withGracefulShutdownHandler {
      for await notices in notices { socket?.send(notices) }
    } onGracefulShutdown: {
      continuation.finish()
    }
  }
}

/// A notice of sd_notify(3).
enum ServiceNotice: Sendable, Equatable {
  /// The service has started.
  case ready
  /// A reload began, at this time of the monotonic clock in microseconds. `ready` ends it.
  case reloading(since: Int64)
  /// The service shuts down.
  case stopping
  /// A sign of life for the watchdog.
  case watchdog
  /// Status in one line, for the user.
  case status(String)

  /// Assignments, one on each line.
  var text: String {
    switch self {
    case .ready: "READY=1\n"
    case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since)\n"
    case .stopping: "STOPPING=1\n"
    case .watchdog: "WATCHDOG=1\n"
    case .status(let line): "STATUS=\(line.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }
  }
}
