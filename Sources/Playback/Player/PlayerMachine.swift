/// The player without anything it plays with: every command and event, and what follows from it.
///
/// A value; time comes in as `now`. docs/player.md holds the table of what each command does in each state.
struct PlayerMachine {
  typealias Instant = ContinuousClock.Instant

  enum Action: Equatable {
    case pipeline(PipelineCommand)
    /// At most one, the last: what observers are to be told.
    case notify(PlayerChanges)
  }

  /// An item and the track it is played as.
  struct Entry: Equatable {
    let track: Track
    let item: MediaItem
  }

  private enum Phase: Equatable {
    case noMedia
    /// Silent; `play` starts there.
    case stopped(at: Duration)
    case active(Activity)
  }

  /// What the stream of a track tells of itself.
  private struct Facts: Equatable {
    var duration: Duration?
    var streamInfo: StreamInfo?
    var title: String?
  }

  private struct Activity: Equatable {
    /// What was asked for last: sound or silence.
    var wantsPause: Bool
    /// Whether there is enough data to sound.
    var hasSound: Bool
  }

  private var phase = Phase.noMedia
  private var current: Entry?
  private var staged: Entry?
  /// The current item once more, while it is to be repeated; `staged` waits meanwhile.
  private var repetition: Entry?
  /// What was staged before and may have become audible before the pipeline heard that it was replaced.
  private var superseded: Entry?
  private var generation = 0
  private var lastTrackID = 0
  private var anchor: PositionAnchor?
  private var facts = Facts()
  /// What is known already of a track that is about to follow, so that it shows together with it.
  private var factsAhead: (trackID: Int, facts: Facts)?
  private var jumped = false

  private(set) var error: PlaybackError?
  private(set) var volume: Int
  private(set) var isMuted = false
  private(set) var repeatsOne = false

  init(volume: Int = 100) {
    self.volume = min(max(volume, 0), 100)
  }
}

// MARK: - What it shows

extension PlayerMachine {
  var state: TransportState {
    switch phase {
    case .noMedia: .noMedia
    case .stopped: .stopped
    case .active(let activity) where activity.wantsPause: .paused
    case .active(let activity): activity.hasSound ? .playing : .transitioning
    }
  }

  var item: MediaItem? { current?.item }
  var next: MediaItem? { staged?.item }
  /// What the stream says, else what the giver of the item said.
  var duration: Duration? { current.flatMap { facts.duration ?? $0.item.duration } }
  var streamInfo: StreamInfo? { facts.streamInfo }
  var title: String? { facts.title }
  var canPause: Bool { state == .playing || state == .transitioning }

  /// Whether a seek can work: as the stream says; as long as it says nothing, one may try.
  var canSeek: Bool { current != nil && streamInfo?.isSeekable ?? true }

  func position(now: Instant) -> Duration {
    switch phase {
    case .noMedia: .zero
    case .stopped(let position): position
    case .active: anchor?.position(now: now, limit: duration) ?? .zero
    }
  }
}

// MARK: - Commands

extension PlayerMachine {
  mutating func setItem(_ item: MediaItem?) -> [Action] {
    change { machine in
      machine.staged = nil
      guard let item else {
        let wasActive = machine.isActive
        machine.become(nil)
        machine.phase = .noMedia
        return wasActive ? machine.silence() : []
      }
      switch machine.phase {
      case .noMedia, .stopped:
        machine.become(machine.entry(item))
        machine.phase = .stopped(at: .zero)
        return []
      case .active(let activity) where activity.wantsPause:
        machine.become(machine.entry(item))
        machine.phase = .stopped(at: .zero)
        return machine.silence()
      case .active:
        machine.become(machine.entry(item))
        return machine.start(at: .zero)
      }
    }
  }

  mutating func setNext(_ item: MediaItem?) -> [Action] {
    change { machine in
      let entry = item.map { machine.entry($0) }
      return machine.follow { $0.staged = entry }
    }
  }

  mutating func setRepeatsOne(_ repeatsOne: Bool) -> [Action] {
    change { machine in
      guard repeatsOne != machine.repeatsOne else { return [] }
      return machine.follow { machine in
        machine.repeatsOne = repeatsOne
        machine.repetition = repeatsOne ? machine.current.map { machine.entry($0.item) } : nil
      }
    }
  }

  mutating func play(now: Instant) throws(PlayerError) -> [Action] {
    guard current != nil else { throw .noContents }
    return change { machine in
      switch machine.phase {
      case .noMedia: return []
      case .stopped(let position): return machine.start(at: position)
      case .active(var activity):
        guard activity.wantsPause else { return [] }
        // A live stream has gone on meanwhile: what we hold of it is old, so it is taken up where it is now.
        if machine.streamInfo?.isLive == true { return machine.start(at: .zero) }
        activity.wantsPause = false
        machine.phase = .active(activity)
        return [.resume]
      }
    }
  }

