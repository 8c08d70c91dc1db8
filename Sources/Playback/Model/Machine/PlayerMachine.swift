/// Decides how one source reacts to commands and pipeline events: the table of state × action in docs/player.md.
///
/// A pure value. Each step returns the commands for the pipeline, then a notice of what changed. Time comes in as
/// `now`.
@dynamicMemberLookup
package struct PlayerMachine {
  package typealias Instant = ContinuousClock.Instant
  package typealias Action = PlayerAction

  /// Number of upcoming items that the machine uses.
  package static let lookahead = PlayQueue.lookahead

  package private(set) var deck = DeckState()

  package init() {}

  /// Code that runs for every request reads `deck` instead: a key path costs a thousand instructions.
  package subscript<T>(dynamicMember property: KeyPath<DeckState, T>) -> T { deck[keyPath: property] }

  package func position(now: Instant) -> Duration { deck.position(now: now) }

  /// The latest generation, and the last track id in use. Both are unique over all sources: `SourceSwitch` carries them
  /// from one source to another.
  var counters: (generation: Int, lastTrackID: Int) {
    get { (deck.generation, deck.queue.lastTrackID) }
    set { (deck.generation, deck.queue.lastTrackID) = newValue }
  }

  /// Performs one step and appends the notice of everything that it changed.
  private mutating func change(_ step: (inout DeckState) -> [PipelineCommand]) -> [Action] {
    let before = deck.snapshot
    deck.hasJumped = false
    deck.hasFinished = false
    var actions = step(&deck).map(Action.pipeline)
    var changes = PlayerChanges(from: before, to: deck.snapshot)
    if deck.hasJumped { changes.insert(.position) }
    if deck.hasFinished { changes.insert(.finished) }
    if !changes.isEmpty { actions.append(.notify(changes)) }
    return actions
  }

  /// Performs a command that starts, stops or moves playback. It ends the display of earlier failures.
  private mutating func command(_ step: (inout DeckState) -> [PipelineCommand]) -> [Action] {
    change { deck in
      deck.clearFailures()
      return step(&deck)
    }
  }
}

// MARK: - Commands

extension PlayerMachine {
  package mutating func setItem(_ item: MediaItem?) -> [Action] {
    command { $0.replaceItem(item) }
  }

  /// Replaces the item of a source that has stopped by itself. Its failures stay visible.
  package mutating func cue(_ item: MediaItem?) -> [Action] { change { $0.replaceItem(item) } }

  package mutating func setUpcoming(_ items: [MediaItem]) -> [Action] {
    change { deck in
      deck.queue.setUpcoming(items)
      return deck.stageFollowers()
    }
  }

  package mutating func setRepeatsOne(_ repeatsOne: Bool) -> [Action] {
    change { deck in
      deck.queue.setRepeatsOne(repeatsOne)
      return deck.stageFollowers()
    }
  }

  package mutating func play(now: Instant) throws(PlayerError) -> [Action] {
    guard deck.abilities.play else { throw .noContents }
    return command { deck in
      switch deck.phase {
      case .noMedia: return []
      case .stopped(let position):
        deck.failures.forgetAbsences()
        return deck.start(at: position)
      case .active(let activity):
        guard activity.wantsPause else { return [] }
        // The buffered data of a live stream is stale. The position counts only if the stream turns out to be a file.
        if deck.isLive { return deck.start(at: deck.position(now: now)) }
        deck.activity?.wantsPause = false
        return [.resume]
      }
    }
  }

  package mutating func pause(now: Instant) throws(PlayerError) -> [Action] {
    guard deck.abilities.pause else { throw .transitionNotAvailable }
    return change { deck in
      guard let activity = deck.activity, !activity.wantsPause else { return [] }
      deck.anchor = .standing(at: deck.position(now: now))
      deck.activity?.wantsPause = true
      return [.pause]
    }
  }

  package mutating func stop() -> [Action] {
    command { deck in
      guard deck.phase != .noMedia else { return [] }
      let commands = deck.isActive ? deck.silence() : []
      deck.moveToStart()
      return commands
    }
  }

