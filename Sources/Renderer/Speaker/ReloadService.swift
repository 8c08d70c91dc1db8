import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the configuration again: all of it on SIGHUP, only the presets when a controller asks for them. A file with
/// problems changes nothing. SIGHUP also scans the music library.
struct ReloadService: Service {
  /// The SIGHUP signals.
  let hangups: UnixSignalsSequence
  let updates: ConfigurationUpdates
  let sources: ConfigurationSources
  let settings: LiveSettings
  let log: LogOutput
  let manager: ServiceManager
  /// Looks at the folders of music again.
  let rescan: @Sendable () -> Void

  /// Reloads until shutdown. Also returns, which ends the program, on a SIGHUP because its terminal was closed.
  func run() async {
    let hasTerminal = isatty(STDIN_FILENO) == 1
    var sources = sources
    let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
    await withTaskGroup { group in
      group.addTask { for await _ in hangups { continuation.yield(.signal) } }
      group.addTask { for await _ in updates.presetRequests { continuation.yield(.presets) } }
      for await cause in causes.cancelOnGracefulShutdown() {
        if cause == .presets {
          if let new = read(&sources) { reloadPresets(new) }
          continue
        }
        if hasTerminal, isatty(STDIN_FILENO) == 0 { break }
        manager.notify(.reloading(since: Self.monotonicMicroseconds))
        if let new = read(&sources) { reload(new, from: sources) }
        rescan()
        manager.notify(.ready)
      }
      group.cancelAll()
    }
  }

  private enum Cause { case signal, presets }

  /// - Returns: nil for a file with problems, which are logged.
  private func read(_ sources: inout ConfigurationSources) -> ConfigurationReading? {
    let logger = log.logger()
    let reading = sources.readOwner()
    guard reading.problems.isEmpty else {
      for problem in reading.problems { logger.error("\(problem)") }
      logger.error("The configuration has mistakes; the previous one stays in force.")
      return nil
    }
    return reading
  }

  private func reload(_ new: ConfigurationReading, from sources: ConfigurationSources) {
    let change = settings.reload(new)
    log.logger().notice("Reloaded \(sources.path ?? "the configuration"). \(change)")
  }

  private func reloadPresets(_ new: ConfigurationReading) {
    guard settings.reloadPresets(new) else { return }
    log.logger().notice("Reloaded the presets: \(new.configuration.presets.count).")
  }

  private static var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}
