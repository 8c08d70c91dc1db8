/// Decides what a renderer without a queue plays next. A pure state machine: observations and time go in, actions come out.
///
/// It announces the next item with SetNextAVTransportURI where the renderer offers that. Otherwise, and where a renderer
/// ignores it, the next item starts when the renderer stops at the end of the current one.
struct QueueFeeder: Sendable {
  /// What the renderer says at one moment.
  struct Observation: Sendable, Hashable {
    var state: PlaybackState
    /// Nil if unknown.
    var uri: String?
    var position: Duration?
    var duration: Duration?
    /// TransportStatus is ERROR_OCCURRED.
    var hasError = false
  }

  enum Event: Sendable, Hashable {
    case begin
    case observed(Observation)
    /// The renderer refused an action.
    case refused(Action)
    /// Commands of the person.
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
  }

  private enum Phase: Hashable {
    case idle
    /// Since when the renderer should play the item, and whether it began to load it.
    case starting(since: Duration, isLoading: Bool)
    case playing
    case ended
  }

  /// Give up after this many consecutive failures.
  static let maximumFailures = 5
  /// How long a renderer may keep reporting what it played before.
  static let staleTime = Duration.seconds(10)
  /// How long a renderer may stay stopped, or load, before an item counts as failed.
  static let stoppedTime = Duration.seconds(5)
  static let loadingTime = Duration.seconds(60)
  /// How long the position may stay the same while a renderer says that it plays. Some hang after an error.
  static let stalledTime = Duration.seconds(30)
  /// A renderer that stops this close to the end has played the track. Positions are whole seconds, and some durations are
  /// wrong by a second.
  static let endTolerance = Duration.seconds(4)

  private var uris: [String]
  private var offersNext: Bool
  private var current = 0
  /// The item that the renderer was told to play next.
  private var next: Int?
  private var phase = Phase.idle
  private var failures = 0
  private var hasPlayed = false
  private var position: Duration?
  private var duration: Duration?
  private var isAdvancing = false
  /// When the position last changed, or nothing was expected to change.
  private var movedAt = Duration.zero
  /// Whether the renderer reports positions.
  private var hasPositions = false
  private var seenAt = Duration.zero

  var isEnded: Bool { phase == .ended }

  init(uris: [String], offersNext: Bool) {
    self.uris = uris
    self.offersNext = offersNext
  }

  /// - Parameter now: monotonic.
  mutating func take(_ event: Event, at now: Duration) -> [Action] {
    guard phase != .ended else { return [] }
    switch event {
    case .begin: return uris.isEmpty ? end(.played) : play(0, at: now)
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
      uris += more
      return []
    }
  }

  private mutating func observe(_ observation: Observation, at now: Duration) -> [Action] {
    switch phase {
    case .idle, .ended: []
    case .starting(let since, let isLoading): observeStart(observation, since: since, isLoading: isLoading, at: now)
    case .playing: observePlaying(observation, at: now)
    }
  }

  // MARK: Start

  private mutating func observeStart(
    _ observation: Observation, since: Duration, isLoading: Bool, at now: Duration
  ) -> [Action] {
    if let uri = observation.uri, !Self.isSame(uri, uris[current]) {
      // It still reports the item before, unless that takes too long.
      return now - since > Self.staleTime ? end(.takenOver) : []
    }
    switch observation.state {
    case .playing, .paused:
      phase = .playing
      return began() + observePlaying(observation, at: now)
    case .buffering, .waiting:
      phase = .starting(since: since, isLoading: true)
      return observation.hasError || now - since > Self.loadingTime ? fail(at: now) : []
    case .stopped, .noMedia, .unknown:
      return observation.hasError || isLoading || now - since > Self.stoppedTime ? fail(at: now) : []
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
    if let uri = observation.uri, !Self.isSame(uri, uris[current]) {
      guard let index = index(of: uri) else { return end(.takenOver) }
      // It went on to the next item, or another control point chose one of ours.
      current = index
      next = nil
      forgetPosition(at: now)
      if observation.state != .stopped, observation.state != .noMedia { actions += began() }
    }
    switch observation.state {
    case .stopped, .noMedia:
      if observation.hasError { return actions + fail(at: now) }
      return actions + (isAtEnd(at: now) ? advance(at: now) : clearingNext() + end(.stopped))
    case .playing, .paused, .buffering, .waiting, .unknown:
      note(observation, at: now)
      guard isAdvancing else { return actions }
      if hasPositions, now - movedAt > Self.stalledTime {
        return actions + (isAtEnd(at: now) ? advance(at: now) : fail(at: now))
      }
      return actions + announceNext()
    }
  }

  private mutating func note(_ observation: Observation, at now: Duration) {
    isAdvancing = observation.state == .playing
    let hasMoved = observation.position != nil && observation.position != position
    if hasMoved, position != nil { hasPositions = true }
    if hasMoved || !isAdvancing { movedAt = now }
    position = observation.position ?? position
    duration = observation.duration ?? duration
    seenAt = now
  }

  /// The next item if announced, otherwise any item with that URI, preferably a later one.
  private func index(of uri: String) -> Int? {
    if let next, Self.isSame(uri, uris[next]) { return next }
    return uris[current...].firstIndex { Self.isSame(uri, $0) } ?? uris.firstIndex { Self.isSame(uri, $0) }
  }

  /// Whether the track must have ended by now. True if nothing is known about it.
  private func isAtEnd(at now: Duration) -> Bool {
    guard let duration, let position else { return true }
    return position + (isAdvancing ? now - seenAt : .zero) >= duration - Self.endTolerance
  }

  private mutating func announceNext() -> [Action] {
    let index = current + 1
    // With equal URIs the change of track would go unseen.
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
    phase = .starting(since: now, isLoading: false)
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
    isAdvancing = false
    movedAt = now
  }

  /// Some renderers return a URI as it was escaped in the request.
  private static func isSame(_ a: String, _ b: String) -> Bool { a == b || plain(a) == plain(b) }

  private static func plain(_ uri: String) -> String {
    var parts = uri.split(separator: "&", omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() where parts[index].hasPrefix("amp;") {
      parts[index] = parts[index].dropFirst(4)
    }
    return parts.joined(separator: "&")
  }
}
