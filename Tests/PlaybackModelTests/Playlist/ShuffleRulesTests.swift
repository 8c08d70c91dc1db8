import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// When a shuffle round starts and with which track. Every round plays every track once.
@Suite struct ShuffleRulesTests {
  enum Step {
    case shuffle(Bool)
    /// Inserts this many tracks, one after the other.
    case insert(Int)
    case play
    /// Plays the track at an index.
    case seekIndex(Int)
    /// Plays the current track and its successors to the end of the list.
    case playToEnd
    case deleteAll
    /// Moves this many tracks on.
    case next(Int)
  }

  enum Start {
    case any
    case first
    /// The track that was current before the last step.
    case current
    /// The track at an index.
    case index(Int)
  }

  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
    /// The current track after the steps.
    let start: Start

    init(_ name: String, _ steps: [Step], startsWith start: Start) {
      testDescription = name
      self.steps = steps
      self.start = start
    }
  }

  static let rules = [
    Rule("a new shuffled list", [.shuffle(true), .insert(6)], startsWith: .any),
    Rule("a new list, shuffled before it plays", [.insert(6), .shuffle(true)], startsWith: .any),
    Rule("shuffle turned off before it plays", [.insert(6), .shuffle(true), .shuffle(false)], startsWith: .first),
    Rule("emptied and filled again", [.shuffle(true), .insert(4), .next(2), .deleteAll, .insert(6)], startsWith: .any),
    Rule("after the end", [.shuffle(true), .insert(6), .playToEnd], startsWith: .any),
    Rule("the third track of a new shuffled list", [.shuffle(true), .insert(6), .seekIndex(2)], startsWith: .index(2)),
    Rule("the first track of a new shuffled list", [.shuffle(true), .insert(6), .seekIndex(0)], startsWith: .index(0)),
    Rule(
      "the third track after the end", [.shuffle(true), .insert(6), .playToEnd, .seekIndex(2)], startsWith: .index(2)),
    Rule("on while it plays", [.insert(6), .next(3), .shuffle(true)], startsWith: .current),
    Rule("on while the first track plays", [.insert(6), .play, .shuffle(true)], startsWith: .current),
    Rule(
      "off and on again midway", [.shuffle(true), .insert(6), .next(3), .shuffle(false), .shuffle(true)],
      startsWith: .current),
    Rule(
      "more tracks while the first one plays", [.shuffle(true), .insert(3), .play, .insert(3)], startsWith: .current),
  ]

  @Test(arguments: rules) func roundPlaysEveryTrackOnce(_ rule: Rule) throws {
    var starts: Set<Int> = []
    for seed in UInt64(0)..<200 {
      var list = Playlist(PlaylistContents(), seed: seed)
      var before: UInt32 = 0
      for step in rule.steps {
        before = list.currentID
        try perform(step, &list)
      }
      starts.insert(try #require(list.index(of: list.currentID)))
      if case .current = rule.start { #expect(list.currentID == before) }
      #expect(heardToEnd(&list).sorted() == list.ids.sorted(), "seed \(seed)")
    }
    switch rule.start {
    case .any: #expect(starts == Set(0..<6))
    case .first: #expect(starts == [0])
    case .index(let index): #expect(starts == [index])
    case .current: break
    }
  }

  /// A track chosen by hand within a round does not start another one.
  @Test func choiceMidwayStaysInTheRound() throws {
    for seed in UInt64(0)..<50 {
      var list = Playlist(PlaylistContents(), seed: seed)
      for step in [Step.shuffle(true), .insert(6), .next(2)] { try perform(step, &list) }
      let unheard = Set(list.successors(6))
      #expect(unheard.count == 3)
      let chosen = try #require(list.ids.first { !unheard.contains($0) && $0 != list.currentID })
      try list.select(chosen)
      #expect(Set(heardToEnd(&list)) == unheard.union([chosen]))
    }
  }

  private func perform(_ step: Step, _ list: inout Playlist) throws {
    switch step {
    case .shuffle(let isOn): list.setShuffles(isOn)
    case .insert(let count):
      for number in 0..<count { _ = try list.insert(NumberedPlaylist.track(number), after: list.ids.last ?? 0) }
    case .play: list.begin()
    case .seekIndex(let index): try list.select(try #require(list.id(at: index)))
    case .playToEnd: _ = heardToEnd(&list)
    case .deleteAll: _ = list.deleteAll()
    case .next(let count): for _ in 0..<count { _ = list.moveToSuccessor() }
    }
  }

  private func heardToEnd(_ list: inout Playlist) -> [UInt32] {
    list.begin()
    var heard = [list.currentID]
    while list.moveToSuccessor() == .next { heard.append(list.currentID) }
    return heard
  }
}
