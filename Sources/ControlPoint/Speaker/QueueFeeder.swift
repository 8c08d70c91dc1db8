/// Decides what a renderer without a queue plays next. A pure state machine: observations and time go in, actions come out.
///
/// It announces the next item with SetNextAVTransportURI where the renderer offers that. Otherwise, and where a renderer
/// ignores it, the next item starts when the renderer stops at the end of the current one.
struct QueueFeeder: Sendable {
  /// A snapshot of the renderer's state.
  struct Observation: Sendable, Hashable {
    var state: PlaybackState
    /// Nil if unknown.
    var uri: String?
    var position: Duration?
    var duration: Duration?
    /// Whether TransportStatus is ERROR_OCCURRED.
    var hasError = false
  }

  enum Event: Sendable, Hashable {
    case begin
    /// The renderer plays the first item already.
    case join
    case observed(Observation)
    /// The renderer refused an action.
    case refused(Action)
    /// The user's commands.
    case skip, goBack, stop
    case append([String])
  }

  enum Action: Sendable, Hashable {
    /// Set the item as current and play it.
    case play(Int)
    case setNext(Int)
    /// Make the renderer forget the next item. A refusal does not matter.
    case clearNext
    case stop
    case report(QueueFeedProgress)

    /// Whether playback continues if the action has no effect.
    var isAboutNext: Bool {
      switch self {
      case .setNext, .clearNext: true
      case .play, .stop, .report: false
      }
    }
  }

  private enum Phase: Hashable {
    case idle
    /// The renderer should play the item since that time. `isLoading`: it has begun to load the item. `isJoin`: it went
    /// on to the item by itself.
    case starting(since: Duration, isLoading: Bool, isJoin: Bool)
    case playing
    case ended
  }

  /// Give up after this many consecutive failures.
  static let maximumFailures = 5
  /// How long a renderer may keep reporting the previous item.
  static let staleTime = Duration.seconds(10)
  /// How long a renderer may stay stopped, or load, before an item counts as failed.
  static let stoppedTime = Duration.seconds(5)
  static let loadingTime = Duration.seconds(60)
  /// How long the position may stay the same while a renderer says that it plays. Some hang after an error.
  static let stalledTime = Duration.seconds(30)
  /// A renderer that stops this close to the end has played the track. Positions are whole seconds, and some durations are
  /// wrong by a second.
  static let endTolerance = Duration.seconds(4)

  private var uris: [PlayedURI]
  /// The indices of the items that are files, whose position must move while they play.
  private let files: Set<Int>
  private var offersNext: Bool
  private var current = 0
  /// The item that the renderer was told to play next.
  private var next: Int?
  private var phase = Phase.idle
  private var failures = 0
  private var hasPlayed = false
  private var position: Duration?
  private var duration: Duration?
  private var state = PlaybackState.unknown
  /// When the position last changed, or was not expected to change.
  private var movedAt = Duration.zero
  /// Whether the renderer reports positions.
  private var hasPositions = false
  private var seenAt = Duration.zero

  var isEnded: Bool { phase == .ended }

  init(uris: [String], offersNext: Bool, files: Set<Int> = []) {
    self.uris = uris.map { PlayedURI($0) }
    self.files = files
    self.offersNext = offersNext
  }

  /// - Parameter now: monotonic.
  mutating func take(_ event: Event, at now: Duration) -> [Action] {
    guard phase != .ended else { return [] }
    switch event {
    case .begin: return uris.isEmpty ? end(.played) : play(0, at: now)
    case .join:
      phase = .starting(since: now, isLoading: false, isJoin: false)
      return uris.isEmpty ? end(.played) : []
    case .observed(let observation): return observe(observation, at: now)
    case .refused(.play(let index)): return index == current ? fail(at: now) : []
    case .refused(.setNext):
      offersNext = false
      next = nil
      return []
    case .refused: return []
    case .skip: return current + 1 < uris.count ? play(current + 1, at: now) : [.stop] + end(.played)
    case .goBack: return play(max(0, current - 1), at: now)
    case .stop: return clearingNext() + [.stop] + end(.stopped)
    case .append(let more):
      uris += more.map { PlayedURI($0) }
      return []
    }
  }

  /// Ends the feed without stopping the renderer.
  /// - Returns: an action that clears the renderer's next item; none if it has no next item.
  mutating func cancel() -> [Action] {
    phase = .ended
    return clearingNext()
  }

  private mutating func observe(_ observation: Observation, at now: Duration) -> [Action] {
    switch phase {
    case .idle, .ended: []
    case .starting(let since, let isLoading, let isJoin):
      observeStart(observation, since: since, isLoading: isLoading, isJoin: isJoin, at: now)
    case .playing: observePlaying(observation, at: now)
    }
  }

  // MARK: Start