  mutating func pause(now: Instant) throws(PlayerError) -> [Action] {
    guard current != nil else { throw .transitionNotAvailable }
    return change { machine in
      guard case .active(var activity) = machine.phase, !activity.wantsPause else { return [] }
      machine.anchor = .standing(at: machine.position(now: now))
      activity.wantsPause = true
      machine.phase = .active(activity)
      return [.pause]
    }
  }

  mutating func stop() -> [Action] {
    change { machine in
      switch machine.phase {
      case .noMedia: return []
      case .stopped:
        machine.rest()
        return []
      case .active:
        machine.rest()
        return machine.silence()
      }
    }
  }

  mutating func seek(to target: Duration) throws(PlayerError) -> [Action] {
    guard let current else { throw .transitionNotAvailable }
    guard canSeek else { throw .seekNotAvailable }
    guard target >= .zero, target <= duration ?? target else { throw .illegalSeekTarget }
    return change { machine in
      machine.jumped = true
      guard case .active(let activity) = machine.phase else {
        machine.phase = .stopped(at: target)
        return []
      }
      machine.generation += 1
      machine.anchor = .standing(at: target)
      return [
        .seek(
          generation: machine.generation, track: current.track, next: machine.follower?.track, to: target,
          paused: activity.wantsPause)
      ]
    }
  }

  mutating func skipToNext() throws(PlayerError) -> [Action] {
    guard let staged else { throw .noContents }
    return change { machine in
      machine.staged = nil
      machine.become(staged)
      if machine.isActive { return machine.start(at: .zero) }
      machine.phase = .stopped(at: .zero)
      return []
    }
  }

  mutating func setVolume(_ step: Int) -> [Action] {
    change { machine in
      let step = min(max(step, 0), 100)
      guard step != machine.volume else { return [] }
      machine.volume = step
      return [.setGain(VolumeScale.gain(step: step))]
    }
  }

  mutating func setMuted(_ isMuted: Bool) -> [Action] {
    change { machine in
      guard isMuted != machine.isMuted else { return [] }
      machine.isMuted = isMuted
      return [.setMuted(isMuted)]
    }
  }

  /// Lets go of the device at once. While something plays it does nothing.
  mutating func releaseDevice() -> [Action] {
    isActive ? [] : [.pipeline(.releaseDevice)]
  }
}

// MARK: - Events

extension PlayerMachine {
  mutating func handle(_ event: PipelineEvent, now: Instant) -> [Action] {
    change { machine in
      switch event {
      case .playing(let generation, let position):
        guard generation == machine.generation, case .active(var activity) = machine.phase else { return [] }
        activity.hasSound = true
        machine.phase = .active(activity)
        if !activity.wantsPause { machine.anchor = .advancing(from: position, since: now) }
      case .paused(let generation, let position):
        guard generation == machine.generation, case .active(var activity) = machine.phase else { return [] }
        activity.hasSound = true
        machine.phase = .active(activity)
        if activity.wantsPause { machine.anchor = .standing(at: position) }
      case .buffering(let generation, let position):
        guard generation == machine.generation, case .active(var activity) = machine.phase else { return [] }
        activity.hasSound = false
        machine.phase = .active(activity)
        machine.anchor = .standing(at: position)
      case .position(let generation, let position):
        guard generation == machine.generation, machine.state == .playing else { return [] }
        machine.anchor = .advancing(from: position, since: now)
      case .trackStarted(let generation, let trackID, let position):
        guard generation == machine.generation, machine.isActive else { return [] }
        machine.join(trackID, at: position, now: now)
      case .ended(let generation):
        guard generation == machine.generation, machine.isActive else { return [] }
        return machine.end()
      case .failed(let generation, let error):
        guard generation == machine.generation, machine.isActive else { return [] }
        machine.rest()
        machine.error = error
      case .streamInfo(let trackID, let info):
        machine.note(trackID) { $0.streamInfo = info }
      case .duration(let trackID, let duration):
        machine.note(trackID) { $0.duration = duration }
      case .title(let trackID, let title):
        machine.note(trackID) { $0.title = title }
      }
      return []
    }
  }

  /// Keeps a fact of the current track, or of one that may follow it; others are gone.
  private mutating func note(_ trackID: Int, _ fact: (inout Facts) -> Void) {
    if trackID == current?.track.id {
      fact(&facts)
    } else if trackID == follower?.track.id || trackID == superseded?.track.id {
      var ahead = factsAhead?.trackID == trackID ? factsAhead?.facts ?? Facts() : Facts()
      fact(&ahead)
      factsAhead = (trackID, ahead)
    }
  }

