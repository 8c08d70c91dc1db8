/// The state of one source and the steps that change it. `PlayerMachine` decides which steps a command or event takes.
package struct DeckState {
  enum Phase: Equatable {
    case noMedia
    /// `play` starts at the position.
    case stopped(at: Duration)
    case active(Activity)
  }

  struct Activity: Equatable {
    /// Whether the last command requested a pause.
    var wantsPause: Bool
    /// Whether enough data for playback has arrived.
    var hasSound: Bool
  }

  var phase = Phase.noMedia
  var queue = PlayQueue()
  /// Events of older generations are ignored.
  var generation = 0
  var anchor: PositionAnchor?
  var failures = FailurePolicy()
  /// Why playback stopped. Stays until a command or the next start.
  package private(set) var failure: TrackFailure?
  /// The last track that was skipped because it failed. Stays until a command, or until it plays.
  package private(set) var skipped: TrackFailure?
  private(set) var sentFollowers = SentFollowers()
  private var facts = TrackFacts.Table()
  /// Ends with the playback of the item.
  private var reception = Reception()
  // Flags that a step sets for its notice.
  var hasJumped = false
  var hasFinished = false
}

// MARK: - Reads

extension DeckState {
  package var state: TransportState {
    switch phase {
    case .noMedia: .noMedia
    case .stopped: .stopped
    case .active(let activity) where activity.wantsPause: .paused
    case .active(let activity): activity.hasSound ? .playing : .transitioning
    }
  }

  package var item: MediaItem? { queue.current?.item }
  /// The item that describes the current track: of a received stream, the track that the sender announces.
  package var shownItem: MediaItem? { reception.track ?? item }
  package var next: MediaItem? { queue.upcoming.first?.item }
  package var upcoming: [MediaItem] { queue.upcoming.map(\.item) }
  package var repeatsOne: Bool { queue.repeatsOne }
  /// Id of the current track; 0 without an item.
  package var trackID: Int { reception.trackID ?? queue.current?.track.id ?? 0 }
  /// Number of known tracks of the current item.
  package var trackCount: Int { queue.trackCount }
  /// Number of the current track, from 1; 0 without an item.
  package var trackNumber: Int { queue.trackNumber }
  /// Address of the current track: the item's own unless the item is a list of several tracks.
  package var trackURI: String? { trackCount > 1 ? queue.current?.track.uri : shownItem?.uri }
  /// What can be done with the item and its tracks.
  package var abilities: TransportAbilities {
    TransportAbilities(
      hasItem: queue.current != nil, isLive: isLive, isReceived: isReceived,
      isSeekable: streamInfo?.isSeekable ?? true, hasNext: !queue.upcoming.isEmpty || trackNumber < trackCount,
      hasPrevious: trackNumber > 1)
  }
  package var streamInfo: StreamInfo? { facts.current.streamInfo }
  /// Whether the stream cannot be resumed where it was paused.
  package var isLive: Bool { isReceived || streamInfo?.isLive ?? false }
  /// Whether the item is the stream of a Songcast sender.
  package var isReceived: Bool { queue.current?.track.isReceived ?? false }
  /// Whether the sender of a received stream sends nothing.
  package var isWaiting: Bool { state == .transitioning && isReceived && !reception.hasSound }
  /// What the sender of a received stream says about its track.
  package var metatext: String? { reception.metatext }
  package var failedItems: Int { failures.failedItems }
  package var error: PlaybackError? { failure?.error }

  /// The stream's duration, else the item's.
  package var duration: Duration? {
    guard let item else { return nil }
    switch facts.current.duration {
    case .declared(let duration), .exact(let duration): return duration
    case .outlived: return nil
    case nil: return trackCount == 1 ? item.duration : nil
    }
  }

  /// The end of the track, if it is certain. A declared duration may be too short.
  private var certainEnd: Duration? { if case .exact(let end) = facts.current.duration { end } else { nil } }

  /// The live stream's title, else the title in the playlist. Stations publish playlists of one track; the title in such a
  /// playlist is used only if the item has no metadata.
  package var title: String? {
    if tags.isLive, let title = tags.title { return title }
    guard let current = queue.current, let list = current.list else { return nil }
    return list.tracks.count > 1 || current.item.metadata.isEmpty ? list.track.title : nil
  }

  /// The stream's own tags.
  package var tags: TrackTags { facts.current.tags }

