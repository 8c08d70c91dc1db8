import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// Moving tracks, and putting deleted ones back.
@Suite struct PlaylistEditsTests {
  private static let moves: [(ids: [UInt32], after: UInt32, result: [UInt32])] = [
    ([1], 2, [2, 1, 3, 4]), ([4], 0, [4, 1, 2, 3]), ([3, 1], 4, [2, 4, 3, 1]), ([2, 4], 0, [2, 4, 1, 3]),
    ([1], 4, [2, 3, 4, 1]), ([4, 3, 2, 1], 0, [4, 3, 2, 1]),
  ]

  @Test(arguments: moves) func moveKeepsIDsAndCurrent(ids: [UInt32], after: UInt32, result: [UInt32]) throws {
    var list = NumberedPlaylist.list(4, current: 2)
    let token = list.token
    _ = list.takeChanges()
    try list.move(ids, after: after)
    #expect(list.ids == result)
    #expect(list.currentID == 2)
    #expect(list.token != token)
    #expect(list.takeChanges() == [.move(ids: ids, after: after)])
    for id in list.ids { #expect(list.track(id) == NumberedPlaylist.track(Int(id) - 1)) }
  }

  @Test(arguments: [([], 0), ([2], 1), ([1, 2, 3, 4], 0), ([3, 4], 2)] as [([UInt32], UInt32)])
  func aMoveToTheSamePlaceChangesNothing(ids: [UInt32], after: UInt32) throws {
    var list = NumberedPlaylist.list(4)
    let token = list.token
    _ = list.takeChanges()
    try list.move(ids, after: after)
    #expect(list.token == token)
    #expect(list.takeChanges() == [])
  }

  @Test(arguments: [([5], 0), ([1], 5), ([1], 1), ([1, 1], 2)] as [([UInt32], UInt32)])
  func invalidMovesAreRefused(ids: [UInt32], after: UInt32) {
    var list = NumberedPlaylist.list(4)
    #expect(throws: PlaylistError.idNotFound) { try list.move(ids, after: after) }
    #expect(list.ids == [1, 2, 3, 4])
  }

  /// The order of a shuffled list does not depend on the places of its tracks.
  @Test func moveKeepsTheShuffleOrder() throws {
    var list = NumberedPlaylist.list(20)
    list.setShuffles(true)
    let successors = list.successors(19)
    try list.move([20, 3, 7], after: 0)
    #expect(list.successors(19) == successors)
  }

  @Test(
    arguments: [
      [1], [2], [3], [1, 2], [2, 3], [1, 3], [1, 2, 3],
    ] as [[UInt32]])
  func restoreUndoesADeletion(ids: [UInt32]) throws {
    var list = NumberedPlaylist.list(3, current: 2)
    let before = list
    let deleted = list.deletable(ids)
    for id in ids { _ = try list.delete(id) }
    let current = list.currentID
    try list.restore(deleted)
    #expect(list.ids == before.ids)
    for id in ids { #expect(list.track(id) == before.track(id)) }
    // The current track stays. If the list was empty, its former current track is current again.
    #expect(list.currentID == (current == 0 ? 2 : current))
    try list.restore(deleted)
    #expect(list.ids == before.ids)
  }

  @Test func restoreNeedsRoom() throws {
    var list = NumberedPlaylist.list(Playlist.maximumCount)
    let deleted = list.deletable([7, 8])
    for entry in deleted { _ = try list.delete(entry.id) }
    _ = try list.insert(NumberedPlaylist.track(1), after: 0)
    #expect(throws: PlaylistError.full) { try list.restore(deleted) }
    #expect(list.count == Playlist.maximumCount - 1)
  }

  @Test(arguments: 0..<10) func tracksCanComeNextInAShuffledList(_ seed: Int) throws {
    var list = Playlist(PlaylistContents(), seed: UInt64(seed))
    list.setShuffles(true)
    for number in 0..<20 { _ = try list.insert(NumberedPlaylist.track(number), after: 0) }
    _ = list.moveToSuccessor()
    let chosen = list.ids.filter { $0 != list.currentID }.suffix(3)
    list.bringForward(Array(chosen))
    #expect(list.successors(3) == Array(chosen))
    var heard = Set([list.currentID])
    while list.moveToSuccessor() == .next { heard.insert(list.currentID) }
    #expect(heard.count >= 19)
  }
}
