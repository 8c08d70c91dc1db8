import PlaybackModel
import PlaybackStore

/// The playlist as a source of the player. Keeps the deck's current and upcoming items in step with the list. Lives on the
/// player's executor.
public final class PlaylistSource {
  let player: Player
  private let save: ([PlaylistChange]) -> Void
  private let duration: (PlaylistTrack) -> Duration?

  public private(set) var list: Playlist
  /// The tracks of the list that failed when they were last tried.
  public private(set) var failures = PlaylistFailures()
  private var observers: [() -> Void] = []

  /// - Parameters:
  ///   - list: the saved list.
  ///   - save: called with the changes of each command.
  ///   - duration: the duration in a track's metadata, called when the track is staged.
  package init(
    player: Player, list: Playlist = Playlist(), save: @escaping ([PlaylistChange]) -> Void = { _ in },
    duration: @escaping (PlaylistTrack) -> Duration? = { _ in nil }
  ) {
    self.player = player
    self.list = list
    self.save = save
    self.duration = duration
    cue()
  }

  /// Follows a change of the deck, which moves on by itself at a join and after a failure.
  public func update(_ changes: PlayerChanges) {
    let deck = self.deck
    let haveFailuresChanged = failures.update(deck, changes, of: list)
    if deck.state.isOn { list.begin() }
    if let tag = deck.item?.tag, tag != list.currentID {
      // The track was deleted just before it became audible.
      guard list.track(tag) != nil else { return skipToSuccessor() }
      if tag == list.successorID { _ = list.moveToSuccessor() } else { try? list.select(tag) }
    }
    if changes.contains(.finished) {
      // A successor is left only if every track failed: then the current track stays.
      if list.successorID == nil { _ = list.moveToSuccessor() }
      let item = item(list.currentID)
      player.immediately { $0.cue(item, of: .playlist) }
    }
    stage()
    saveChanges()
    if haveFailuresChanged { for observer in observers { observer() } }
  }

  /// Calls the body when the list, its order, its current track or its failures may have changed without a change of
  /// the deck.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// What can be done with the list now.
  public var abilities: TransportAbilities {
    deck.abilities.with(.inPlaylist(isEmpty: list.count == 0, hasSuccessor: list.successorID != nil))
  }

  private var deck: Deck { player.immediately { $0.deck(.playlist) } }

  private var isCurrent: Bool { player.immediately { $0.source } == .playlist }
}

// MARK: - Playback

extension PlaylistSource {
  /// Plays the successor; at the end, stops and makes the first track current. Ends standby in both cases. Ignored
  /// unless the playlist is the current source.
  public func next() {
    guard isCurrent, list.count > 0 else { return }
    player.immediately { $0.selectSource(.playlist) }
    skipToSuccessor()
  }

  private func skipToSuccessor() {
    let deck = self.deck
    switch list.moveToSuccessor() {
    case .next:
      // The staged item is open already.
      if deck.next?.tag == list.currentID, deck.trackNumber == deck.trackCount, deck.state != .stopped {
        player.immediately { try? $0.skipToNext(.playlist) }
        changed()
      } else {
        playCurrent()
      }
    case .end, .empty: stopAndCue()
    case .none: break
    }
  }

  /// Plays the predecessor, or restarts the first track. Ignored unless the playlist is the current source.
  public func previous() {
    guard isCurrent, list.count > 0 else { return }
    list.moveToPredecessor()
    playCurrent()
  }

  /// Plays a track from its beginning.
  public func seek(toID id: UInt32) throws(PlaylistError) {
    try list.select(id)
    playCurrent()
  }
}

// MARK: - List

/// Changes of the list do not interrupt playback, except that deleting the current track ends it.
extension PlaylistSource {
  /// Deletes a track. If it is current, its successor becomes current, and plays if the track was playing.
  public func delete(_ id: UInt32) throws(PlaylistError) {
    switch try list.delete(id) {
    case .none: changed()
    case .next:
      cue()
      changed()
    case .end, .empty: stopAndCue()
    }
  }

