/// The list of OpenHome's Playlist service: tracks with ids that are never reused, the current track, and its
/// successors by list order, repeat and shuffle.
///
/// A pure value: `PlaylistSource` plays it, `StateStore` saves its changes.
public struct Playlist: Sendable {
  /// The service's TracksMax.
  public static let maximumCount = 16_384
  /// Limit for the size of all addresses and metadata: 8 kB per track in the longest list, so that small machines do
  /// not run out of memory.
  public static let maximumBytes = 128 << 20

  /// The effect of a command on the current track.
  public enum Move: Sendable, Equatable {
    /// The current track stays.
    case none
    /// The successor has become current.
    case next
    /// There was no successor: the first track is current, and playback ends.
    case end
    /// The list is empty.
    case empty
  }

  private var contents: PlaylistContents
  /// Nil while shuffle is off.
  private var round: ShuffleRound?
  /// Whether the current track was started or chosen. Until then it is the one that Play starts with: the first of the
  /// list, or any track if shuffle is on.
  private var isBegun: Bool
  private var seed: UInt64
  /// Changes with the list of ids and with every restart.
  public private(set) var token: UInt32
  /// Changes not yet returned by `takeChanges`.
  private var changes: [PlaylistChange] = []

  public init() { self.init(PlaylistContents()) }

  /// - Parameter seed: determines the token and the shuffle order.
  package init(_ contents: PlaylistContents, seed: UInt64 = .random(in: 0...UInt64.max)) {
    self.contents = contents
    self.seed = seed
    // Random, so that a controller that missed a restart does not mistake another list for the one it knows.
    token = UInt32(truncatingIfNeeded: seed >> 32)
    isBegun = contents.currentID > 0
    openRound()
  }

  // MARK: Reads

  /// The ids of all tracks, in list order.
  public var ids: [UInt32] { contents.ids }
  public var count: Int { contents.ids.count }
  /// Id of the current track; 0 if the list is empty.
  public var currentID: UInt32 { contents.currentID }
  public var repeats: Bool { contents.repeats }
  public var shuffles: Bool { contents.shuffles }

  public func track(_ id: UInt32) -> PlaylistTrack? { contents.tracks[id] }
  public func index(of id: UInt32) -> Int? { contents.index(of: id) }
  /// The id at an index from 0; nil beyond the end.
  public func id(at index: Int) -> UInt32? { ids.indices.contains(index) ? ids[index] : nil }

  /// Playlist's IdArray: the ids as big-endian 32-bit numbers.
  public var idArray: [UInt8] {
    ids.map(\.bigEndian).withUnsafeBytes { Array($0) }
  }

  /// The track after the current one; nil at the end.
  public var successorID: UInt32? {
    if shuffles, let round { return round.successor(repeats: repeats) }
    guard let index = index(of: currentID) else { return nil }
    return index + 1 < count ? ids[index + 1] : repeats ? ids.first : nil
  }

  /// Whether the current track is the last one, apart from a repetition.
  public var isAtEnd: Bool {
    if shuffles, let round { return round.successor(repeats: false) == nil }
    return index(of: currentID).map { $0 + 1 >= count } ?? true
  }

  /// The tracks after the current one, in order, as far as they are decided.
  public func successors(_ limit: Int) -> [UInt32] {
    if shuffles, let round { return round.successors(limit, repeats: repeats) }
    guard let index = index(of: currentID) else { return [] }
    let end = repeats ? index + limit : min(index + limit, count - 1)
    return end > index ? (index + 1...end).map { ids[$0 % count] } : []
  }

  /// The track that Previous goes to; nil at the beginning.
  public var predecessorID: UInt32? {
    if shuffles, let round { return round.predecessor(repeats: repeats) }
    guard let index = index(of: currentID) else { return nil }
    return index > 0 ? ids[index - 1] : repeats ? ids.last : nil
  }

  // MARK: List

  /// Inserts a track. The first one becomes current.
  /// - Parameter predecessor: the id of the track before it; 0 for the front.
  /// - Returns: the id of the track.
  public mutating func insert(_ track: PlaylistTrack, after predecessor: UInt32) throws(PlaylistError) -> UInt32 {
    guard predecessor == 0 || contents.tracks[predecessor] != nil else { throw .idNotFound }
    guard count < Self.maximumCount, contents.bytes + track.bytes <= Self.maximumBytes, contents.lastID < .max else {
      throw .full
    }
    let id = contents.lastID + 1
    change(.insert(id: id, after: predecessor, track))
    token &+= 1
    if count == 1 {
      openRound()
    } else if !isBegun, round?.opensWithNewest(of: contents.ids.count) == true {
      open(with: id)
    } else {
      round?.insert(id)
    }
    return id
  }

  /// Deletes a track. If it is current, its successor becomes current.
  public mutating func delete(_ id: UInt32) throws(PlaylistError) -> Move {
    guard contents.tracks[id] != nil else { throw .idNotFound }
    if count == 1 { return deleteAll() }
    var move = Move.none
    if id == currentID {
      // The successor is another track: only in a list of one does a track follow itself.
      if let successor = successorID {
        makeCurrent(successor)
        move = .next
      } else {
        move = .end
      }
    }
    change(.delete(id: id))
    token &+= 1
    round?.delete(id, from: contents.ids)
    if move == .end { rewind() }
    return move
  }

  public mutating func deleteAll() -> Move {
    guard count > 0 else { return .none }
    change(.deleteAll)
    token &+= 1
    rewind()
    return .empty
  }

