/// Moves what one speaker plays to another: queue, current track, position, state, repeat and shuffle.
///
/// The target is prepared and started while the source plays on. The source stops when the target plays, and keeps its
/// queue. If the target does not play the track, it gets its old queue back, and the source plays on.
public struct PlaybackMove: Sendable {
  /// A property of the playback that the target does not have.
  public enum Loss: Sendable, Hashable, CustomStringConvertible {
    /// The target has no queue: that many tracks stay behind.
    case tracks(Int)
    case position, pause, `repeat`, shuffle

    public var description: String {
      switch self {
      case .tracks(1): "1 more track stays behind, since the speaker has no queue."
      case .tracks(let count): "\(count) more tracks stay behind, since the speaker has no queue."
      case .position: "The track starts from its beginning, since the speaker cannot seek."
      case .pause: "It is stopped, since the speaker cannot pause it."
      case .repeat: "It does not repeat, since the speaker has no queue."
      case .shuffle: "It is not shuffled, since the speaker has no queue."
      }
    }
  }

  public struct Outcome: Sendable, Hashable {
    /// Nil if the source played the sound of another room, which the target has joined.
    public var track: SpeakerTrack?
    /// The current track and those after it on a target without a queue, for `RemoteSpeaker.feed`; otherwise empty.
    public var feed: [SpeakerItem] = []
    public var losses: [Loss] = []
  }

  private static let interval = Duration.milliseconds(200)
  private static let seekAttempts = 10
  /// How many intervals a target may buffer after a seek.
  private static let seekPatience = 25
  /// Positions are whole seconds.
  private static let positionTolerance = Duration.seconds(3)

  private let source: RemoteSpeaker
  private let target: RemoteSpeaker
  private let isFed: Bool
  /// Waits; throws `.cancelled`.
  var wait: @Sendable (Duration) async throws(ControlPointError) -> Void = AVPlayback.sleep

  /// - Parameter isFed: the caller will feed a target without a queue with `Outcome.feed`.
  public init(from source: RemoteSpeaker, to target: RemoteSpeaker, isFed: Bool = false) {
    self.source = source
    self.target = target
    self.isFed = isFed
  }

  /// - Throws: the reason, after the target has been restored.
  public func run() async throws(RoomError) -> Outcome {
    guard source.id != target.id else { throw .sameRoom(source.name) }
    let playback = try await source.movedPlayback()
    if case .room(let sender) = playback.content { return try await moveMembership(sender) }
    var service = try service(for: playback)
    var hasStarted = false
    let outcome: Outcome
    do throws(RoomError) {
      try await naming(target) { () throws(ControlPointError) in
        try await target.wake()
        try await service.prepare()
      }
      let latest = await latest(playback)
      hasStarted = true
      outcome = try await start(latest, service)
    } catch {
      let service = service
      let isStarted = hasStarted
      // A new task, since the current one may be cancelled.
      await Task { await service.rollback(afterStart: isStarted) }.value
      throw error
    }
    if playback.isActive { try await naming(source) { () throws(ControlPointError) in try await source.stop() } }
    let prepared = service
    try await naming(target) { () throws(ControlPointError) in try await prepared.commit() }
    return outcome
  }

  private func service(for playback: MovedPlayback) throws(RoomError) -> any MoveTarget {
    do throws(ControlPointError) {
      switch playback.content {
      case .queue(let queue):
        let items = queue.entries.map(\.item)
        guard try target.capabilities.require(.play) == .playlist else { return try renderer(items, playback) }
        let modes = PlaylistTarget.Modes(isRepeating: playback.isRepeating, isShuffling: playback.isShuffling)
        return try PlaylistTarget(target, items: items, modes: modes)
      case .station(let station):
        switch try target.capabilities.require(.tune) {
        case .radio: return try RadioTarget(target, station: station)
        case .playlist: return try PlaylistTarget(target, items: [station], modes: nil)
        default: return try renderer([station], playback)
        }
      case .room: throw .notOffered("an OpenHome Receiver service")
      }
    } catch {
      throw .device(name: target.name, error)
    }
  }

  private func renderer(
    _ items: [SpeakerItem], _ playback: MovedPlayback
  ) throws(ControlPointError) -> RendererTarget {
    let announcesNext = !isFed(playback) && target.capabilities.mechanism(for: .announceNext) != nil
    return try RendererTarget(target, items: items, announcesNext: announcesNext)
  }