  /// Inserts tracks one after the other.
  /// - Parameters:
  ///   - predecessor: the id of the track before them; 0 for the front.
  ///   - isNext: whether they play next even in a shuffled list.
  /// - Returns: the ids, fewer if the list has become full.
  package func insert(
    _ tracks: [PlaylistTrack], after predecessor: UInt32, isNext: Bool = false
  ) throws(PlaylistError) -> [UInt32] {
    var ids: [UInt32] = []
    for track in tracks {
      do throws(PlaylistError) {
        ids.append(try list.insert(track, after: ids.last ?? predecessor))
      } catch {
        guard !ids.isEmpty else { throw error }
        break
      }
    }
    if isNext { list.bringForward(ids) }
    changed()
    return ids
  }

  /// Moves tracks behind another one. Playback continues.
  package func move(_ ids: [UInt32], after predecessor: UInt32) throws(PlaylistError) {
    try list.move(ids, after: predecessor)
    changed()
  }

  /// Deletes several tracks. Unknown ids are ignored.
  /// - Returns: for `restore`, in the order of the list.
  package func delete(_ ids: [UInt32]) -> [DeletedTrack] {
    let deleted = list.deletable(ids)
    if deleted.count == list.count {
      deleteAll()
      return deleted
    }
    // Delete the current track last, so that its successor is a track that stays.
    for track in deleted where !track.wasCurrent { _ = try? list.delete(track.id) }
    if let current = deleted.first(where: \.wasCurrent) { try? delete(current.id) } else { changed() }
    return deleted
  }

  /// Reinserts deleted tracks. Playback continues; if the list was empty, it does not start.
  package func restore(_ deleted: [DeletedTrack]) throws(PlaylistError) {
    try list.restore(deleted)
    changed()
  }

  /// Replaces all tracks, and plays the first new one. If none fits into a list, nothing changes.
  /// - Parameter shuffles: the new value of Shuffle; nil to keep it.
  /// - Returns: for `undo`. Its `added` has fewer tracks if the list has become full.
  package func replaceAll(
    with tracks: [PlaylistTrack], shuffles: Bool? = nil
  ) throws(PlaylistError) -> ReplacedTracks {
    var next = list
    _ = next.deleteAll()
    if let shuffles { next.setShuffles(shuffles) }
    var added: [UInt32] = []
    for track in tracks {
      do throws(PlaylistError) {
        added.append(try next.insert(track, after: added.last ?? 0))
      } catch {
        guard !added.isEmpty else { throw error }
        break
      }
    }
    var replaced = asReplaced
    replaced.added = added
    replaced.shuffles = next.shuffles == list.shuffles ? nil : list.shuffles
    guard !added.isEmpty else { return replaced }
    list = next
    playCurrent()
    return replaced
  }

  /// Removes all tracks.
  /// - Returns: for `undo`.
  package func clear() -> ReplacedTracks {
    let replaced = asReplaced
    deleteAll()
    return replaced
  }

  /// The list as it is now, for `undo`.
  private var asReplaced: ReplacedTracks {
    ReplacedTracks(
      tracks: list.allDeletable, added: [], state: deck.state, position: deck.resumePosition, shuffles: nil)
  }