  package mutating func seek(to target: Duration) throws(PlayerError) -> [Action] {
    guard let current = deck.queue.current else { throw .transitionNotAvailable }
    guard deck.abilities.seek else { throw .seekNotAvailable }
    guard target >= .zero, target <= deck.duration ?? target else { throw .illegalSeekTarget }
    return command { deck in
      deck.hasJumped = true
      guard let activity = deck.activity else {
        deck.phase = .stopped(at: target)
        return []
      }
      deck.generation += 1
      deck.anchor = .standing(at: target)
      return [
        .seek(
          generation: deck.generation, track: current.track, followers: deck.sendFollowers(isNewGeneration: true),
          to: target, paused: activity.wantsPause)
      ]
    }
  }

  package mutating func skipToNext() throws(PlayerError) -> [Action] {
    guard deck.abilities.next else { throw .noContents }
    if deck.trackNumber < deck.trackCount { return command { $0.skip(toTrack: $0.trackNumber + 1) } }
    return command { $0.skipToNextItem() }
  }

  package mutating func skipToPrevious() throws(PlayerError) -> [Action] {
    guard deck.abilities.previous else { throw .noContents }
    return command { $0.skip(toTrack: $0.trackNumber - 1) }
  }

  package mutating func selectTrack(_ number: Int) throws(PlayerError) -> [Action] {
    guard deck.item != nil else { throw .transitionNotAvailable }
    guard (1...deck.trackCount).contains(number) else { throw .illegalSeekTarget }
    if number == deck.trackNumber, deck.abilities.seek { return try seek(to: .zero) }
    return command { $0.skip(toTrack: number, paused: $0.state == .paused) }
  }

  /// Stops without a command to the pipeline, since another source's start replaces this one's sound.
  mutating func yield() -> [Action] {
    command { deck in
      if deck.isActive { deck.moveToStart() }
      return []
    }
  }
}

// MARK: - Events

extension PlayerMachine {
  mutating func handle(_ event: PipelineEvent, now: Instant) -> [Action] {
    if let generation = event.generation, generation != deck.generation || !deck.isActive { return [] }
    return change { deck in
      switch event {
      case .playing(_, let position):
        deck.activity?.hasSound = true
        deck.failures = FailurePolicy()
        deck.noteSuccess()
        if deck.state == .playing { deck.measured(position, now: now) }
      case .paused(_, let position):
        deck.activity?.hasSound = true
        if deck.state == .paused { deck.measured(position, now: now) }
      case .buffering(_, let position):
        deck.activity?.hasSound = false
        deck.measured(position, now: now)
      case .position(_, let position):
        if deck.state == .playing { deck.measured(position, now: now) }
      case .trackStarted(_, let trackID, let position): return deck.join(trackID, at: position, now: now)
      case .ended: return deck.end()
      case .failed(_, let error): return deck.fail(error)
      case .listed(let trackID, let tracks): return deck.isActive ? deck.expand(trackID, to: tracks) : []
      case .streamInfo(let trackID, let info): deck.note(trackID) { $0.streamInfo = info }
      case .duration(let trackID, let duration): deck.note(trackID) { $0.duration = duration }
      case .tags(let trackID, let tags): deck.note(trackID) { $0.tags = tags }
      case .xrun, .output, .signal, .levelMoved, .confirmed, .list, .announcementLoaded, .announced: break
      }
      return []
    }
  }
}

extension PlayerMachine {
  /// The sender of a received stream has said something.
  package mutating func handle(_ event: Reception.Event, now: Instant) -> [Action] {
    change { deck in
      deck.note(event, now: now)
      return []
    }
  }
}

/// The reason for refusing a command. A refused command changes nothing.
public enum PlayerError: Error, Sendable, Equatable {
  /// The command is not possible in the present state (UPnP 701).
  case transitionNotAvailable
  /// There is nothing to play (UPnP 702).
  case noContents
  /// The item is not seekable, such as a live stream (UPnP 710).
  case seekNotAvailable
  /// The position or track number is outside the item (UPnP 711).
  case illegalSeekTarget
}