  /// Moves tracks behind another one. Ids, the current track and the shuffle order stay.
  /// - Parameters:
  ///   - moved: in their new order.
  ///   - predecessor: not one of them; 0 for the front.
  public mutating func move(_ moved: [UInt32], after predecessor: UInt32) throws(PlaylistError) {
    var next = contents
    guard next.apply(.move(ids: moved, after: predecessor)) else { throw .idNotFound }
    guard next.ids != ids else { return }
    change(.move(ids: moved, after: predecessor))
    token &+= 1
  }

  /// Reinserts deleted tracks under their old ids, so that the caches of controllers stay valid.
  /// - Parameter deleted: in the order of the list.
  package mutating func restore(_ deleted: [DeletedTrack]) throws(PlaylistError) {
    let deleted = deleted.filter { contents.tracks[$0.id] == nil }
    let bytes = deleted.reduce(contents.bytes) { $0 + $1.track.bytes }
    guard count + deleted.count <= Self.maximumCount, bytes <= Self.maximumBytes else { throw .full }
    let wasEmpty = count == 0
    for entry in deleted {
      let after = entry.index == 0 || count == 0 ? 0 : ids[min(entry.index, count) - 1]
      change(.insert(id: entry.id, after: after, entry.track))
      if !wasEmpty { round?.insert(entry.id) }
    }
    guard !deleted.isEmpty else { return }
    token &+= 1
    if wasEmpty, let current = deleted.first(where: \.wasCurrent) ?? deleted.first {
      open(with: current.id)
      isBegun = true
    }
  }

  /// Tracks with their places, for `restore`, in the order of the list. Unknown ids are ignored.
  package func deletable(_ ids: [UInt32]) -> [DeletedTrack] {
    let ids = Set(ids)
    return allDeletable.filter { ids.contains($0.id) }
  }

  /// All tracks with their places, for `restore`.
  package var allDeletable: [DeletedTrack] {
    ids.enumerated().compactMap { index, id in
      track(id).map { DeletedTrack(id: id, track: $0, index: index, wasCurrent: id == currentID) }
    }
  }

  /// Makes tracks the next ones of a shuffled list, in this order. Has no effect while shuffle is off.
  package mutating func bringForward(_ ids: [UInt32]) {
    let others = ids.filter { $0 != currentID && contents.tracks[$0] != nil }
    if shuffles { round?.bringForward(others) }
  }

  // MARK: Current track

  /// The current track has started to play.
  package mutating func begin() { isBegun = count > 0 }

  /// Makes a track current. If none has been current in this round, the round starts with it.
  public mutating func select(_ id: UInt32) throws(PlaylistError) {
    guard contents.tracks[id] != nil else { throw .idNotFound }
    if isBegun { makeCurrent(id) } else { open(with: id) }
    isBegun = true
  }

  /// Makes the successor current; at the end, the first track.
  public mutating func moveToSuccessor() -> Move {
    guard count > 0 else { return .none }
    guard let successor = successorID else {
      rewind()
      return .end
    }
    makeCurrent(successor)
    isBegun = true
    return .next
  }

  /// Makes the predecessor current, if there is one.
  public mutating func moveToPredecessor() {
    guard let predecessor = predecessorID else { return }
    isBegun = true
    if shuffles {
      round?.goBack(in: contents.ids)
      change(.current(predecessor))
    } else {
      makeCurrent(predecessor)
    }
  }

  /// Makes the track current that Play starts with, in a new shuffle round.
  private mutating func rewind() {
    isBegun = false
    openRound()
  }

  private mutating func makeCurrent(_ id: UInt32) {
    if id != currentID { change(.current(id)) }
    round?.visit(id, in: contents.ids)
  }

  // MARK: Order

  public mutating func setRepeats(_ repeats: Bool) {
    if repeats != self.repeats { change(.repeats(repeats)) }
  }

  /// Turning shuffle on starts a new round with the current track, or with any track if none has been started.
  public mutating func setShuffles(_ shuffles: Bool) {
    guard shuffles != self.shuffles else { return }
    change(.shuffles(shuffles))
    openRound()
  }

  /// Starts a new shuffle round with the current track if it was started or chosen.
  private mutating func openRound() {
    var generator = ShuffleRound.Generator(state: seed)
    let opener = shuffles ? ids.randomElement(using: &generator) : ids.first
    open(with: isBegun ? currentID : opener ?? 0)
  }

  /// Makes a track current and starts a new shuffle round with it.
  private mutating func open(with id: UInt32) {
    if id != currentID { change(.current(id)) }
    var generator = ShuffleRound.Generator(state: seed)
    seed = generator.next()
    round = shuffles ? ShuffleRound(ids: ids, current: id, seed: seed) : nil
  }

  // MARK: Saving

  /// The changes since the last call, to be saved.
  package mutating func takeChanges() -> [PlaylistChange] {
    defer { changes = [] }
    return changes
  }

  private mutating func change(_ change: PlaylistChange) {
    // The callers have checked the change, so that it is valid.
    if contents.apply(change) { changes.append(change) }
  }
}

/// A track that was deleted, with its place.
package struct DeletedTrack: Sendable, Equatable {
  package var id: UInt32
  package var track: PlaylistTrack
  /// Index in the list before the deletion, from 0.
  package var index: Int
  package var wasCurrent: Bool
}

/// The reason for refusing a command to the playlist. A refused command changes nothing.
public enum PlaylistError: Error, Sendable, Equatable {
  case idNotFound
  /// The list has reached its limit of tracks, of bytes or of ids.
  case full
}
