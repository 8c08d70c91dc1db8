import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct PlaylistTests {
  @Test func emptyListHasNoTracks() {
    let list = Playlist()
    #expect(list.ids == [])
    #expect(list.currentID == 0)
    #expect(list.successorID == nil)
    #expect(list.predecessorID == nil)
    #expect(list.idArray == [])
    #expect(list.id(at: 0) == nil)
    #expect(list.index(of: 0) == nil)
  }

  private static let insertions: [(after: UInt32, ids: [UInt32])] = [
    (0, [4, 1, 2, 3]), (1, [1, 4, 2, 3]), (2, [1, 2, 4, 3]), (3, [1, 2, 3, 4]),
  ]

  @Test(arguments: insertions) func insertsAfterIDOrAtFront(after: UInt32, ids: [UInt32]) throws {
    var list = NumberedPlaylist.list(3, current: 2)
    let token = list.token
    let id = try list.insert(NumberedPlaylist.track(9), after: after)
    #expect(id == 4)
    #expect(list.ids == ids)
    #expect(list.token != token)
    #expect(list.currentID == 2)
    #expect(list.track(4) == NumberedPlaylist.track(9))
    #expect(list.index(of: 4) == ids.firstIndex(of: 4))
    #expect(list.id(at: 0) == ids[0])
    #expect(list.idArray == ids.flatMap { [0, 0, 0, UInt8($0)] })
  }

  @Test func firstTrackBecomesCurrent() throws {
    var list = Playlist()
    let first = try list.insert(NumberedPlaylist.track(1), after: 0)
    #expect(first == 1)
    #expect(list.currentID == 1)
    let second = try list.insert(NumberedPlaylist.track(2), after: 0)
    #expect(second == 2)
    #expect(list.currentID == 1)
  }

  @Test func idsAreNeverReused() throws {
    var list = NumberedPlaylist.list(2)
    _ = try list.delete(2)
    let third = try list.insert(NumberedPlaylist.track(1), after: 1)
    #expect(third == 3)
    let move = list.deleteAll()
    #expect(move == .empty)
    let fourth = try list.insert(NumberedPlaylist.track(1), after: 0)
    #expect(fourth == 4)
  }

  @Test func refusesInvalidCommands() throws {
    var list = NumberedPlaylist.list(2)
    let before = (list.ids, list.token, list.currentID)
    #expect(throws: PlaylistError.idNotFound) { try list.insert(NumberedPlaylist.track(1), after: 3) }
    #expect(throws: PlaylistError.idNotFound) { try list.delete(0) }
    #expect(throws: PlaylistError.idNotFound) { try list.delete(7) }
    #expect(throws: PlaylistError.idNotFound) { try list.select(0) }
    #expect(throws: PlaylistError.idNotFound) { try list.select(3) }
    #expect((list.ids, list.token, list.currentID) == before)
    #expect(list.id(at: -1) == nil)
    #expect(list.id(at: 2) == nil)
  }

  @Test func limitsTracks() throws {
    var list = NumberedPlaylist.list(Playlist.maximumCount)
    #expect(list.count == 16_384)
    #expect(throws: PlaylistError.full) { try list.insert(NumberedPlaylist.track(1), after: 0) }
    _ = try list.delete(100)
    let id = try list.insert(NumberedPlaylist.track(1), after: 0)
    #expect(id == 16_385)
  }

  @Test func limitsBytes() throws {
    let large = PlaylistTrack(uri: "u", metadata: String(repeating: "m", count: (16 << 20) - 1))
    var list = Playlist()
    for _ in 0..<8 { _ = try list.insert(large, after: 0) }
    #expect(throws: PlaylistError.full) { try list.insert(NumberedPlaylist.track(1), after: 0) }
    _ = try list.delete(8)
    _ = try list.insert(NumberedPlaylist.track(1), after: 0)
  }

  @Test func keepsTextByteForByte() throws {
    let text = "e\u{301} é\r\n\u{0}&amp; 🎵"
    var list = Playlist()
    let id = try list.insert(PlaylistTrack(uri: text, metadata: text + text), after: 0)
    #expect(list.track(id).map { Array($0.uri.utf8) } == Array(text.utf8))
    #expect(list.track(id).map { Array($0.metadata.utf8) } == Array((text + text).utf8))
  }

  struct Step: Sendable {
    var current: UInt32
    var repeats: Bool
    var successor: UInt32?
    var predecessor: UInt32?
    /// The effect of Next: the move and the current id.
    var next: UInt32
    var move: Playlist.Move
    /// The current id after Previous.
    var previous: UInt32
  }

  /// Steps in a list of three tracks.
  @Test(arguments: [
    Step(current: 1, repeats: false, successor: 2, predecessor: nil, next: 2, move: .next, previous: 1),
    Step(current: 2, repeats: false, successor: 3, predecessor: 1, next: 3, move: .next, previous: 1),
    Step(current: 3, repeats: false, successor: nil, predecessor: 2, next: 1, move: .end, previous: 2),
    Step(current: 1, repeats: true, successor: 2, predecessor: 3, next: 2, move: .next, previous: 3),
    Step(current: 3, repeats: true, successor: 1, predecessor: 2, next: 1, move: .next, previous: 2),
  ])
  func nextAndPreviousMoveCurrent(_ step: Step) {
    let list = NumberedPlaylist.list(3, current: step.current, repeats: step.repeats)
    #expect(list.successorID == step.successor)
    #expect(list.predecessorID == step.predecessor)
    var forward = list
    let move = forward.moveToSuccessor()
    #expect(move == step.move)
    #expect(forward.currentID == step.next)
    #expect(forward.token == list.token)
    var backward = list
    backward.moveToPredecessor()
    #expect(backward.currentID == step.previous)
  }

  @Test func singleTrackFollowsItselfOnRepeat() {
    var list = NumberedPlaylist.list(1, repeats: true)
    #expect(list.successorID == 1)
    let next = list.moveToSuccessor()
    #expect(next == .next)
    list.setRepeats(false)
    #expect(list.successorID == nil)
    let end = list.moveToSuccessor()
    #expect(end == .end)
    #expect(list.currentID == 1)
  }

  @Test func successorsUpToLimit() {
    #expect(NumberedPlaylist.list(5, current: 2, repeats: false).successors(2) == [3, 4])
    #expect(NumberedPlaylist.list(5, current: 4, repeats: false).successors(9) == [5])
    #expect(NumberedPlaylist.list(5, current: 5, repeats: false).successors(9) == [])
    #expect(NumberedPlaylist.list(3, current: 2, repeats: true).successors(5) == [3, 1, 2, 3, 1])
    #expect(NumberedPlaylist.list(1, repeats: true).successors(3) == [1, 1, 1])
    #expect(Playlist().successors(3) == [])
  }

  @Test(arguments: [
    // (current, repeats, deleted, move, new current)
    (UInt32(2), false, UInt32(1), Playlist.Move.none, UInt32(2)), (2, false, 2, .next, 3), (3, false, 3, .end, 1),
    (3, true, 3, .next, 1), (1, false, 1, .next, 2),
  ])
  func successorReplacesDeletedCurrentTrack(
    current: UInt32, repeats: Bool, deleted: UInt32, move: Playlist.Move, then: UInt32
  ) throws {
    var list = NumberedPlaylist.list(3, current: current, repeats: repeats)
    let token = list.token
    let moved = try list.delete(deleted)
    #expect(moved == move)
    #expect(list.currentID == then)
    #expect(list.token != token)
    #expect(list.track(deleted) == nil)
    #expect(list.index(of: deleted) == nil)
  }

  @Test(arguments: [false, true])
  func deletingLastTrackEmptiesList(repeats: Bool) throws {
    var list = NumberedPlaylist.list(1, repeats: repeats)
    let move = try list.delete(1)
    #expect(move == .empty)
    #expect(list.currentID == 0)
    #expect(list.ids.isEmpty)
    let token = list.token
    let again = list.deleteAll()
    #expect(again == .none)
    #expect(list.token == token)
    let next = list.moveToSuccessor()
    #expect(next == .none)
  }

  /// Compares random edits with a plain array, and checks that applying the saved changes restores the list.
  @Test(arguments: 0..<20) func randomEditsAgreeWithArray(_ seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed))
    var list = Playlist()
    var kept = PlaylistContents()
    var (ids, tracks, current, lastID): ([UInt32], [UInt32: PlaylistTrack], UInt32, UInt32) = ([], [:], 0, 0)
    for number in 0..<600 {
      let index = ids.indices.randomElement(using: &generator)
      let token = list.token
      var isEdit = true
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<8:
        let place = Int.random(in: 0...ids.count, using: &generator)
        lastID += 1
        let id = try list.insert(NumberedPlaylist.track(number), after: place > 0 ? ids[place - 1] : 0)
        #expect(id == lastID)
        ids.insert(lastID, at: place)
        tracks[lastID] = NumberedPlaylist.track(number)
        if ids.count == 1 { current = lastID }
      case 8..<13:
        guard let index else { continue }
        let id = ids[index]
        _ = try list.delete(id)
        if id == current {
          current = ids.count == 1 ? 0 : index + 1 < ids.count ? ids[index + 1] : ids[0]
        }
        ids.remove(at: index)
        tracks[id] = nil
      case 13 where number % 7 == 0:
        isEdit = !ids.isEmpty
        _ = list.deleteAll()
        (ids, tracks, current) = ([], [:], 0)
      default:
        guard let index else { continue }
        isEdit = false
        if Bool.random(using: &generator) {
          try list.select(ids[index])
          current = ids[index]
        } else {
          _ = list.moveToSuccessor()
          let place = ids.firstIndex(of: current) ?? 0
          current = ids[(place + 1) % ids.count]
        }
      }
      for change in list.takeChanges() {
        let isApplied = kept.apply(change)
        #expect(isApplied)
      }
      #expect(list.ids == ids)
      #expect(list.currentID == current)
      #expect((list.token != token) == isEdit)
      if let probe = ids.randomElement(using: &generator) {
        #expect(list.track(probe) == tracks[probe])
        #expect(list.index(of: probe) == ids.firstIndex(of: probe))
      }
      #expect(kept.ids == ids)
      #expect(kept.currentID == current)
      #expect(kept.lastID == lastID)
      #expect(kept.bytes == tracks.values.reduce(0) { $0 + $1.bytes })
    }
    #expect(kept.tracks == tracks)
  }
}
