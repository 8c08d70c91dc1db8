/// Decides when to search for the audio device, open it, retry, give up and release it.
///
/// Pure: commands, results and the time go in, actions come out. The caller performs them in order; the results of
/// `search` and `open` come back as events before anything else happens.
package struct DeviceMachine {
  package typealias Instant = ContinuousClock.Instant

  /// What the device is needed for.
  package enum Demand {
    case none
    /// A track is about to play its first sound.
    case starting
    case playing
  }

  package enum Action: Equatable {
    /// Find a device and attach the output to it. Answered by `found` or `notFound`.
    case search
    /// Open the device, after probing it if `isProbed` is false. Answered by `opened` or `failed`.
    case open(isProbed: Bool)
    /// End the output's run and close the device.
    case close
    /// Discard the output of the lost device.
    case detach
    /// Log why no device was found.
    case log(OutputError)
    /// Report that there is no device.
    case reportMissing
    /// Report that the output's server takes sound again. Playback starts there again.
    case reportReturn
    /// Begin to wait for the output's server, at the position that is heard.
    case interrupt
    /// Fail the current track.
    case fail(PlaybackError)
  }

  /// Pause between two searches for a missing device.
  static let searchInterval = Duration.seconds(5)
  /// Number of retries, and pause between them, before the track fails with a busy device.
  static let busyRetries = 5
  static let busyPause = Duration.milliseconds(300)
  /// Minimum pause before each attempt to reach the output's server again.
  static let serverPause = Duration.seconds(1)

  /// What to do after the current search.
  private enum Pending {
    case nothing
    case open
    /// The device failed during playback or opening; a search may find it under another name.
    case failure(PlaybackError)
  }

  /// Whether another device may replace the first one.
  private let canSearch: Bool
  /// Why there is no device; nil while one is attached.
  private var missing: PlaybackError?
  package private(set) var isOpen = false
  private var pending = Pending.nothing
  /// Whether the output's server could not be reached at the last attempt. Playback waits for it.
  package private(set) var isAway = false
  /// When the server may be contacted again.
  private var earliestContact: Instant?
  private var lastSearchFailure: OutputError?
  private var busyCount = 0
  /// Whether the search was already repeated for the starting track.
  private var hasSearchedAgain = false
  private var nextSearch: Instant?
  private var nextAttempt: Instant?
  private var release: Instant?

  /// - Parameter missing: why no output is attached yet; nil if one is.
  package init(canSearch: Bool, missing: PlaybackError?) {
    self.canSearch = canSearch
    self.missing = missing
  }

  /// When `handleDeadline` is to be called next.
  package var deadline: Instant? { [nextSearch, nextAttempt, release].compactMap(\.self).min() }

  /// Handles all deadlines up to `now`.
  package mutating func handleDeadline(demand: Demand, now: Instant) -> [Action] {
    var actions: [Action] = []
    if let nextSearch, nextSearch <= now { actions += search() }
    if let release, release <= now { actions += close() }
    if let nextAttempt, nextAttempt <= now { actions += open(demand: demand, now: now) }
    return actions
  }

  /// Searches for a device if there is none.
  package mutating func search() -> [Action] {
    nextSearch = nil
    return missing != nil && canSearch ? [.search] : []
  }

  /// Opens the device for a new track.
  package mutating func start(now: Instant) -> [Action] {
    busyCount = 0
    hasSearchedAgain = false
    return open(demand: .starting, now: now)
  }

  /// Cancels a planned attempt or release.
  package mutating func cancel() {
    nextAttempt = nil
    release = nil
  }

  /// Plans to close the device, unless a track starts first.
  package mutating func scheduleRelease(at instant: Instant) { release = instant }

  package mutating func close() -> [Action] {
    release = nil
    isOpen = false
    return [.close]
  }

  private mutating func open(demand: Demand, now: Instant) -> [Action] {
    nextAttempt = nil
    release = nil
    nextSearch = nil
    if let earliestContact, now < earliestContact {
      nextAttempt = earliestContact
      return []
    }
    guard let missing else { return [.open(isProbed: isOpen)] }
    guard canSearch else { return failed(missing, demand: demand, now: now) }
    pending = .open
    return [.search]
  }

  // MARK: Events

  /// The search found a device, and the output is attached to it.
  package mutating func found(demand: Demand, now: Instant) -> [Action] {
    missing = nil
    lastSearchFailure = nil
    defer { pending = .nothing }
    switch pending {
    case .nothing: return []
    case .open: return [.open(isProbed: isOpen)]
    case .failure(let error): return searchAgainOrFail(error, demand: demand, now: now)
    }
  }

  package mutating func notFound(_ error: OutputError, demand: Demand, now: Instant) -> [Action] {
    missing = error.playbackError
    var actions: [Action] = error == lastSearchFailure ? [] : [.log(error)]
    actions.append(.reportMissing)
    lastSearchFailure = error
    nextSearch = now + Self.searchInterval
    let pending = pending
    self.pending = .nothing
    switch pending {
    case .nothing: break
    case .open: actions += failed(error.playbackError, demand: demand, now: now)
    case .failure(let failure): actions.append(.fail(failure))
    }
    return actions
  }

  /// The attempt to open the device has returned.
  /// - Parameter isOpen: false if it failed; then `failed` reports the reason.
  package mutating func opened(_ isOpen: Bool) -> [Action] {
    self.isOpen = isOpen
    guard isOpen, isAway else { return [] }
    isAway = false
    return [.reportReturn]
  }

  /// The device cannot be opened, or was lost.
  package mutating func failed(_ error: PlaybackError, demand: Demand, now: Instant) -> [Action] {
    guard demand != .none else { return [] }
    if case .outputUnreachable = error { return awaitServer(error, demand: demand, now: now) }
    let actions = close()
    // The other program may be about to close the device.
    if error == .deviceBusy, demand == .starting, busyCount < Self.busyRetries {
      busyCount += 1
      nextAttempt = now + Self.busyPause
      return actions
    }
    if error != .deviceBusy, canSearch, missing == nil {
      missing = .deviceMissing
      pending = .failure(error)
      return actions + [.detach] + [.search]
    }
    return actions + searchAgainOrFail(error, demand: demand, now: now)
  }

  private mutating func awaitServer(_ error: PlaybackError, demand: Demand, now: Instant) -> [Action] {
    let reports: [Action] =
      isAway ? [] : [.log(OutputError("\(error) Playback waits for it.", playbackError: error)), .reportMissing]
    isAway = true
    earliestContact = now + Self.serverPause
    // The position is lost when the device is closed.
    guard demand == .starting else { return reports + [.interrupt] }
    nextAttempt = earliestContact
    return close() + reports
  }

  /// Retries once, since the device may have returned under another name.
  private mutating func searchAgainOrFail(_ error: PlaybackError, demand: Demand, now: Instant) -> [Action] {
    guard demand == .starting, !hasSearchedAgain, canSearch, missing == nil else { return [.fail(error)] }
    hasSearchedAgain = true
    nextAttempt = now
    return []
  }
}