  private func isFed(_ playback: MovedPlayback) -> Bool { isFed && playback.isActive }

  /// The playback now, after the preparation, which may take long. The old one if the queue has changed meanwhile.
  private func latest(_ playback: MovedPlayback) async -> MovedPlayback {
    guard let latest = try? await source.movedPlayback() else { return playback }
    switch (playback.content, latest.content) {
    case (.queue(let old), .queue(let new)) where old.entries == new.entries: return latest
    case (.station(let old), .station(let new)) where old == new: return latest
    default: return playback
    }
  }

  // MARK: Start

  private func start(_ playback: MovedPlayback, _ service: any MoveTarget) async throws(RoomError) -> Outcome {
    guard let item = playback.item else { throw .nothingPlays(source.name) }
    var outcome = Outcome(track: item.track)
    if case .queue(let queue) = playback.content, let renderer = service as? RendererTarget {
      let rest = queue.entries.dropFirst(playback.index + 1).map(\.item)
      let others = queue.entries.count - 1 - (renderer.announcesNext && !rest.isEmpty ? 1 : 0)
      if isFed(playback) { outcome.feed = [item] + rest } else if others > 0 { outcome.losses.append(.tracks(others)) }
      if playback.isRepeating { outcome.losses.append(.repeat) }
      if playback.isShuffling { outcome.losses.append(.shuffle) }
    }
    try await naming(target) { () throws(ControlPointError) in
      try await service.start(playback.index, playing: playback.isActive)
    }
    guard playback.isActive else { return outcome }
    let hasStarted = try await naming(target) { () throws(ControlPointError) in
      try await waitForStart(playback.index, service)
    }
    guard hasStarted else { throw .notPlayable(title: item.track.title ?? item.uri, on: target.name) }
    outcome.losses += try await naming(target) { () throws(ControlPointError) in try await adjust(to: playback, service)
    }
    return outcome
  }

  private func waitForStart(_ index: Int, _ service: any MoveTarget) async throws(ControlPointError) -> Bool {
    let start = ContinuousClock.now
    var watch = StartWatch()
    while true {
      switch watch.observe(try await service.observe(index), at: start.duration(to: .now)) {
      case .started: return true
      case .failed: return false
      case .wait: try await wait(Self.interval)
      }
    }
  }

  /// Seeks and pauses like the source.
  /// - Returns: what the target could not do.
  private func adjust(
    to playback: MovedPlayback, _ service: any MoveTarget
  ) async throws(ControlPointError) -> [Loss] {
    var losses: [Loss] = []
    if let position = playback.position, position > .seconds(1) {
      let isThere = try await seek(to: position) { () throws(ControlPointError) in
        try await service.observe(playback.index).isOurs
      }
      if !isThere { losses.append(.position) }
    }
    if playback.state == .paused {
      let hasPaused: Void? = try await tolerating { () throws(ControlPointError) in try await target.pause() }
      if hasPaused == nil {
        losses.append(.pause)
        try await target.stop()
      }
    }
    return losses
  }

  /// Seeks until the target is there: some renderers refuse a seek right after the start, or ignore it.
  /// - Parameter isOurs: whether the track is still the current one. It may end meanwhile.
  private func seek(
    to position: Duration, while isOurs: () async throws(ControlPointError) -> Bool
  ) async throws(ControlPointError) -> Bool {
    for _ in 0..<Self.seekAttempts {
      let isAccepted: Void? = try await tolerating { () throws(ControlPointError) in try await target.seek(to: position)
      }
      for _ in 0..<Self.seekPatience {
        try await wait(Self.interval)
        let now = try await target.now()
        guard try await isOurs() else { return true }
        if let current = now.position, current >= position - Self.positionTolerance { return true }
        // Only a target that plays on has ignored the seek.
        if isAccepted == nil || now.state != .buffering { break }
      }
    }
    return false
  }

  // MARK: Groups

  /// The target takes the place of the source in a group.
  private func moveMembership(_ sender: RoomSender) async throws(RoomError) -> Outcome {
    let state = try await naming(target) { () throws(ControlPointError) in try await target.roomState() }
    // The source stops receiving the target itself.
    if state.sender?.identity != sender.identity {
      guard state.receiver != nil else { throw .noReceiver(target.name) }
      try await naming(target) { () throws(ControlPointError) in try await target.join(sender) }
    }
    try await naming(source) { () throws(ControlPointError) in try await source.leave() }
    return Outcome()
  }
}
