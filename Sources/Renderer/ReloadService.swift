import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration file again on SIGHUP, and tells what that changes; when a controller wants the radio's
/// presets refreshed, of these alone. A file with problems changes nothing.
struct ReloadService: Service {
  /// SIGHUP, and nothing else.
  let signals: UnixSignalsSequence
  let refreshes: AsyncStream<Void>
  let sources: ConfigurationSources
  /// What is in force at the start.
  let configuration: Configuration
  let log: LogOutput
  let manager: ServiceManager
  /// Who is told of what is in force from now on.
  let listeners: [AsyncStream<Configuration>.Continuation]

  /// Returns where the program is to end: whoever closes the terminal that it was started from means that, as with any
  /// program.
  func run() async {
    let hasTerminal = isatty(STDIN_FILENO) == 1
    var (sources, configuration) = (sources, configuration)
    let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
    await withTaskGroup { group in
      group.addTask { for await _ in signals { continuation.yield(.signal) } }
      group.addTask { for await _ in refreshes { continuation.yield(.refresh) } }
      for await cause in causes.cancelOnGracefulShutdown() {
        switch cause {
        case .signal:
          if hasTerminal, isatty(STDIN_FILENO) == 0 { break }
          manager.notify(.reloading(since: Self.monotonicMicroseconds))
          if let new = read(&sources) { take(new, into: &configuration, from: sources) }
          manager.notify(.ready)
          continue
        case .refresh:
          if let new = read(&sources) { refresh(new, into: &configuration) }
          continue
        }
        break
      }
      group.cancelAll()
    }
  }

  private enum Cause { case signal, refresh }

  /// - Returns: nil for a file with problems, which are told.
  private func read(_ sources: inout ConfigurationSources) -> Configuration? {
    let logger = log.logger()
    let reading = sources.read()
    guard reading.problems.isEmpty else {
      for problem in reading.problems { logger.error("\(problem)") }
      logger.error("The configuration has problems: what was in force before stays so.")
      return nil
    }
    return reading.configuration
  }

  private func take(_ new: Configuration, into configuration: inout Configuration, from sources: ConfigurationSources) {
    let change = ConfigurationChange(from: configuration, to: new)
    configuration = change.configuration
    log.level = configuration.logLevel
    for listener in listeners { listener.yield(configuration) }
    log.logger().notice("\(sources.path ?? "The configuration") was read again. \(change)")
  }

  /// Whoever wants to see other presets has not asked for anything else to change.
  private func refresh(_ new: Configuration, into configuration: inout Configuration) {
    guard new.presets != configuration.presets else { return }
    configuration.presets = new.presets
    for listener in listeners { listener.yield(configuration) }
    log.logger().notice("The presets were read again: there are \(new.presets.count).")
  }

  private static var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}
