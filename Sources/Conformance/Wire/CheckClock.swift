/// The time in which playback is judged. Tests let it run faster than real time, together with their renderer's clock.
public struct CheckClock: Sendable {
  /// Seconds of this clock per second.
  public var speed: Double

  public init(speed: Double = 1) { self.speed = speed }

  public struct Instant: Sendable {
    fileprivate var real: ContinuousClock.Instant
  }

  public var now: Instant { Instant(real: .now) }

  /// The time of this clock since an instant.
  public func elapsed(since start: Instant) -> Duration { (ContinuousClock.now - start.real) * speed }

  /// The time of this clock between two instants.
  public func time(from start: Instant, to end: Instant) -> Duration { (end.real - start.real) * speed }

  /// Real time that passes during a time of this clock.
  public func real(_ duration: Duration) -> Duration { duration / speed }

  /// Returns early if the task is cancelled.
  public func sleep(_ duration: Duration) async { try? await Task.sleep(for: real(duration)) }
}
