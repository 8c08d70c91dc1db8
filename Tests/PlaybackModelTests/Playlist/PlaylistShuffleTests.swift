import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// Invariants of a shuffled list.
@Suite struct PlaylistShuffleTests {
  private func list(_ count: Int, seed: UInt64, repeats: Bool = false) throws -> Playlist {
    var list = Playlist(PlaylistContents(), seed: seed)
    list.setShuffles(true)
    list.setRepeats(repeats)
    for number in 0..<count { _ = try list.insert(NumberedPlaylist.track(number), after: UInt32(number)) }
    list.begin()
    return list
  }

  @Test(arguments: 0..<20) func everyTrackPlaysOnce(_ seed: Int) throws {
    var list = try list(30, seed: UInt64(seed))
    for _ in 0..<3 {
      var heard = [list.currentID]
      while list.moveToSuccessor() == .next { heard.append(list.currentID) }
      #expect(heard.count == 30)
      #expect(Set(heard) == Set(list.ids))
      #expect(heard != list.ids)
    }
  }

  @Test(arguments: 0..<20) func repeatStartsAnotherRoundWithAnotherTrack(_ seed: Int) throws {
    var list = try list(5, seed: UInt64(seed), repeats: true)
    var orders: Set<[UInt32]> = []
    for _ in 0..<40 {
      var heard = [list.currentID]
      for _ in 1..<5 {
        let move = list.moveToSuccessor()
        #expect(move == .next)
        heard.append(list.currentID)
      }
      #expect(Set(heard).count == 5)
      orders.insert(heard)
      #expect(list.successorID != list.currentID)
      let move = list.moveToSuccessor()
      #expect(move == .next)
    }
    #expect(orders.count > 10)
  }

