/// Ends playback after some time, or at the end of the track or the queue, with a fade.
///
/// A pure value: facts and time go in, actions come out. The fade is a gain beside the volume, so the volume stays the
/// same for everyone who shows it.
package struct SleepTimer: Sendable, Equatable {
  /// Limits of a time in minutes.
  package static let minutes = 1...1440
  package static let fade = Duration.seconds(30)
  /// The fade of a track ends this long before the track, because the device plays behind the fade.
  static let margin = Duration.seconds(1)

  package enum End: Sendable, Equatable {
    case minutes(Int)
    case track, queue
  }

  /// The facts about playback that decisions depend on.
  package struct Facts: Sendable, Equatable {
    package var state = TransportState.noMedia
    package var trackID = 0
    package var position = Duration.zero
    package var duration: Duration?
    package var isLive = false
    package var canSeek = false
    /// Whether nothing follows the track, apart from a repetition.
    package var isLast = true
    package var volume = 0
    package var isMuted = false

    package init() {}

    var remaining: Duration? { duration.map { $0 - position } }
  }

  package enum Event: Sendable, Equatable {
    /// Time has passed, or the facts have changed.
    case update
    /// A person has changed what plays. Another track is then not the end of the one before.
    case moved
    /// Playback has ended by itself.
    case ended
    case cancel
  }

  package enum Action: Sendable, Equatable {
    /// Lets the sound fade to silence.
    case fade(Duration)
    /// Restores the sound.
    case unfade(Duration)
    /// Stops playback. The next play continues at the position, if any.
    case stop(resumingAt: Duration?)
  }

  private struct Fading: Sendable, Equatable {
    var trackID: Int
    var position: Duration
    var volume: Int
    var isMuted: Bool
  }

  private struct Running: Sendable, Equatable {
    var end: End
    /// When a time ends.
    var deadline: ContinuousClock.Instant?
    /// The track whose end is awaited.
    var trackID: Int
    /// Whether that track is the last one.
    var isLast: Bool
    /// Whether its duration is known. The fade has then begun before its end.
    var hasDuration = false
    var fading: Fading?
  }

  private var running: Running?

  package init() {}

  package var end: End? { running?.end }
  package var isFading: Bool { running?.fading != nil }

  /// The rest of a time in minutes, and of a track whose duration is known; nil for others.
  package func rest(_ facts: Facts, now: ContinuousClock.Instant) -> Duration? {
    guard let running else { return nil }
    if let deadline = running.deadline { return max(.zero, deadline - now) }
    return running.end == .track || running.isLast ? facts.remaining.map { max(.zero, $0) } : nil
  }

  /// Starts the timer, or replaces its end.
  package mutating func start(
    _ end: End, _ facts: Facts, now: ContinuousClock.Instant
  ) throws(AlarmError) -> [Action] {
    if end == .track || end == .queue {
      guard facts.state.isOn else { throw .nothingPlays }
      guard !facts.isLive else { throw .noEnd }
    }
    let actions = cancel(.seconds(1))
    let deadline: ContinuousClock.Instant? =
      if case .minutes(let minutes) = end { now + .seconds(minutes * 60) } else { nil }
    running = Running(end: end, deadline: deadline, trackID: facts.trackID, isLast: facts.isLast)
    return actions + update(facts, now)
  }

  package mutating func step(_ event: Event, _ facts: Facts, now: ContinuousClock.Instant) -> [Action] {
    guard running != nil else { return [] }
    switch event {
    case .update: return update(facts, now)
    case .moved:
      running?.trackID = facts.trackID
      running?.isLast = facts.isLast
      return update(facts, now)
    case .ended: return running?.deadline == nil ? cancel(.zero) : update(facts, now)
    case .cancel: return cancel(.seconds(1))
    }
  }

  /// When the next step is due; nil if a change of the facts comes first.
  package func wake(_ facts: Facts, now: ContinuousClock.Instant) -> Duration? {
    guard let running else { return nil }
    if let deadline = running.deadline {
      let rest = deadline - now
      return max(.zero, running.fading == nil && facts.state.isActive ? rest - Self.fade : rest)
    }
    guard facts.state == .playing, running.fading == nil, awaitsEnd(running, facts), let rest = facts.remaining else {
      return nil
    }
    return max(.zero, rest - Self.fade - Self.margin)
  }

  // MARK: Steps

  private func awaitsEnd(_ running: Running, _ facts: Facts) -> Bool { running.end == .track || facts.isLast }

  private mutating func update(_ facts: Facts, _ now: ContinuousClock.Instant) -> [Action] {
    guard let running else { return [] }
    if let fading = running.fading, (facts.volume, facts.isMuted) != (fading.volume, fading.isMuted) {
      return cancel(.seconds(1))
    }
    return running.deadline.map { update($0, running, facts, now) } ?? updateTrack(running, facts)
  }

  private mutating func update(
    _ deadline: ContinuousClock.Instant, _ running: Running, _ facts: Facts, _ now: ContinuousClock.Instant
  ) -> [Action] {
    let rest = deadline - now
    if rest <= .zero { return facts.state.isActive ? stop(facts) : cancel(.zero) }
    guard rest <= Self.fade, running.fading == nil, facts.state.isActive else { return [] }
    return fade(rest, facts)
  }

  private mutating func updateTrack(_ running: Running, _ facts: Facts) -> [Action] {
    guard facts.state.isOn else { return cancel(.zero) }
    if facts.trackID != running.trackID {
      let isOver = running.fading != nil || !running.hasDuration
      if isOver, running.end == .track || running.isLast { return stop(facts) }
      self.running?.trackID = facts.trackID
    }
    self.running?.isLast = facts.isLast
    self.running?.hasDuration = facts.duration != nil
    guard facts.state == .playing, awaitsEnd(running, facts), let rest = facts.remaining else {
      return running.fading != nil && !awaitsEnd(running, facts) ? unfade() : []
    }
    let isDue = rest <= Self.fade + Self.margin
    if isDue, running.fading == nil { return fade(max(.zero, rest - Self.margin), facts) }
    return !isDue && running.fading != nil ? unfade() : []
  }

  private mutating func fade(_ duration: Duration, _ facts: Facts) -> [Action] {
    running?.fading = Fading(
      trackID: facts.trackID, position: facts.position, volume: facts.volume, isMuted: facts.isMuted)
    return [.fade(duration)]
  }

  private mutating func unfade() -> [Action] {
    running?.fading = nil
    return [.unfade(.seconds(1))]
  }

  private mutating func stop(_ facts: Facts) -> [Action] {
    defer { running = nil }
    let fading = running?.fading
    let position = fading?.trackID == facts.trackID && facts.canSeek && !facts.isLive ? fading?.position : nil
    return [.stop(resumingAt: position), .unfade(.zero)]
  }

  private mutating func cancel(_ duration: Duration) -> [Action] {
    defer { running = nil }
    return running?.fading == nil ? [] : [.unfade(duration)]
  }
}
