import Glibc
import ServiceLifecycle

/// systemd, or who else started the program and wants to know how it is (sd_notify(3)).
///
/// Notices are sent in order by `run()`, so that whoever gives one never waits. Without a manager they go nowhere.
struct ServiceManager: Service {
  /// How long it may go without a sign of life; nil where none is wanted (sd_watchdog_enabled(3)).
  let watchdogLimit: Duration?
  private let socket: ServiceSocket?
  private let notices: AsyncStream<[ServiceNotice]>
  private let continuation: AsyncStream<[ServiceNotice]>.Continuation

  /// - Parameters:
  ///   - environment: what the manager has put there for us.
  ///   - processID: ours, to know what was meant for another program.
  init(environment: [String: String], processID: Int32) {
    socket = environment["NOTIFY_SOCKET"].flatMap { ServiceSocket($0) }
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
    watchdogLimit = if let limit, limit > 0, isMeant, socket != nil { .microseconds(limit) } else { nil }
    (notices, continuation) = AsyncStream.makeStream()
  }

  /// Takes notices to be sent together, and returns at once.
  func notify(_ notices: ServiceNotice...) {
    guard socket != nil else { return }
    continuation.yield(notices)
  }

  /// Sends what is to be told until the program ends.
  func run() async {
    await withGracefulShutdownHandler {
      for await notices in notices { socket?.send(notices) }
    } onGracefulShutdown: {
      continuation.finish()
    }
  }
}
