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

  mutating func continuation(of entry: Entry) -> Entry? {
    if repeatsOne { return self.entry(entry.item, list: entry.list) }
    return entry.list.flatMap { track($0.index + 2, of: entry) }
  }

  /// What is heard after the current item.
  var follower: Entry? { continuation ?? staged }

  /// The follower is about to become the current item: it follows nothing any more.
  mutating func takeFollower() {
    if continuation == nil { staged = nil }
  }

  /// Changes what follows, and tells the pipeline if it is another track then.
  mutating func follow(_ step: (inout PlayerMachine) -> Void) -> [PipelineCommand] {
    let before = follower
    step(&self)
    guard follower != before else { return [] }
    superseded = before ?? superseded
    return isActive ? [.stage(follower?.track)] : []
  }

  /// Another item is the current one, of which nothing is known yet.
  mutating func become(_ entry: Entry?) {
    current = entry
    continuation = entry.flatMap { continuation(of: $0) }
    superseded = nil
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
    superseded = nil
    phase = .active(Activity(wantsPause: paused, hasSound: false))
    anchor = .standing(at: position)
    return [
      .start(generation: generation, track: current.track, next: follower?.track, at: position, paused: paused)
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
    var canPause: Bool
    var canSeek: Bool
  }

  var appearance: Appearance {
    Appearance(
      state: state, trackID: current?.track.id, trackCount: trackCount, nextID: staged?.track.id, duration: duration,
      repeatsOne: repeatsOne, streamInfo: streamInfo, title: title, error: error, canPause: canPause, canSeek: canSeek)
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
    if before.error != after.error { changes.insert(.error) }
    if before.canPause != after.canPause || before.canSeek != after.canSeek { changes.insert(.capabilities) }
    if finished { changes.insert(.finished) }
    if !changes.isEmpty { actions.append(.notify(changes)) }
    return actions
  }
}
