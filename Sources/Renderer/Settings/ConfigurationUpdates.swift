import Synchronization

/// Carries reloaded configurations to the parts of the speaker, and their requests for a reload to `ReloadService`.
final class ConfigurationUpdates: Sendable {
  /// Requests to reload the presets, coalesced until one is served.
  let presetRequests: AsyncStream<Void>
  private let requests: AsyncStream<Void>.Continuation
  private let subscribers = Mutex<[AsyncStream<Configuration>.Continuation]>([])

  init() { (presetRequests, requests) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// The configurations that are sent from now on. Each is complete, so a slow reader gets only the newest.
  func subscribe() -> AsyncStream<Configuration> {
    let (configurations, continuation) = AsyncStream.makeStream(
      of: Configuration.self, bufferingPolicy: .bufferingNewest(1))
    subscribers.withLock { $0.append(continuation) }
    return configurations
  }

  func send(_ configuration: Configuration) {
    for subscriber in subscribers.withLock(\.self) { subscriber.yield(configuration) }
  }

  func requestPresets() { requests.yield() }
}
