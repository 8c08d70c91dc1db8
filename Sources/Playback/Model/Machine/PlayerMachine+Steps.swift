/// What commands and events are made of.
extension PlayerMachine {
  var isActive: Bool {
    if case .active = phase { true } else { false }
  }

  mutating func entry(_ item: MediaItem, list: TrackList? = nil) -> Entry {
    lastTrackID += 1
    let track = Track(
      id: lastTrackID, uri: list?.track.address ?? item.uri, duration: list == nil ? item.duration : nil)
    return Entry(track: track, item: item, list: list)
  }

  /// A track of the entry's list, from 1; nil if there is none of that number.
  mutating func track(_ number: Int, of entry: Entry) -> Entry? {
    entry.list?.at(number - 1).map { self.entry(entry.item, list: $0) }
  }

  /// - Parameter kept: what it is known to go on with; more is added behind that.
  mutating func continuation(of entry: Entry, keeping kept: [Entry] = []) -> [Entry] {
    var entries = kept
    while entries.count < Self.lookahead {
      let last = entries.last ?? entry
      let next =
        repeatsOne ? self.entry(entry.item, list: entry.list) : last.list.flatMap { track($0.index + 2, of: last) }
      guard let next else { break }
      entries.append(next)
    }
    return entries
  }

  /// What is heard after the current track, as far as is known and worth knowing. What an item goes on with once it has
  /// become the current one is not known before.
  var followers: [Entry] {
    if repeatsOne { return continuation }
    let isListLeft = (continuation.last ?? current)?.list.map { $0.index + 1 < $0.tracks.count } ?? false
    if isListLeft { return continuation }
    let items = staged.prefix(1 + (staged.firstIndex { $0.list.map { $0.tracks.count > 1 } ?? false } ?? staged.count))
    return Array((continuation + items).prefix(Self.lookahead))
  }

  var follower: Entry? { followers.first }

  /// The follower becomes the current item: it follows nothing any more.
  mutating func takeFollower() -> Entry? {
    if continuation.isEmpty {
      guard !staged.isEmpty else { return nil }
      let entry = staged.removeFirst()
      become(entry)
      return entry
    }
    let entry = continuation.removeFirst()
    become(entry, goingOnWith: continuation)
    return entry
  }

  /// Tells the pipeline what follows, if it knows something else.
  mutating func stage() -> [PipelineCommand] {
    guard isActive, followers.map(\.track) != told.map(\.track) else { return [] }
    return [.stage(tellFollowers())]
  }

  /// What the pipeline is told to have follow.
  /// - Parameter anew: in a new generation, in which nothing of what it was told before is heard.
  mutating func tellFollowers(anew: Bool = false) -> [Track] {
    let followers = followers
    let replaced = told.filter { old in !followers.contains { $0.track.id == old.track.id } }
    superseded = anew ? [] : (superseded + replaced).suffix(Self.maximumSuperseded)
    told = followers
    return followers.map(\.track)
  }

  /// Another item is the current one, of which nothing is known yet.
  /// - Parameter continuation: what it is known to go on with.
  mutating func become(_ entry: Entry?, goingOnWith continuation: [Entry] = []) {
    current = entry
    self.continuation = entry.map { self.continuation(of: $0, keeping: continuation) } ?? []
    facts = factsAhead?.trackID == entry?.track.id ? factsAhead?.facts ?? Facts() : Facts()
    factsAhead = nil
    error = nil
    anchor = nil
    jumped = true
  }

  /// Another track is the current one: it begins if something is to be heard.
  mutating func skip(to entry: Entry, paused: Bool = false) -> [PipelineCommand] {
    become(entry)
    if isActive { return start(at: .zero, paused: paused) }
    phase = .stopped(at: .zero)
    return []
  }

  /// Begins the current item: sound is wanted, and there is none yet.
  mutating func start(at position: Duration, paused: Bool = false) -> [PipelineCommand] {
    guard let current else { return [] }
    generation += 1
    error = nil
    phase = .active(Activity(wantsPause: paused, hasSound: false))
    anchor = .standing(at: position)
    return [
      .start(
        generation: generation, track: current.track, followers: tellFollowers(anew: true), at: position, paused: paused
      )
    ]
  }

  /// Silence at the beginning of the current item.
  mutating func rest() {
    phase = .stopped(at: .zero)
    facts.title = nil
    anchor = nil
    jumped = true
  }

  /// Silence at the beginning of the first track.
  mutating func rewind() {
    if let current, let first = track(1, of: current), first.list != current.list { become(first) }
    rest()
  }

  mutating func silence() -> [PipelineCommand] {
    generation += 1
    return [.stop(generation: generation)]
  }

  /// What others can see of it, to find out what a step has changed.
  struct Appearance: Equatable {
    var state: TransportState
    var trackID: Int?
    var trackCount: Int
    var nextID: Int?
    var duration: Duration?
    var repeatsOne: Bool
    var streamInfo: StreamInfo?
    var title: String?
    var error: PlaybackError?
    var failedItems: Int
    var canPause: Bool
    var canSeek: Bool
  }

  var appearance: Appearance {
    Appearance(
      state: state, trackID: current?.track.id, trackCount: trackCount, nextID: staged.first?.track.id,
      duration: duration, repeatsOne: repeatsOne, streamInfo: streamInfo, title: title, error: error,
      failedItems: failedItems,
      canPause: canPause, canSeek: canSeek)
  }

  /// Makes one step and adds the notice of all that it changed.
  mutating func change(_ step: (inout PlayerMachine) -> [PipelineCommand]) -> [Action] {
    let before = appearance
    jumped = false
    finished = false
    var actions = step(&self).map(Action.pipeline)
    let after = appearance
    var changes: PlayerChanges = jumped ? .position : []
    if before.state != after.state { changes.insert(.state) }
    if before.trackID != after.trackID || before.trackCount != after.trackCount { changes.insert(.item) }
    if before.nextID != after.nextID { changes.insert(.next) }
    if before.duration != after.duration { changes.insert(.duration) }
    if before.repeatsOne != after.repeatsOne { changes.insert(.repeatsOne) }
    if before.streamInfo != after.streamInfo { changes.insert(.streamInfo) }
    if before.title != after.title { changes.insert(.title) }
    if before.error != after.error || before.failedItems != after.failedItems { changes.insert(.error) }
    if before.canPause != after.canPause || before.canSeek != after.canSeek { changes.insert(.capabilities) }
    if finished { changes.insert(.finished) }
    if !changes.isEmpty { actions.append(.notify(changes)) }
    return actions
  }
}
