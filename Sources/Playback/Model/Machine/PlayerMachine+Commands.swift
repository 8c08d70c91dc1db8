/// The commands.
extension PlayerMachine {
  package mutating func setItem(_ item: MediaItem?) -> [Action] {
    change { machine in
      machine.staged = []
      machine.failures = 0
      machine.failedItems = 0
      machine.absences = 0
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

  /// What is the same as before, up to the first difference, stays what it is, opened ahead perhaps.
  package mutating func setUpcoming(_ items: [MediaItem]) -> [Action] {
    change { machine in
      let kept = zip(machine.staged, items).prefix { $0.item == $1 }.map(\.0)
      machine.staged = kept + items[kept.count...].map { machine.entry($0) }
      return machine.stage()
    }
  }

  package mutating func setRepeatsOne(_ repeatsOne: Bool) -> [Action] {
    change { machine in
      guard repeatsOne != machine.repeatsOne else { return [] }
      machine.repeatsOne = repeatsOne
      machine.continuation = machine.current.map { machine.continuation(of: $0) } ?? []
      return machine.stage()
    }
  }

  package mutating func play(now: Instant) throws(PlayerError) -> [Action] {
    guard current != nil else { throw .noContents }
    return change { machine in
      switch machine.phase {
      case .noMedia: return []
      case .stopped(let position):
        machine.absences = 0
        return machine.start(at: position)
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

  package mutating func pause(now: Instant) throws(PlayerError) -> [Action] {
    guard current != nil else { throw .transitionNotAvailable }
    return change { machine in
      guard case .active(var activity) = machine.phase, !activity.wantsPause else { return [] }
      machine.anchor = .standing(at: machine.position(now: now))
      activity.wantsPause = true
      machine.phase = .active(activity)
      return [.pause]
    }
  }

  package mutating func stop() -> [Action] {
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

  package mutating func seek(to target: Duration) throws(PlayerError) -> [Action] {
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
          generation: machine.generation, track: current.track, followers: machine.tellFollowers(anew: true),
          to: target, paused: activity.wantsPause)
      ]
    }
  }

  package mutating func skipToNext() throws(PlayerError) -> [Action] {
    if trackNumber < trackCount { return go(toTrack: trackNumber + 1) }
    guard let entry = staged.first else { throw .noContents }
    return change { machine in
      machine.staged.removeFirst()
      return machine.skip(to: entry)
    }
  }

  package mutating func skipToPrevious() throws(PlayerError) -> [Action] {
    guard canSkipToPrevious else { throw .noContents }
    return go(toTrack: trackNumber - 1)
  }

  package mutating func selectTrack(_ number: Int) throws(PlayerError) -> [Action] {
    guard current != nil else { throw .transitionNotAvailable }
    guard (1...trackCount).contains(number) else { throw .illegalSeekTarget }
    if number == trackNumber, canSeek { return try seek(to: .zero) }
    return go(toTrack: number, paused: state == .paused)
  }

  mutating func go(toTrack number: Int, paused: Bool = false) -> [Action] {
    change { machine in
      guard let current = machine.current else { return [] }
      return machine.skip(to: machine.track(number, of: current) ?? machine.entry(current.item), paused: paused)
    }
  }

  /// Another source takes the speaker: this one is stopped, and whoever takes over silences it.
  mutating func yield() -> [Action] {
    change { machine in
      if machine.isActive { machine.rest() }
      return []
    }
  }
}
