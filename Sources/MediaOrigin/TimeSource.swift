/// A source of time. Tests inject a simulated one.
public protocol TimeSource: Sendable {
  var now: ContinuousClock.Instant { get }

  /// Returns early if the task is cancelled.
  func sleep(until deadline: ContinuousClock.Instant) async
}

public struct SystemTime: TimeSource {
  public init() {}

  public var now: ContinuousClock.Instant { .now }

  public func sleep(until deadline: ContinuousClock.Instant) async { try? await Task.sleep(until: deadline) }
}
