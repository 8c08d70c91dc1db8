import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Reads the configuration again: all of it on SIGHUP, only the presets when a controller asks for them. A file with
/// problems changes nothing.
struct ReloadService: Service {
  /// SIGHUP.
  let hangups: UnixSignalsSequence
  let updates: ConfigurationUpdates
  let sources: ConfigurationSources
  /// At the start.
  let configuration: Configuration
  let log: LogOutput
  let manager: ServiceManager

  /// Returns, which ends the program, on SIGHUP after the terminal that started it was closed.
  func run() async {
    let hasTerminal = isatty(STDIN_FILENO) == 1
    var (sources, configuration) = (sources, configuration)
    let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
    await withTaskGroup { group in
      group.addTask { for await _ in hangups { continuation.yield(.signal) } }
      group.addTask { for await _ in updates.presetRequests { continuation.yield(.presets) } }
      for await cause in causes.cancelOnGracefulShutdown() {
        if cause == .presets {
          if let new = read(&sources) { reloadPresets(new, into: &configuration) }
          continue
        }
        if hasTerminal, isatty(STDIN_FILENO) == 0 { break }
        manager.notify(.reloading(since: Self.monotonicMicroseconds))
        if let new = read(&sources) { reload(new, into: &configuration, from: sources) }
        manager.notify(.ready)
      }
      group.cancelAll()
    }
  }

  private enum Cause { case signal, presets }

  /// - Returns: nil for a file with problems, which are logged.
  private func read(_ sources: inout ConfigurationSources) -> Configuration? {
    let logger = log.logger()
    let reading = sources.read()
    guard reading.problems.isEmpty else {
      for problem in reading.problems { logger.error("\(problem)") }
      logger.error("The configuration has mistakes; the previous one stays in force.")
      return nil
    }
    return reading.configuration
  }

  private func reload(_ new: Configuration, into configuration: inout Configuration, from sources: ConfigurationSources)
  {
    let change = ConfigurationChange(from: configuration, to: new)
    configuration = change.configuration
    log.level = configuration.logLevel
    updates.send(configuration)
    log.logger().notice("Reloaded \(sources.path ?? "the configuration"). \(change)")
  }

  private func reloadPresets(_ new: Configuration, into configuration: inout Configuration) {
    guard new.presets != configuration.presets else { return }
    configuration.presets = new.presets
    updates.send(configuration)
    log.logger().notice("Reloaded the presets: \(new.presets.count).")
  }

  private static var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}

/// Carries reloaded configurations to the parts of the speaker, and their requests for a reload to `ReloadService`.
final class ConfigurationUpdates: Sendable {
  /// Coalesces requests until one is served.
  let presetRequests: AsyncStream<Void>
  private let requests: AsyncStream<Void>.Continuation
  private let subscribers = Mutex<[AsyncStream<Configuration>.Continuation]>([])

  init() { (presetRequests, requests) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// All configurations that are sent from now on.
  func subscribe() -> AsyncStream<Configuration> {
    let (configurations, continuation) = AsyncStream.makeStream(of: Configuration.self)
    subscribers.withLock { $0.append(continuation) }
    return configurations
  }

  func send(_ configuration: Configuration) {
    for subscriber in subscribers.withLock(\.self) { subscriber.yield(configuration) }
  }

  func requestPresets() { requests.yield() }
}
