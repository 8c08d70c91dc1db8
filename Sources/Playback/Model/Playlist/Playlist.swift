/// The list of tracks of OpenHome's Playlist service: tracks with ids that are never used again, one of them current, and
/// what follows it by the order of the list, by repeat and by shuffle.
///
/// A value that plays nothing: `PlaylistSource` lets it be heard, `PlaylistStore` keeps it.
public struct Playlist: Sendable {
  /// The service's TracksMax.
  public static let maximumCount = 16_384
  /// Of all addresses and metadata together, bytes: 8 kB a track in the longest list, and no more than a small machine
  /// can hold.
  public static let maximumBytes = 128 << 20

  /// What became of the current track.
  public enum Move: Sendable, Equatable {
    /// It is the same one.
    case none
    /// It is the one that was to follow.
    case next
    /// Nothing was to follow: it is the first of the list, and the list has come to its end.
    case end
    /// There is none any more.
    case empty
  }

  private var contents: PlaylistContents
  /// From the first shuffle on; until the list has come to its end.
  private var round: ShuffleRound?
  private var seed: UInt64
  /// Changes with the list of ids, and after a restart.
  public private(set) var token: UInt32
  /// What was not yet given away by `takeChanges`.
  private var changes: [PlaylistChange] = []

  public init() { self.init(PlaylistContents()) }

  /// - Parameter seed: what chance there is comes from it.
  package init(_ contents: PlaylistContents, seed: UInt64 = .random(in: 0...UInt64.max)) {
    self.contents = contents
    self.seed = seed
    // A controller that was away during a restart must not take another list for the one it knows.
    token = UInt32(truncatingIfNeeded: seed >> 32)
    if contents.shuffles { round = makeRound() }
  }

  // MARK: Reads

  /// In the order of the list.
  public var ids: [UInt32] { contents.ids }
  public var count: Int { contents.ids.count }
  /// 0 in an empty list.
  public var currentID: UInt32 { contents.currentID }
  public var repeats: Bool { contents.repeats }
  public var shuffles: Bool { contents.shuffles }

  public func track(_ id: UInt32) -> PlaylistTrack? { contents.tracks[id] }
  public func index(of id: UInt32) -> Int? { contents.index(of: id) }
  /// The id at an index from 0; nil beyond the end.
  public func id(at index: Int) -> UInt32? { ids.indices.contains(index) ? ids[index] : nil }

  /// The ids in order, four bytes each, the highest first: the service's IdArray.
  public var idArray: [UInt8] {
    ids.map(\.bigEndian).withUnsafeBytes { Array($0) }
  }

  /// What is heard after the current track; nil at the end.
  public var successorID: UInt32? {
    if shuffles, let round { return round.successor(repeats: repeats) }
    guard let index = index(of: currentID) else { return nil }
    return index + 1 < count ? ids[index + 1] : repeats ? ids.first : nil
  }

  /// What is heard after the current track, in order, as far as is settled.
  public func successors(_ limit: Int) -> [UInt32] {
    if shuffles, let round { return round.successors(limit, repeats: repeats) }
    guard let index = index(of: currentID) else { return [] }
    let end = repeats ? index + limit : min(index + limit, count - 1)
    return end > index ? (index + 1...end).map { ids[$0 % count] } : []
  }

  /// What Previous leads to; nil where there is nothing before the current track.
  public var predecessorID: UInt32? {
    if shuffles, let round { return round.predecessor(repeats: repeats) }
    guard let index = index(of: currentID) else { return nil }
    return index > 0 ? ids[index - 1] : repeats ? ids.last : nil
  }

  // MARK: The list

  /// Puts a track into the list; the first one becomes the current one.
  /// - Parameter predecessor: the id of the track before it; 0 for the front.
  /// - Returns: its id.
  public mutating func insert(_ track: PlaylistTrack, after predecessor: UInt32) throws(PlaylistError) -> UInt32 {
    guard predecessor == 0 || contents.tracks[predecessor] != nil else { throw .idNotFound }
    guard count < Self.maximumCount, contents.bytes + track.bytes <= Self.maximumBytes, contents.lastID < .max else {
      throw .full
    }
    let id = contents.lastID + 1
    change(.insert(id: id, after: predecessor, track))
    token &+= 1
    if count == 1 {
      become(id)
    } else {
      round?.insert(id)
    }
    return id
  }

  /// Takes a track out of the list. If it is the current one, the one that was to follow takes its place.
  public mutating func delete(_ id: UInt32) throws(PlaylistError) -> Move {
    guard contents.tracks[id] != nil else { throw .idNotFound }
    if count == 1 { return deleteAll() }
    var move = Move.none
    if id == currentID {
      // With repeat a list of one follows itself, and this is a list of more.
      if let successor = successorID {
        become(successor)
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
    round = shuffles ? makeRound() : nil
    return .empty
  }

  // MARK: The current track

  /// Makes a track the current one.
  public mutating func select(_ id: UInt32) throws(PlaylistError) {
    guard contents.tracks[id] != nil else { throw .idNotFound }
    become(id)
  }

  /// Goes on to what follows the current track; at the end, back to the first.
  public mutating func moveToSuccessor() -> Move {
    guard count > 0 else { return .none }
    guard let successor = successorID else {
      rewind()
      return .end
    }
    become(successor)
    return .next
  }

  /// Goes back to what came before the current track, if anything did.
  public mutating func moveToPredecessor() {
    guard let predecessor = predecessorID else { return }
    if shuffles {
      round?.goBack(in: contents.ids)
      change(.current(predecessor))
    } else {
      become(predecessor)
    }
  }

  /// Makes the first track the current one, as after the last.
  private mutating func rewind() {
    if let first = ids.first, first != currentID { change(.current(first)) }
    round = shuffles ? makeRound() : nil
  }

  private mutating func become(_ id: UInt32) {
    if id != currentID { change(.current(id)) }
    round?.visit(id, in: contents.ids)
  }

  // MARK: The order

  public mutating func setRepeats(_ repeats: Bool) {
    if repeats != self.repeats { change(.repeats(repeats)) }
  }

  /// What was heard stays heard when shuffle is turned off and on again.
  public mutating func setShuffles(_ shuffles: Bool) {
    guard shuffles != self.shuffles else { return }
    change(.shuffles(shuffles))
    if shuffles, round == nil { round = makeRound() }
  }

  private mutating func makeRound() -> ShuffleRound {
    var generator = ShuffleRound.Generator(state: seed)
    seed = generator.next()
    return ShuffleRound(ids: ids, current: currentID, seed: seed)
  }

  // MARK: What is kept

  /// What has changed since the last call, to be kept.
  package mutating func takeChanges() -> [PlaylistChange] {
    defer { changes = [] }
    return changes
  }

  private mutating func change(_ change: PlaylistChange) {
    // All of them were checked: none is refused.
    if contents.apply(change) { changes.append(change) }
  }
}
