import Testing

@testable import PlaybackModel

/// Joins: the sources that the feeder has moved on to, and when they are heard.
extension LineupTests {
  // MARK: Joins

  static func describe(_ join: Lineup<Source>.Join) -> String {
    switch join {
    case .none: "none"
    case .later(let remaining): "later \(remaining.map(String.init) ?? "?")"
    case .heard(let source, let former, let remaining):
      "\(source.id) after \(former?.id ?? 0) in \(remaining.map(String.init) ?? "?")"
    }
  }

  @Test func joinsAreReportedWhenTheyAreHeard() {
    var lineup = Self.lineup(5, opened: 3, joined: 2)
    #expect(lineup.fed?.id == 30)
    var reports: [String] = []
    func look(at time: Int64) { reports.append(Self.describe(lineup.nextJoin(at: time, isForced: false))) }
    look(at: 0)
    let isNews = lineup.joined(20, at: 1_000)
    #expect(isNews)
    let isSecondNews = lineup.joined(30, at: 3_000)
    #expect(isSecondNews)
    let isUnknownNews = lineup.joined(40, at: 5_000)
    #expect(!isUnknownNews)
    look(at: 400)
    look(at: 1_000)
    look(at: 1_000)
    look(at: 3_500)
    look(at: 9_000)
    #expect(reports == ["later ?", "later 600", "20 after 10 in 0", "later 2000", "30 after 20 in -500", "none"])
    #expect(lineup.current?.id == 30 && lineup.fed?.id == 30)
  }

  @Test func aFollowerWithoutSoundIsOverWhenTheNextBegins() {
    var lineup = Self.lineup(4, opened: 3, joined: 2)
    _ = lineup.joined(30, at: 2_000)
    let first = Self.describe(lineup.nextJoin(at: 1_500, isForced: false))
    #expect(first == "later 500")
    let second = Self.describe(lineup.nextJoin(at: 2_000, isForced: false))
    #expect(second == "20 after 10 in 0")
    let third = Self.describe(lineup.nextJoin(at: 2_000, isForced: false))
    #expect(third == "30 after 20 in 0")
  }

  @Test func atTheEndEveryJoinIsReported() {
    var lineup = Self.lineup(3, opened: 2, joined: 2)
    _ = lineup.joined(20, at: 9_000)
    let first = Self.describe(lineup.nextJoin(at: 0, isForced: true))
    #expect(first == "20 after 10 in 9000")
    let second = Self.describe(lineup.nextJoin(at: 0, isForced: true))
    #expect(second == "30 after 20 in ?")
    let third = Self.describe(lineup.nextJoin(at: 0, isForced: true))
    #expect(third == "none")
  }

  @Test(arguments: [
    // Length in milliseconds, whether a track follows, whether it was joined, and whether it is reported at once.
    (400, false, true, true), (500, false, true, false), (400, true, true, false), (400, false, false, false),
  ]) func theLastTrackIsReportedEarlyIfItIsShort(_ length: Int, isFollowed: Bool, isJoined: Bool, isEarly: Bool) {
    var lineup = Self.lineup(isFollowed ? 3 : 2, opened: 1, joined: 1) { $0[1].length = .milliseconds(length) }
    if isJoined { _ = lineup.joined(20, at: 1_000) }
    let join = Self.describe(lineup.nextJoin(at: 0, isForced: false))
    #expect(join == (isEarly ? "20 after 10 in 1000" : isJoined ? "later 1000" : "later ?"))
  }

  @Test func aShortTrackIsNotReportedEarlyWhileMoreOfItComes() {
    var lineup = Self.lineup(2, opened: 1, joined: 1) { sources in
      sources[1].length = .milliseconds(400)
      sources[1].isComplete = false
    }
    _ = lineup.joined(20, at: 1_000)
    let join = Self.describe(lineup.nextJoin(at: 0, isForced: false))
    #expect(join == "later 1000")
  }

  @Test(arguments: [0, 1]) func theContinuationTakesThePlaceOfTheFedSource(joined: Int) {
    var lineup = Self.lineup(3, opened: 1, joined: joined)
    let broken = lineup.fed?.id
    if joined > 0 { _ = lineup.joined(20, at: 1_000) }
    lineup.setContinuation(Source(99, joined + 1))
    guard case .continuation(let source, let former) = lineup.adopt(99) else {
      Issue.record("the continuation was not adopted")
      return
    }
    #expect(source.id == 99 && former?.id == broken)
    #expect(lineup.continuation == nil)
    #expect(lineup.fed?.id == 99)
    #expect(lineup.current?.id == (joined == 0 ? 99 : 10))
    // The first samples of the track were sent by the source that broke off.
    _ = lineup.joined(99, at: 5_000)
    if joined > 0 {
      let join = Self.describe(lineup.nextJoin(at: 400, isForced: false))
      #expect(join == "later 600")
    }
  }

  @Test(arguments: [nil, 10, 50, 77]) func onlyTheFollowerIsAdopted(_ id: Int?) {
    var lineup = Self.lineup(4, opened: 2)
    guard case .none = lineup.adopt(id) else {
      Issue.record("adopted")
      return
    }
    #expect(lineup.fed?.id == 10)
  }
}
