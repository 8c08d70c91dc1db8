/// What the pipeline tells.
extension PlayerMachine {
  mutating func handle(_ event: PipelineEvent, now: Instant) -> [Action] {
    change { machine in
      switch event {
      case .playing(let generation, let position):
        guard generation == machine.generation, case .active(var activity) = machine.phase else { return [] }
        activity.hasSound = true
        machine.failures = 0
        machine.failedItems = 0
        machine.absences = 0
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
        return machine.join(trackID, at: position, now: now)
      case .ended(let generation):
        guard generation == machine.generation, machine.isActive else { return [] }
        return machine.end()
      case .failed(let generation, let error):
        guard generation == machine.generation, machine.isActive else { return [] }
        return machine.fail(error)
      case .listed(let trackID, let tracks):
        guard machine.isActive else { return [] }
        return machine.expand(trackID, to: tracks)
      case .streamInfo(let trackID, let info):
        machine.note(trackID) { $0.streamInfo = info }
      case .duration(let trackID, let duration):
        machine.note(trackID) { $0.duration = duration }
      case .title(let trackID, let title):
        machine.note(trackID) { $0.title = title }
      case .xrun, .output, .levelMoved, .confirmed, .list: break
      }
      return []
    }
  }

  /// Keeps a fact of the current track, or of one that may follow it; others are gone.
  mutating func note(_ trackID: Int, _ fact: (inout Facts) -> Void) {
    if trackID == current?.track.id {
      fact(&facts)
    } else if (followers + superseded).contains(where: { $0.track.id == trackID }) {
      var ahead = factsAhead?.trackID == trackID ? factsAhead?.facts ?? Facts() : Facts()
      fact(&ahead)
      factsAhead = (trackID, ahead)
    }
  }

  /// The track that was staged sounds now.
  mutating func join(_ trackID: Int, at position: Duration, now: Instant) -> [PipelineCommand] {
    // Replaced just as it became audible: it is the current one all the same, and the replacement follows it.
    if let entry = superseded.first(where: { $0.track.id == trackID }) {
      become(entry)
    } else if follower?.track.id == trackID, takeFollower() != nil {
      told.removeAll { $0.track.id == trackID }
    } else {
      return []
    }
    anchor = state == .playing ? .advancing(from: position, since: now) : .standing(at: position)
    return stage()
  }

  /// The last track was heard. What was staged too late to join, or could not be opened ahead, starts in its own right.
  mutating func end() -> [PipelineCommand] {
    let isPaused = state == .paused
    guard takeFollower() != nil else {
      rewind()
      finished = true
      return []
    }
    return start(at: .zero, paused: isPaused)
  }

  /// The current track cannot be heard, or not to its end. The next one of its list is tried, else the item that follows.
  mutating func fail(_ error: PlaybackError) -> [PipelineCommand] {
    let nextOfList = failures + 1 < Self.maximumFailures ? current.flatMap { track(trackNumber + 1, of: $0) } : nil
    if nextOfList ?? staged.first != nil, isOutage(error) {
      rest()
      self.error = error
      return []
    }
    failures += 1
    if !error.isOfDevice, let nextOfList { return skip(to: nextOfList, paused: state == .paused) }
    failedItems += 1
    // One that is to be heard again and again would fail again and again.
    if !error.isOfDevice, !repeatsOne, let entry = staged.first {
      failures = 0
      staged.removeFirst()
      return skip(to: entry, paused: state == .paused)
    }
    rewind()
    finished = !error.isOfDevice
    self.error = error
    return []
  }

  /// Whether all that comes next would fail for the same reason: the server is away that it is on, too, or the network.
  /// Then the place is kept.
  private mutating func isOutage(_ error: PlaybackError) -> Bool {
    guard error.isOfAbsence else {
      absences = 0
      return false
    }
    absences += 1
    guard let current else { return false }
    return absences >= Self.maximumFailures || followers.allSatisfy { $0.track.isOnSameServer(as: current.track) }
  }

  /// A track is none, but a list of others, which take its place.
  mutating func expand(_ trackID: Int, to tracks: [ListedTrack]) -> [PipelineCommand] {
    if let entry = current, entry.track.id == trackID {
      guard let list = entry.list.map({ $0.expanded(by: tracks) }) ?? TrackList(tracks) else {
        let commands = fail(.badPlaylist)
        return isActive ? commands : silence()
      }
      return skip(to: self.entry(entry.item, list: list), paused: state == .paused)
    }
    if let index = continuation.firstIndex(where: { $0.track.id == trackID }) {
      // Too deep: it fails when its turn comes.
      guard let list = continuation[index].list?.expanded(by: tracks) else { return [] }
      let before = continuation[..<index].map { entry in
        Entry(track: entry.track, item: entry.item, list: entry.list.flatMap { list.at($0.index) })
      }
      let item = continuation[index].item
      if let entry = current { current?.list = entry.list.flatMap { list.at($0.index) } }
      continuation = current.map { continuation(of: $0, keeping: before + [entry(item, list: list)]) } ?? []
    } else if let index = staged.firstIndex(where: { $0.track.id == trackID }) {
      staged[index] = entry(staged[index].item, list: TrackList(tracks))
    }
    return stage()
  }
}
