/// A service of a speaker to which playback moves.
protocol MoveTarget: Sendable {
  /// Prepares the speaker without changing what it plays.
  mutating func prepare() async throws(ControlPointError)
  /// Plays a track from its beginning; or selects it without playing it.
  /// - Parameter index: of a track in the queue that moves.
  func start(_ index: Int, playing: Bool) async throws(ControlPointError)
  func observe(_ index: Int) async throws(ControlPointError) -> StartWatch.Observation
  /// Removes what the move has replaced.
  func commit() async throws(ControlPointError)
  /// Restores what the move has changed. Errors are ignored.
  func rollback(afterStart hasStarted: Bool) async
}

/// A move into the playlist of an OpenHome player. The tracks replace its own, unless it is only one station.
struct PlaylistTarget: MoveTarget {
  struct Modes: Sendable, Hashable {
    var isRepeating: Bool?
    var isShuffling: Bool?
  }

  let speaker: RemoteSpeaker
  let queue: OpenHomeQueue
  let items: [SpeakerItem]
  /// Nil to keep the player's own modes and tracks.
  let modes: Modes?
  private var newIDs: [UInt32] = []
  private var oldIDs: [UInt32] = []
  /// The old tracks, if they had to make room.
  private var removed: [SpeakerItem] = []
  private var oldModes = Modes()

  init(_ speaker: RemoteSpeaker, items: [SpeakerItem], modes: Modes?) throws(ControlPointError) {
    self.speaker = speaker
    queue = OpenHomeQueue(playlist: try speaker.services.playlist.required)
    self.items = items
    self.modes = modes
  }

  mutating func prepare() async throws(ControlPointError) {
    oldIDs = try await queue.ids()
    oldModes.isRepeating = try await tolerating { () throws(ControlPointError) in try await speaker.isRepeating() }
    oldModes.isShuffling = try await tolerating { () throws(ControlPointError) in try await speaker.isShuffling() }
    for item in items {
      let last = newIDs.last ?? 0
      do throws(ControlPointError) {
        newIDs += try await queue.insert([item], after: last)
      } catch {
        guard error.transportFault(of: .playlist) == .queueFull, modes != nil, !oldIDs.isEmpty else { throw error }
        try await makeRoom()
        newIDs += try await queue.insert([item], after: last)
      }
    }
  }

  private mutating func makeRoom() async throws(ControlPointError) {
    let old = Set(oldIDs)
    removed = try await queue.queue().entries.filter { $0.id.map(old.contains) ?? false }.map(\.item)
    try await queue.delete(oldIDs)
    oldIDs = []
  }

  func start(_ index: Int, playing: Bool) async throws(ControlPointError) {
    try await speaker.selectSource(ofType: "Playlist")
    // A shuffled round begins with the track that is chosen afterwards.
    if let modes { try await set(modes, instead: oldModes) }
    try await queue.playlist.seekId(value: newIDs[index])
    if !playing { try await queue.playlist.stop() }
  }

  func observe(_ index: Int) async throws(ControlPointError) -> StartWatch.Observation {
    let state = try await queue.playlist.transportState().rawValue
    return StartWatch.Observation(
      state: PlaybackState(transportState: state), isOurs: try await queue.playlist.id() == newIDs[index])
  }

  private func set(_ modes: Modes, instead old: Modes) async throws(ControlPointError) {
    if let isOn = modes.isRepeating, isOn != old.isRepeating {
      _ = try await tolerating { () throws(ControlPointError) in try await speaker.setRepeating(isOn) }
    }
    if let isOn = modes.isShuffling, isOn != old.isShuffling {
      _ = try await tolerating { () throws(ControlPointError) in try await speaker.setShuffling(isOn) }
    }
  }

  func commit() async throws(ControlPointError) { if modes != nil { try await queue.delete(oldIDs) } }

  func rollback(afterStart hasStarted: Bool) async {
    if hasStarted {
      try? await queue.playlist.stop()
      if let modes { try? await set(oldModes, instead: modes) }
    }
    try? await queue.delete(newIDs)
    let last = (try? await queue.ids().last) ?? 0
    _ = try? await queue.insert(removed[...], after: last)
  }
}

/// A move to the radio of an OpenHome player.
struct RadioTarget: MoveTarget {
  let speaker: RemoteSpeaker
  let radio: Radio1Client
  let station: SpeakerItem
  private var previous: SpeakerItem?

  init(_ speaker: RemoteSpeaker, station: SpeakerItem) throws(ControlPointError) {
    self.speaker = speaker
    radio = try speaker.services.radio.required
    self.station = station
  }

  mutating func prepare() async throws(ControlPointError) {
    let channel = try await tolerating { () throws(ControlPointError) in try await radio.channel() }
    guard let channel else { return }
    previous = SpeakerItem(uri: channel.uri, metadata: channel.metadata)
  }

  func start(_ index: Int, playing: Bool) async throws(ControlPointError) {
    try await radio.setChannel(uri: station.uri, metadata: station.metadata)
    try await speaker.selectSource(ofType: "Radio")
    if playing { try await radio.play() }
  }

  func observe(_ index: Int) async throws(ControlPointError) -> StartWatch.Observation {
    let state = try await radio.transportState().rawValue
    return StartWatch.Observation(state: PlaybackState(transportState: state), isOurs: true)
  }

  func commit() async throws(ControlPointError) {}

  func rollback(afterStart hasStarted: Bool) async {
    guard hasStarted else { return }
    try? await radio.stop()
    if let previous { try? await radio.setChannel(uri: previous.uri, metadata: previous.metadata) }
  }
}

/// A move to a renderer without a queue.
struct RendererTarget: MoveTarget {
  let playback: AVPlayback
  let items: [SpeakerItem]
  /// Whether the renderer is given the next track, too.
  let announcesNext: Bool
  private var previous: SpeakerItem?

  init(_ speaker: RemoteSpeaker, items: [SpeakerItem], announcesNext: Bool) throws(ControlPointError) {
    playback = AVPlayback(transport: try speaker.services.avTransport.required)
    self.items = items
    self.announcesNext = announcesNext
  }

  mutating func prepare() async throws(ControlPointError) {
    previous = try await tolerating { () throws(ControlPointError) in try await playback.queue() }?.entries.first?.item
  }

  func start(_ index: Int, playing: Bool) async throws(ControlPointError) {
    let item = items[index]
    if playing {
      try await playback.start(item)
    } else {
      try await playback.transport.setAVTransportURI(currentURI: item.uri, currentURIMetaData: item.metadata)
    }
    guard announcesNext, index + 1 < items.count else { return }
    let next = items[index + 1]
    try await playback.transport.setNextAVTransportURI(nextURI: next.uri, nextURIMetaData: next.metadata)
  }

  func observe(_ index: Int) async throws(ControlPointError) -> StartWatch.Observation {
    let observation = try await playback.observe()
    let isOurs = observation.uri.map { PlayedURI($0) == PlayedURI(items[index].uri) } ?? true
    return StartWatch.Observation(state: observation.state, isOurs: isOurs, hasError: observation.hasError)
  }

  func commit() async throws(ControlPointError) {}

  func rollback(afterStart hasStarted: Bool) async {
    guard hasStarted else { return }
    try? await playback.transport.stop()
    guard let previous else { return }
    try? await playback.transport.setAVTransportURI(currentURI: previous.uri, currentURIMetaData: previous.metadata)
  }
}
