import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration file again on SIGHUP, and tells what that changes. A file with mistakes changes nothing.
struct ReloadService: Service {
  /// SIGHUP, and nothing else.
  let signals: UnixSignalsSequence
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
    for await _ in signals.cancelOnGracefulShutdown() {
      if hasTerminal, isatty(STDIN_FILENO) == 0 { return }
      manager.notify(.reloading(since: Self.monotonicMicroseconds))
      defer { manager.notify(.ready) }
      let logger = log.logger()
      let reading = sources.read()
      guard reading.mistakes.isEmpty else {
        for mistake in reading.mistakes { logger.error("\(mistake)") }
        logger.error("The configuration has mistakes: what was in force before stays so.")
        continue
      }
      let change = ConfigurationChange(from: configuration, to: reading.configuration)
      configuration = change.configuration
      log.level = configuration.logLevel
      for listener in listeners { listener.yield(configuration) }
      logger.notice("\(sources.path ?? "The configuration") was read again. \(change)")
    }
  }
  private static var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}