  package func position(now: ContinuousClock.Instant) -> Duration {
    switch phase {
    case .noMedia: .zero
    case .stopped(let position): position
    case .active: anchor?.position(now: now, limit: certainEnd) ?? .zero
    }
  }

  /// The activity in `Phase.active`; nil in other phases, in which setting it has no effect.
  var activity: Activity? {
    get { if case .active(let activity) = phase { activity } else { nil } }
    set { if let newValue, isActive { phase = .active(newValue) } }
  }

  var isActive: Bool { if case .active = phase { true } else { false } }
}

// MARK: - Steps

extension DeckState {
  mutating func setCurrent(_ entry: PlayQueue.Entry?) {
    queue.setCurrent(entry)
    resetForCurrentTrack()
  }

  /// Makes the follower current; false if there is none.
  mutating func advance() -> Bool {
    guard queue.advance() else { return false }
    resetForCurrentTrack()
    return true
  }

  /// Replaces the item and removes the upcoming ones.
  mutating func replaceItem(_ item: MediaItem?) -> [PipelineCommand] {
    queue.setUpcoming([])
    failures = FailurePolicy()
    setCurrent(item.map { queue.makeEntry($0) })
    if item != nil, let activity, !activity.wantsPause { return start(at: .zero) }
    defer { phase = item == nil ? .noMedia : .stopped(at: .zero) }
    return isActive ? silence() : []
  }

  mutating func resetForCurrentTrack() {
    facts.select(queue.current?.track.id)
    reception = Reception()
    anchor = nil
    hasJumped = true
  }

  mutating func skip(to entry: PlayQueue.Entry, paused: Bool = false) -> [PipelineCommand] {
    setCurrent(entry)
    return startIfActive(paused: paused)
  }

  mutating func skip(toTrack number: Int, paused: Bool = false) -> [PipelineCommand] {
    guard let current = queue.current else { return [] }
    return skip(to: queue.makeEntry(forTrack: number, of: current) ?? queue.makeEntry(current.item), paused: paused)
  }

  mutating func skipToNextItem(paused: Bool = false) -> [PipelineCommand] {
    guard queue.skipToNextItem() else { return [] }
    resetForCurrentTrack()
    return startIfActive(paused: paused)
  }

  mutating func startIfActive(paused: Bool) -> [PipelineCommand] {
    if isActive { return start(at: .zero, paused: paused) }
    phase = .stopped(at: .zero)
    return []
  }

  mutating func start(at position: Duration, paused: Bool = false) -> [PipelineCommand] {
    guard let current = queue.current else { return [] }
    generation += 1
    failure = nil
    phase = .active(Activity(wantsPause: paused, hasSound: false))
    anchor = .standing(at: position)
    return [
      .start(
        generation: generation, track: current.track, followers: sendFollowers(isNewGeneration: true), at: position,
        paused: paused)
    ]
  }

  /// Stops at the beginning of the current track.
  mutating func moveToStart() {
    phase = .stopped(at: .zero)
    if tags.isLive { facts.current.tags = TrackTags() }
    reception = Reception()
    anchor = nil
    hasJumped = true
  }

  /// Stops at the beginning of the item's first track.
  mutating func rewind() {
    if let current = queue.current, trackNumber > 1, let first = queue.makeEntry(forTrack: 1, of: current) {
      setCurrent(first)
    }
    moveToStart()
  }

  mutating func clearFailures() {
    failure = nil
    skipped = nil
  }

  /// The current track is heard.
  mutating func noteSuccess() {
    if let skipped, skipped.uri == trackURI, skipped.tag == item?.tag { self.skipped = nil }
  }

  mutating func silence() -> [PipelineCommand] {
    generation += 1
    return [.stop(generation: generation)]
  }

  /// Sends the followers to the pipeline if they changed.
  mutating func stageFollowers() -> [PipelineCommand] {
    guard isActive, queue.followers.map(\.track) != sentFollowers.latest.map(\.track) else { return [] }
    return [.stage(sendFollowers(isNewGeneration: false))]
  }

  mutating func sendFollowers(isNewGeneration: Bool) -> [Track] {
    sentFollowers.send(queue.followers, isNewGeneration: isNewGeneration)
  }

  var snapshot: PlayerSnapshot {
    PlayerSnapshot(
      state: state, isWaiting: isWaiting, trackID: trackID, trackCount: trackCount,
      nextID: queue.upcoming.first?.track.id,
      duration: duration, repeatsOne: repeatsOne, streamInfo: streamInfo, title: title, metatext: metatext,
      tags: tags,
      failure: failure, skipped: skipped, failedItems: failedItems, abilities: abilities)
  }
}

