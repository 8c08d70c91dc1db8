import MediaOrigin

/// The time of a run. Playback has its own time, which tests let run faster than the waits and limits of the checks.
public struct CheckClock: Sendable {
  /// Seconds of playback per second.
  public var speed: Double
  let source: any TimeSource

  public init(speed: Double = 1, source: any TimeSource = SystemTime()) {
    self.speed = speed
    self.source = source
  }

  public var now: ContinuousClock.Instant { source.now }

  /// Returns early if the task is cancelled.
  public func sleep(until deadline: ContinuousClock.Instant) async { await source.sleep(until: deadline) }

  /// Returns early if the task is cancelled.
  public func sleep(real duration: Duration) async { await source.sleep(until: now + duration) }

  // MARK: Playback

  /// The playback time since an instant.
  public func elapsed(since start: ContinuousClock.Instant) -> Duration { time(from: start, to: now) }

  /// The playback time between two instants.
  public func time(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Duration {
    (end - start) * speed
  }

  /// The real time that a playback time takes.
  public func real(_ duration: Duration) -> Duration { duration / speed }

  /// Waits for a playback time. Returns early if the task is cancelled.
  public func sleep(_ duration: Duration) async { await sleep(real: real(duration)) }
}