  /// The track that was staged sounds now.
  private mutating func join(_ trackID: Int, at position: Duration, now: Instant) {
    // Replaced just as it became audible: it is the current one all the same, and the replacement follows it.
    if let entry = superseded, entry.track.id == trackID {
      become(entry)
    } else if let entry = follower, entry.track.id == trackID {
      takeFollower()
      become(entry)
    } else {
      return
    }
    anchor = state == .playing ? .advancing(from: position, since: now) : .standing(at: position)
  }

  /// The last track was heard. What was staged too late to join, or could not be opened ahead, starts in its own right.
  private mutating func end() -> [PipelineCommand] {
    guard let entry = follower else {
      rest()
      return []
    }
    let wasPaused = state == .paused
    takeFollower()
    become(entry)
    return start(at: .zero, paused: wasPaused)
  }
}

// MARK: - The parts of the above

extension PlayerMachine {
  private var isActive: Bool {
    if case .active = phase { true } else { false }
  }

  private mutating func entry(_ item: MediaItem) -> Entry {
    lastTrackID += 1
    return Entry(track: Track(id: lastTrackID, uri: item.uri), item: item)
  }

  /// What is heard after the current item.
  private var follower: Entry? { repetition ?? staged }

  /// The follower is about to become the current item: it follows nothing any more.
  private mutating func takeFollower() {
    if repetition == nil { staged = nil }
  }

  /// Changes what follows, and tells the pipeline if it is another track then.
  private mutating func follow(_ step: (inout PlayerMachine) -> Void) -> [PipelineCommand] {
    let before = follower
    step(&self)
    guard follower != before else { return [] }
    superseded = before ?? superseded
    return isActive ? [.stage(follower?.track)] : []
  }

  /// Another item is the current one, of which nothing is known yet.
  private mutating func become(_ entry: Entry?) {
    current = entry
    repetition = repeatsOne ? entry.map { self.entry($0.item) } : nil
    superseded = nil
    facts = factsAhead?.trackID == entry?.track.id ? factsAhead?.facts ?? Facts() : Facts()
    factsAhead = nil
    error = nil
    anchor = nil
    jumped = true
  }

  /// Begins the current item: sound is wanted, and there is none yet.
  private mutating func start(at position: Duration, paused: Bool = false) -> [PipelineCommand] {
    guard let current else { return [] }
    generation += 1
    error = nil
    superseded = nil
    phase = .active(Activity(wantsPause: paused, hasSound: false))
    anchor = .standing(at: position)
    return [
      .start(generation: generation, track: current.track, next: follower?.track, at: position, paused: paused)
    ]
  }

  /// Silence at the beginning of the current item.
  private mutating func rest() {
    phase = .stopped(at: .zero)
    facts.title = nil
    anchor = nil
    jumped = true
  }

  private mutating func silence() -> [PipelineCommand] {
    generation += 1
    return [.stop(generation: generation)]
  }

  /// What others can see of it, to find out what a step has changed.
  private struct Appearance: Equatable {
    var state: TransportState
    var trackID: Int?
    var nextID: Int?
    var duration: Duration?
    var volume: Int
    var isMuted: Bool
    var repeatsOne: Bool
    var streamInfo: StreamInfo?
    var title: String?
    var error: PlaybackError?
    var canPause: Bool
    var canSeek: Bool
  }

  private var appearance: Appearance {
    Appearance(
      state: state, trackID: current?.track.id, nextID: staged?.track.id, duration: duration, volume: volume,
      isMuted: isMuted, repeatsOne: repeatsOne, streamInfo: streamInfo, title: title, error: error, canPause: canPause,
      canSeek: canSeek)
  }

  /// Makes one step and adds the notice of all that it changed.
  private mutating func change(_ step: (inout PlayerMachine) -> [PipelineCommand]) -> [Action] {
    let before = appearance
    jumped = false
    var actions = step(&self).map(Action.pipeline)
    let after = appearance
    var changes: PlayerChanges = jumped ? .position : []
    if before.state != after.state { changes.insert(.state) }
    if before.trackID != after.trackID { changes.insert(.item) }
    if before.nextID != after.nextID { changes.insert(.next) }
    if before.duration != after.duration { changes.insert(.duration) }
    if before.volume != after.volume { changes.insert(.volume) }
    if before.isMuted != after.isMuted { changes.insert(.mute) }
    if before.repeatsOne != after.repeatsOne { changes.insert(.repeatsOne) }
    if before.streamInfo != after.streamInfo { changes.insert(.streamInfo) }
    if before.title != after.title { changes.insert(.title) }
    if before.error != after.error { changes.insert(.error) }
    if before.canPause != after.canPause || before.canSeek != after.canSeek { changes.insert(.capabilities) }
    if !changes.isEmpty { actions.append(.notify(changes)) }
    return actions
  }
}
