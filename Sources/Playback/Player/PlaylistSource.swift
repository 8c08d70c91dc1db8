import PlaybackModel
import PlaybackStore

/// The playlist as a source of the player: what the list says is laid into the playlist's deck, its successor staged
/// there whenever anything changes it, so that the tracks join without a gap.
///
/// On the player's executor, and the first to observe its deck there, so that others find the list and the deck agreed.
public final class PlaylistSource {
  private let player: Player
  private let save: ([PlaylistChange]) -> Void
  private let duration: (PlaylistTrack) -> Duration?

  public private(set) var list: Playlist
  private var observers: [() -> Void] = []

  /// - Parameters:
  ///   - list: the saved list.
  ///   - save: called with the changes of each command, to keep them over restarts.
  ///   - duration: what a track's metadata says of its length, asked for when the track's turn comes.
  package init(
    player: Player, list: Playlist = Playlist(), save: @escaping ([PlaylistChange]) -> Void = { _ in },
    duration: @escaping (PlaylistTrack) -> Duration? = { _ in nil }
  ) {
    self.player = player
    self.list = list
    self.save = save
    self.duration = duration
    lay()
  }

  /// Takes over what changed in the deck: it goes on to the successor by itself, at a join and when a track fails.
  public func update(_ changes: PlayerChanges) {
    let deck = self.deck
    if let tag = deck.item?.tag, tag != list.currentID {
      // It was deleted a moment before it began to be heard.
      guard list.track(tag) != nil else { return skipToSuccessor() }
      if tag == list.successorID { _ = list.moveToSuccessor() } else { try? list.select(tag) }
    }
    if changes.contains(.finished) {
      // With a successor left nothing of the list could be heard.
      if list.successorID == nil { _ = list.moveToSuccessor() }
      lay()
    }
    stage()
    keep()
  }

  /// Calls the body whenever the list, its order or its current track may have changed without the deck.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  private var deck: Deck { player.immediately { $0.deck(.playlist) } }

  private var isCurrent: Bool { player.immediately { $0.source } == .playlist }
}

// MARK: - What is heard

extension PlaylistSource {
  /// Does nothing if it plays already, or if there is nothing to play.
  public func play() { player.immediately { try? $0.play(.playlist) } }

  public func pause() { player.immediately { try? $0.pause(.playlist) } }

  public func stop() { player.immediately { $0.stop(.playlist) } }

  /// Plays the track after the current one; at the end it stops, and the first track becomes the current one.
  /// Ignored while another source is current.
  public func next() {
    if isCurrent { skipToSuccessor() }
  }

  private func skipToSuccessor() {
    let deck = self.deck
    switch list.moveToSuccessor() {
    case .next:
      // What is staged has been opened already.
      if deck.next?.tag == list.currentID, deck.trackNumber == deck.trackCount, deck.state != .stopped {
        player.immediately { try? $0.skipToNext(.playlist) }
        changed()
      } else {
        begin()
      }
    case .end, .empty: rest()
    case .none: break
    }
  }

  /// Plays the track before the current one, or restarts the first track. Ignored while another source is current.
  public func previous() {
    guard isCurrent, list.count > 0 else { return }
    list.moveToPredecessor()
    begin()
  }

  /// Plays a track from its beginning.
  public func seek(toID id: UInt32) throws(PlaylistError) {
    try list.select(id)
    begin()
  }

  /// - Parameter index: from 0.
  public func seek(toIndex index: Int) throws(PlaylistError) {
    guard let id = list.id(at: index) else { throw .indexNotFound }
    try seek(toID: id)
  }

  /// Goes to a position of the current track, in the state that is.
  public func seek(to position: Duration) throws(PlayerError) {
    try player.immediately { player throws(PlayerError) in try player.seek(to: position, of: .playlist) }
  }

  /// - Parameter offset: from where it is; not further back than the beginning.
  public func seek(by offset: Duration) throws(PlayerError) {
    try seek(to: max(.zero, deck.position + offset))
  }
}

// MARK: - The list

/// What sounds goes on through every change of the list, except that a track is not heard any more once it is deleted.
extension PlaylistSource {
  /// - Parameter predecessor: the id of the track before it; 0 for the front.
  /// - Returns: its id.
  public func insert(_ track: PlaylistTrack, after predecessor: UInt32) throws(PlaylistError) -> UInt32 {
    let id = try list.insert(track, after: predecessor)
    if list.count == 1 { lay() }
    changed()
    return id
  }

  /// If it is the current track, the next one takes its place, and plays if that did.
  public func delete(_ id: UInt32) throws(PlaylistError) {
    switch try list.delete(id) {
    case .none: changed()
    case .next:
      lay()
      changed()
    case .end, .empty: rest()
    }
  }

  public func deleteAll() {
    if list.deleteAll() != .none { rest() }
  }

  public func setRepeats(_ repeats: Bool) {
    list.setRepeats(repeats)
    changed()
  }

  public func setShuffles(_ shuffles: Bool) {
    list.setShuffles(shuffles)
    changed()
  }
}

// MARK: - Into the deck

extension PlaylistSource {
  /// Plays the current track from its beginning.
  private func begin() {
    let item = item(list.currentID)
    let upcoming = list.successors(PlayerMachine.lookahead).compactMap(self.item)
    player.immediately { player in
      player.transaction { player in
        player.setItem(item, of: .playlist)
        player.setUpcoming(upcoming, of: .playlist)
        try? player.play(.playlist)
      }
    }
    changed()
  }

  /// Silence, and the current track ready, if there is one.
  private func rest() {
    let item = item(list.currentID)
    player.immediately { player in
      player.transaction { player in
        player.stop(.playlist)
        player.setItem(item, of: .playlist)
      }
    }
    changed()
  }

  /// Makes the current track the deck's item, from its beginning.
  private func lay() {
    let item = item(list.currentID)
    player.immediately { $0.setItem(item, of: .playlist) }
  }

  private func stage() {
    let successors = self.successors
    let staged = deck.upcoming
    guard successors != staged.map(\.tag) else { return }
    let known = Dictionary(staged.map { ($0.tag, $0) }, uniquingKeysWith: { $1 })
    let items = successors.compactMap { known[$0] ?? item($0) }
    player.immediately { $0.setUpcoming(items, of: .playlist) }
  }

  /// What is to follow the current track, in order. When one track after the other fails, each is tried once.
  private var successors: [UInt32] {
    let failed = deck.failedItems
    let untried = failed > 0 ? max(0, list.count - 1 - failed) : .max
    return list.successors(min(PlayerMachine.lookahead, untried))
  }

  private func item(_ id: UInt32) -> MediaItem? {
    list.track(id).map { MediaItem(uri: $0.uri, metadata: $0.metadata, duration: duration($0), tag: id) }
  }

  private func changed() {
    stage()
    keep()
    for observer in observers { observer() }
  }

  private func keep() {
    let changes = list.takeChanges()
    if !changes.isEmpty { save(changes) }
  }
}
