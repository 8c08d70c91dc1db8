/// Decides when to scan: in short windows, because scanning disturbs Wi-Fi on 2.4 GHz.
struct ScanSchedule: Sendable, Equatable {
  enum Action: Equatable {
    case start
    case stop
    /// Call `step` again at this time.
    case wait(until: ContinuousClock.Instant)
  }

  static let window = Duration.seconds(4)
  static let pause = Duration.seconds(16)
  /// The pause before a window that decides about an arrival.
  static let shortPause = Duration.seconds(1)
  private static let longestRetry = Duration.seconds(60)

  private enum State: Equatable {
    case pausing(since: ContinuousClock.Instant)
    case scanning(until: ContinuousClock.Instant)
    case failed(until: ContinuousClock.Instant)
  }

  private var state: State
  private var retry = Duration.seconds(1)

  /// The first window begins at once.
  init(at now: ContinuousClock.Instant) { state = .failed(until: now) }

  var isScanning: Bool { if case .scanning = state { true } else { false } }

  /// - Parameters:
  ///   - isUndecided: whether the next window decides about an arrival.
  ///   - isDone: whether the present window can end early.
  mutating func step(
    at now: ContinuousClock.Instant, isUndecided: Bool = false, isDone: Bool = false
  ) -> Action {
    switch state {
    case .scanning(let end):
      guard isDone || now >= end else { return .wait(until: end) }
      (state, retry) = (.pausing(since: now), .seconds(1))
      return .stop
    case .pausing(let since): return start(at: now, after: since + (isUndecided ? Self.shortPause : Self.pause))
    case .failed(let until): return start(at: now, after: until)
    }
  }

  private mutating func start(
    at now: ContinuousClock.Instant, after deadline: ContinuousClock.Instant
  ) -> Action {
    guard now >= deadline else { return .wait(until: deadline) }
    state = .scanning(until: now + Self.window)
    return .start
  }

  /// The window could not begin. The next attempts follow with exponential backoff.
  mutating func failed(at now: ContinuousClock.Instant) {
    state = .failed(until: now + retry)
    retry = min(retry * 2, Self.longestRetry)
  }
}