  @Test func ordersDiffer() throws {
    // Tracks are inserted after shuffle was turned on.
    var first: [UInt32: Int] = [:]
    var following: [UInt32: Int] = [:]
    var last: [UInt32: Int] = [:]
    for seed in 0..<4000 {
      var list = try list(5, seed: UInt64(seed))
      first[list.currentID, default: 0] += 1
      following[try #require(list.successorID), default: 0] += 1
      var end: UInt32 = 0
      while list.moveToSuccessor() == .next { end = list.currentID }
      last[end, default: 0] += 1
    }
    for id in UInt32(1)...5 {
      #expect((700...900).contains(first[id] ?? 0))
      #expect((700...900).contains(following[id] ?? 0))
      #expect((700...900).contains(last[id] ?? 0))
    }
  }

  @Test(arguments: 0..<20) func previousAndNextMoveInHistory(_ seed: Int) throws {
    var list = try list(40, seed: UInt64(seed), repeats: seed % 2 == 0)
    var heard = [list.currentID]
    for step in 0..<30 {
      if step % 7 == 3 {
        try list.select(list.ids[step])
      } else {
        _ = list.moveToSuccessor()
      }
      if heard.last != list.currentID { heard.append(list.currentID) }
    }
    for id in heard.dropLast().reversed() {
      #expect(list.predecessorID == id)
      list.moveToPredecessor()
      #expect(list.currentID == id)
    }
    for id in heard.dropFirst() {
      #expect(list.successorID == id)
      let move = list.moveToSuccessor()
      #expect(move == .next)
      #expect(list.currentID == id)
    }
  }

  @Test func previousOfFirstTrackIsLastOnRepeat() throws {
    var list = try list(4, seed: 1)
    let first = list.currentID
    list.moveToPredecessor()
    #expect(list.currentID == first)
    list.setRepeats(true)
    let predecessor = try #require(list.predecessorID)
    #expect(predecessor != first)
    list.moveToPredecessor()
    #expect(list.currentID == predecessor)
    var heard: Set<UInt32> = [predecessor]
    for _ in 1..<4 {
      _ = list.moveToSuccessor()
      heard.insert(list.currentID)
    }
    #expect(heard.count == 4)
  }

  @Test func previousSkipsDeletedTracks() throws {
    var list = try list(5, seed: 2)
    let first = list.currentID
    _ = list.moveToSuccessor()
    let second = list.currentID
    try list.select(first)
    let move = try list.delete(second)
    #expect(move == .none)
    // The tracks around the deleted one are the same track, which appears once.
    #expect(list.predecessorID == nil)
    #expect(list.currentID == first)
  }

  @Test func currentTrackStartsTheRound() throws {
    var list = NumberedPlaylist.list(6, current: 4)
    list.setShuffles(true)
    var heard = [list.currentID]
    while list.moveToSuccessor() == .next { heard.append(list.currentID) }
    #expect(heard.first == 4)
    #expect(Set(heard).count == 6)
  }

  @Test func selectionAfterRoundStartsAnotherRound() throws {
    var list = try list(4, seed: 3)
    let first = list.currentID
    for _ in 1..<4 { _ = list.moveToSuccessor() }
    #expect(list.successorID == nil)
    try list.select(first)
    var heard: Set<UInt32> = [first]
    while list.moveToSuccessor() == .next { heard.insert(list.currentID) }
    #expect(heard.count == 4)
  }

  @Test func trackInsertedAfterRoundPlaysFirst() throws {
    var list = try list(4, seed: 4, repeats: true)
    for _ in 1..<4 { _ = list.moveToSuccessor() }
    let id = try list.insert(NumberedPlaylist.track(9), after: 1)
    #expect(list.successorID == id)
  }

  /// After any steps, the successor has not been heard while unheard tracks are left.
  @Test(arguments: 0..<60) func noTrackRepeatsBeforeAllHavePlayed(_ seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed))
    var list = try list(8, seed: UInt64(seed), repeats: seed % 2 == 0)
    /// Nil while shuffle is off.
    var heard: Set<UInt32>? = [list.currentID]
    func visit() {
      guard var tracks = heard, list.currentID > 0 else { return }
      if tracks.contains(list.currentID), tracks == Set(list.ids) { tracks = [] }
      tracks.insert(list.currentID)
      heard = tracks
    }
    for number in 0..<500 {
      let before = list.currentID
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<10:
        let unheard = Set(list.ids).subtracting(heard ?? [])
        switch list.moveToSuccessor() {
        case .end: heard = list.shuffles ? [list.currentID] : nil
        case .next:
          if list.shuffles {
            if !unheard.isEmpty { #expect(unheard.contains(list.currentID)) }
            if list.count > 1 { #expect(list.currentID != before) }
          }
          if list.currentID != before { visit() }
        case .none, .empty: #expect(list.count == 0)
        }
      case 10..<14:
        _ = try list.insert(NumberedPlaylist.track(number), after: list.ids.randomElement(using: &generator) ?? 0)
        if list.count == 1 { visit() }
      case 14..<16:
        guard let id = list.ids.randomElement(using: &generator) else { continue }
        heard?.remove(id)
        switch try list.delete(id) {
        case .none: break
        case .next: visit()
        case .end: heard = list.shuffles ? [list.currentID] : nil
        case .empty: heard = list.shuffles ? [] : nil
        }
      case 16..<18:
        guard let id = list.ids.randomElement(using: &generator) else { continue }
        try list.select(id)
        if id != before { visit() }
      case 18:
        list.setShuffles(!list.shuffles)
        heard = list.shuffles ? (list.currentID > 0 ? [list.currentID] : []) : nil
      default:
        if number % 50 == 0, list.count > 0 {
          _ = list.deleteAll()
          heard = list.shuffles ? [] : nil
        }
      }
      list.begin()
      #expect(list.count == 0 ? list.currentID == 0 : list.ids.contains(list.currentID))
      if let successor = list.successorID { #expect(list.ids.contains(successor)) }
      if let predecessor = list.predecessorID { #expect(list.ids.contains(predecessor)) }
      if list.repeats, list.count > 0 { #expect(list.successorID != nil) }
      let successors = list.successors(6)
      #expect(successors.first == list.successorID)
      var ahead = list
      for id in successors {
        let successor = ahead.successorID
        #expect(successor == id)
        _ = ahead.moveToSuccessor()
      }
    }
  }

  /// Edits do not change the successor, except that a new track may become it by chance.
  @Test(arguments: 0..<20) func editsKeepSuccessor(_ seed: Int) throws {
    var generator = SplitMix(state: UInt64(seed))
    var list = try list(10, seed: UInt64(seed), repeats: true)
    for number in 0..<200 {
      let successor = list.successorID
      if Bool.random(using: &generator), list.count > 3 {
        let id = try #require(list.ids.randomElement(using: &generator))
        guard id != list.currentID, id != successor else { continue }
        _ = try list.delete(id)
        #expect(list.successorID == successor)
      } else {
        let id = try list.insert(NumberedPlaylist.track(number), after: 0)
        #expect(list.successorID == successor || list.successorID == id)
      }
    }
  }
}