// MARK: - Reactions to events

extension DeckState {
  /// Stores a fact about the current track or about a possible follower.
  mutating func note(_ trackID: Int, _ note: (inout TrackFacts) -> Void) {
    if trackID == queue.current?.track.id {
      note(&facts.current)
    } else if queue.followers.contains(where: { $0.track.id == trackID }) || sentFollowers.superseded(trackID) != nil {
      facts.noteAhead(trackID, note)
    }
  }

  /// The sender of the stream has said something. Without effect on other items, and while nothing plays.
  mutating func note(_ event: Reception.Event, now: ContinuousClock.Instant) {
    guard isReceived, isActive, let item else { return }
    reception.handle(event, of: item) { queue.nextTrackID() }
    switch event {
    case .track:
      (facts.current.duration, facts.current.tags) = (nil, TrackTags())
      anchor = state == .playing ? .advancing(from: .zero, since: now) : .standing(at: .zero)
      hasJumped = true
    case .metatext(_, let tags): facts.current.tags = tags
    case .sound: break
    case .progress(let position, let duration):
      facts.current.duration = duration.map { .declared($0) }
      anchor = state == .playing ? .advancing(from: position, since: now) : .standing(at: position)
      hasJumped = true
    }
  }

  /// The pipeline has measured the position. A sender knows better where it is in its track.
  mutating func measured(_ position: Duration, now: ContinuousClock.Instant) {
    let position = reception.hasPosition ? self.position(now: now) : position
    anchor = state == .playing ? .advancing(from: position, since: now) : .standing(at: position)
  }

  /// A follower has become audible.
  mutating func join(_ trackID: Int, at position: Duration, now: ContinuousClock.Instant) -> [PipelineCommand] {
    if let entry = sentFollowers.superseded(trackID) {
      // It became audible before the pipeline received its replacement, which follows it.
      setCurrent(entry)
    } else if queue.followers.first?.track.id == trackID, advance() {
      sentFollowers.remove(trackID)
    } else {
      return []
    }
    anchor = state == .playing ? .advancing(from: position, since: now) : .standing(at: position)
    if state == .playing { noteSuccess() }
    return stageFollowers()
  }

  /// The last staged track has ended. A follower that was staged too late, or could not be opened ahead, is started
  /// now.
  mutating func end() -> [PipelineCommand] {
    let isPaused = state == .paused
    guard advance() else {
      rewind()
      hasFinished = true
      return []
    }
    return start(at: .zero, paused: isPaused)
  }

  mutating func fail(_ error: PlaybackError) -> [PipelineCommand] {
    let isPaused = state == .paused
    let followers = queue.followers
    let failure = TrackFailure(
      error: error, uri: trackURI ?? "", title: title, metadata: trackCount > 1 ? "" : item?.metadata ?? "",
      tag: item?.tag ?? 0)
    let reaction = failures.react(
      to: error,
      .init(
        hasNextTrack: trackNumber < trackCount, hasNextItem: !queue.upcoming.isEmpty, repeatsOne: repeatsOne,
        areOnSameServer: queue.current.map { current in
          followers.allSatisfy { $0.track.isOnSameServer(as: current.track) }
        } ?? false))
    switch reaction {
    case .playNextTrack:
      guard let current = queue.current, let next = queue.makeEntry(forTrack: trackNumber + 1, of: current) else {
        return []
      }
      skipped = failure
      return skip(to: next, paused: isPaused)
    case .playNextItem:
      skipped = failure
      return skipToNextItem(paused: isPaused)
    case .keepPlace: moveToStart()
    case .stop:
      rewind()
      hasFinished = !error.isDeviceFailure
    }
    self.failure = failure
    return []
  }

  /// A track's address is a playlist: its tracks take the track's place.
  mutating func expand(_ trackID: Int, to tracks: [ListedTrack]) -> [PipelineCommand] {
    guard let current = queue.current, current.track.id == trackID else {
      queue.expandFollower(trackID, to: tracks)
      return stageFollowers()
    }
    guard let list = current.list.map({ $0.expanded(by: tracks) }) ?? TrackList(tracks) else {
      let commands = fail(.badPlaylist)
      return isActive ? commands : silence()
    }
    return skip(to: queue.makeEntry(current.item, list: list), paused: state == .paused)
  }
}
