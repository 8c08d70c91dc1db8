/// Decides when to scan: in short windows, because scanning disturbs Wi-Fi on 2.4 GHz.
struct ScanSchedule: Sendable, Equatable {
  enum Action: Equatable {
    /// Start a scan, and call `began` or `failed`.
    case start
    case stop
    /// `began` or `failed` follows.
    case awaitStart
    /// No scan is needed. Call `step` again when that changes.
    case rest
    /// Call `step` again at this time.
    case wait(until: ContinuousClock.Instant)
  }

  static let window = Duration.seconds(4)
  static let pause = Duration.seconds(16)
  /// The pause before a window that decides about an arrival.
  static let shortPause = Duration.seconds(1)

  private enum State: Equatable {
    case pausing(since: ContinuousClock.Instant)
    /// BlueZ has not confirmed the start yet.
    case starting
    case scanning(until: ContinuousClock.Instant)
    case failed(until: ContinuousClock.Instant)
  }

  private var state: State
  private var retries = RetryPauses()

  /// The first window begins at once.
  init(at now: ContinuousClock.Instant) { state = .failed(until: now) }

  /// Whether a scan has begun.
  var isScanning: Bool { if case .scanning = state { true } else { false } }

  /// Whether a scan has begun, or may begin.
  var isActive: Bool { isScanning || state == .starting }

  /// - Parameters:
  ///   - isNeeded: whether scans are needed at all.
  ///   - isUndecided: whether the next window decides about an arrival.
  ///   - isDone: whether the present window can end early.
  mutating func step(
    at now: ContinuousClock.Instant, isNeeded: Bool = true, isUndecided: Bool = false, isDone: Bool = false
  ) -> Action {
    switch state {
    case .starting: return .awaitStart
    case .scanning(let end):
      guard isDone || now >= end else { return .wait(until: end) }
      state = .pausing(since: now)
      retries.reset()
      return .stop
    case .pausing where !isNeeded, .failed where !isNeeded: return .rest
    case .pausing(let since): return start(at: now, after: since + (isUndecided ? Self.shortPause : Self.pause))
    case .failed(let until): return start(at: now, after: until)
    }
  }

  private mutating func start(
    at now: ContinuousClock.Instant, after deadline: ContinuousClock.Instant
  ) -> Action {
    guard now >= deadline else { return .wait(until: deadline) }
    state = .starting
    return .start
  }

  /// BlueZ has started the scan. The window begins now.
  mutating func began(at now: ContinuousClock.Instant) {
    if state == .starting { state = .scanning(until: now + Self.window) }
  }

  /// The scan could not be started. The next attempts follow with exponential backoff.
  mutating func failed(at now: ContinuousClock.Instant) {
    guard state == .starting else { return }
    state = .failed(until: now + retries.next())
  }
}