  /// Removes the tracks that replaced others, and puts the others back. If one of the removed tracks is current, or
  /// none has come in their place, the former current track becomes current again, at the position and in the state of that
  /// time. It does not interrupt another source.
  package func undo(_ replaced: ReplacedTracks) throws(PlaylistError) {
    let wasEmpty = list.count == 0
    let added = Set(replaced.added)
    let endsCurrent = added.contains(list.currentID) || (added.isEmpty && wasEmpty)
    var next = list
    let gone = next.ids.filter(added.contains)
    if gone.count == next.count {
      _ = next.deleteAll()
    } else {
      for id in gone where id != list.currentID { _ = try next.delete(id) }
      if endsCurrent { _ = try next.delete(list.currentID) }
    }
    if let shuffles = replaced.shuffles { next.setShuffles(shuffles) }
    try next.restore(replaced.tracks)
    if endsCurrent, let current = replaced.tracks.first(where: \.wasCurrent) { try next.select(current.id) }
    list = next
    if endsCurrent { return resumeCurrent(at: replaced.position, replaced.state) }
    if wasEmpty { cue() }
    changed()
  }

  public func deleteAll() {
    if list.deleteAll() != .none { stopAndCue() }
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

// MARK: - Deck

extension PlaylistSource {
  /// Plays the current track from its beginning.
  private func playCurrent() {
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

  /// Makes the current track the deck's item, at a position. Plays or pauses it, unless another source is current.
  private func resumeCurrent(at position: Duration, _ state: TransportState) {
    let item = item(list.currentID)
    let upcoming = list.successors(PlayerMachine.lookahead).compactMap(self.item)
    let isActive = isCurrent && state.isOn
    player.immediately { player in
      player.transaction { player in
        player.stop(.playlist)
        player.setItem(item, of: .playlist)
        if position > .zero { try? player.seek(to: position, of: .playlist) }
        guard isActive else { return }
        player.setUpcoming(upcoming, of: .playlist)
        try? player.play(.playlist)
        if state == .paused { try? player.pause(.playlist) }
      }
    }
    changed()
  }

  /// Stops and cues the current track, if there is one.
  private func stopAndCue() {
    let item = item(list.currentID)
    player.immediately { player in
      player.transaction { player in
        player.stop(.playlist)
        player.setItem(item, of: .playlist)
      }
    }
    changed()
  }

  /// Makes the current track the deck's item without starting it.
  private func cue() {
    let item = item(list.currentID)
    player.immediately { $0.setItem(item, of: .playlist) }
  }

  /// Makes the successors the deck's upcoming items. Those that stay keep their item, so that metadata is parsed once.
  private func stage() {
    let successors = self.successors
    let staged = deck.upcoming
    guard successors != staged.map(\.tag) else { return }
    let known = Dictionary(staged.map { ($0.tag, $0) }, uniquingKeysWith: { $1 })
    let items = successors.compactMap { known[$0] ?? item($0) }
    player.immediately { $0.setUpcoming(items, of: .playlist) }
  }

  /// The ids to stage. While tracks fail one after the other, each is tried once.
  private var successors: [UInt32] {
    let failed = deck.failedItems
    let untried = failed > 0 ? max(0, list.count - 1 - failed) : .max
    return list.successors(min(PlayerMachine.lookahead, untried))
  }

  private func item(_ id: UInt32) -> MediaItem? {
    list.track(id).map { MediaItem(uri: $0.uri, metadata: $0.metadata, duration: duration($0), tag: id) }
  }

  private func changed() {
    let deck = self.deck
    // The track that a new list starts with may be another one now.
    if !deck.state.isOn, deck.item?.tag ?? 0 != list.currentID { cue() }
    stage()
    saveChanges()
    failures.prune(to: list)
    for observer in observers { observer() }
  }

  private func saveChanges() {
    let changes = list.takeChanges()
    if !changes.isEmpty { save(changes) }
  }
}

/// A list that was cleared, or that other tracks have replaced, for `PlaylistSource.undo`.
package struct ReplacedTracks: Sendable, Equatable {
  /// The former tracks, in their order.
  package var tracks: [DeletedTrack]
  /// The ids of the tracks in their place. More may be appended.
  package var added: [UInt32]
  /// The state at that time; stopped if another source was current.
  package var state: TransportState
  /// The position in the former current track.
  package var position: Duration
  /// Shuffle at that time; nil if the replacement kept it.
  package var shuffles: Bool?
}