  private mutating func observeStart(
    _ observation: Observation, since: Duration, isLoading: Bool, isJoin: Bool, at now: Duration
  ) -> [Action] {
    if let uri = observation.uri, PlayedURI(uri) != uris[current] {
      // It may report the previous item for some time.
      return now - since > Self.staleTime ? end(.takenOver) : []
    }
    switch observation.state {
    case .playing, .paused:
      phase = .playing
      return began() + observePlaying(observation, at: now)
    case .buffering, .waiting:
      phase = .starting(since: since, isLoading: true, isJoin: isJoin)
      return observation.hasError || now - since > Self.loadingTime ? fail(at: now) : []
    case .stopped, .noMedia, .unknown:
      if observation.hasError || isLoading { return fail(at: now) }
      guard now - since > Self.stoppedTime else { return [] }
      return isJoin ? play(current, at: now) : fail(at: now)
    }
  }

  private mutating func began() -> [Action] {
    hasPlayed = true
    failures = 0
    return [.report(.playing(current))]
  }

  // MARK: While playing

  private mutating func observePlaying(_ observation: Observation, at now: Duration) -> [Action] {
    var actions: [Action] = []
    if let uri = observation.uri.map({ PlayedURI($0) }), uri != uris[current] {
      guard let index = index(of: uri) else { return end(.takenOver) }
      let isJoin = index == next
      // It went on to the next item, or another control point chose one of ours.
      current = index
      next = nil
      forgetPosition(at: now)
      if observation.state != .stopped, observation.state != .noMedia {
        actions += began()
      } else if isJoin, !observation.hasError {
        // Many renderers stop for a moment between two tracks.
        phase = .starting(since: now, isLoading: false, isJoin: true)
        return actions
      }
    }
    switch observation.state {
    case .stopped, .noMedia:
      if observation.hasError { return actions + fail(at: now) }
      return actions + (isAtEnd(at: now) ? advance(at: now) : clearingNext() + end(.stopped))
    case .playing, .paused, .buffering, .waiting, .unknown:
      note(observation, at: now)
      if isStuck(at: now) {
        return actions + (duration != nil && isAtEnd(at: now) ? advance(at: now) : fail(at: now))
      }
      return actions + (state == .playing ? announceNext() : [])
    }
  }

  /// Whether the renderer hangs. A station without a duration need not report positions. gmediarender says that it plays a
  /// broken file, and stays at the beginning.
  private func isStuck(at now: Duration) -> Bool {
    switch state {
    case .playing:
      (hasPositions && duration != nil || files.contains(current) && position != nil)
        && now - movedAt > Self.stalledTime
    case .buffering, .waiting, .unknown: now - movedAt > Self.loadingTime
    case .paused, .stopped, .noMedia: false
    }
  }

  private mutating func note(_ observation: Observation, at now: Duration) {
    let isNewState = observation.state != state && state != .paused
    state = observation.state
    let hasMoved = observation.position != nil && observation.position != position
    if hasMoved, position != nil { hasPositions = true }
    if hasMoved || isNewState || state == .paused { movedAt = now }
    position = observation.position ?? position
    duration = observation.duration ?? duration
    seenAt = now
  }

  /// The next item if announced, otherwise any item with that URI, preferably a later one.
  private func index(of uri: PlayedURI) -> Int? {
    if let next, uri == uris[next] { return next }
    return uris[current...].firstIndex(of: uri) ?? uris.firstIndex(of: uri)
  }

  /// Whether the track must have ended by now. True if nothing is known about it.
  private func isAtEnd(at now: Duration) -> Bool {
    guard let duration, let position else { return true }
    return position + (state == .playing ? now - seenAt : .zero) >= duration - Self.endTolerance
  }

  private mutating func announceNext() -> [Action] {
    let index = current + 1
    // With equal URIs, the change of track could not be detected.
    guard offersNext, next == nil, index < uris.count, uris[index] != uris[current] else { return [] }
    next = index
    return [.setNext(index)]
  }

  // MARK: Changes

  private mutating func advance(at now: Duration) -> [Action] {
    current + 1 < uris.count ? play(current + 1, at: now) : end(.played)
  }

  private mutating func play(_ index: Int, at now: Duration) -> [Action] {
    let clearing = clearingNext()
    current = index
    forgetPosition(at: now)
    phase = .starting(since: now, isLoading: false, isJoin: false)
    return clearing + [.play(index)]
  }

  private mutating func fail(at now: Duration) -> [Action] {
    failures += 1
    let report = Action.report(.failed(current))
    if failures >= Self.maximumFailures { return [report] + clearingNext() + end(.givenUp) }
    if current + 1 < uris.count { return [report] + play(current + 1, at: now) }
    return [report] + end(hasPlayed ? .played : .givenUp)
  }

  private mutating func end(_ reason: QueueFeedProgress.Ending) -> [Action] {
    phase = .ended
    return [.report(.ended(reason))]
  }

  private mutating func clearingNext() -> [Action] {
    guard next != nil else { return [] }
    next = nil
    return [.clearNext]
  }

  private mutating func forgetPosition(at now: Duration) {
    position = nil
    duration = nil
    state = .unknown
    movedAt = now
  }
}
