import Testing

@testable import PlaybackModel

@Suite struct LineupTests {
  /// A source whose facts the tests set.
  final class Source: LineupSource {
    let id: Int
    let track: Track
    var isReady: Bool
    var isComplete: Bool
    var failure: PlaybackError?
    var held: HeldSound
    var length = Duration.seconds(4)

    init(_ id: Int, _ track: Int, isReady: Bool = true, isComplete: Bool = true, held: Duration = .seconds(1)) {
      self.id = id
      self.track = LineupTests.track(track)
      self.isReady = isReady
      self.isComplete = isComplete
      self.held = HeldSound(bytes: 1_000, duration: held)
    }
  }

  static func track(_ id: Int) -> Track { Track(id: id, uri: "http://server/\(id)") }
  static func tracks(_ ids: ClosedRange<Int>) -> [Track] { ids.map(track) }

  /// A lineup of tracks 1, 2, …, whose sources are 10, 20, …
  /// - Parameters:
  ///   - opened: number of followers with a source.
  ///   - joined: number of these that the feeder has moved on to.
  static func lineup(
    _ count: Int, opened: Int = 0, joined: Int = 0, change: ([Source]) -> Void = { _ in }
  ) -> Lineup<Source> {
    var lineup = Lineup<Source>()
    _ = lineup.start(track(1), fromBeginning: true)
    lineup.setCurrent(Source(10, 1))
    if count > 1 { _ = lineup.stage(tracks(2...count)) }
    for number in 0..<opened { lineup.opened(Source((number + 2) * 10, number + 2)) }
    if joined > 0 { _ = lineup.adopt((joined + 1) * 10) }
    change(lineup.sources)
    return lineup
  }

  static func toOpen(_ lineup: Lineup<Source>, bytes: Int = 1_000_000) -> Int? {
    lineup.trackToOpen(limit: .seconds(5), bytes: bytes)?.id
  }

  // MARK: Starting

  @Test(
    arguments: [
      // The source that was opened ahead is used. Those before it and the current one are discarded.
      (3, true, 30, [20, 10], [4]), (2, true, 20, [10], [3, 4]),
      // An unknown track, and a start at another position.
      (9, true, nil, [20, 30, 10], []), (2, false, nil, [10], [2, 3, 4]),
      // A track that was not opened yet.
      (4, true, nil, [20, 30, 10], []),
    ] as [(Int, Bool, Int?, [Int], [Int])])
  func aTrackThatStartsUsesTheSourceThatWasOpenedAhead(
    _ id: Int, fromBeginning: Bool, current: Int?, discarded: [Int], followers: [Int]
  ) {
    var lineup = Self.lineup(4, opened: 2)
    let discardedSources = lineup.start(Self.track(id), fromBeginning: fromBeginning)
    #expect(discardedSources.map(\.id) == discarded)
    #expect(lineup.current?.id == current)
    #expect(lineup.followers.map(\.id) == followers)
  }

  @Test func aStartDiscardsBufferedSourcesAndTheContinuation() {
    var lineup = Self.lineup(4, opened: 3, joined: 2)
    lineup.setContinuation(Source(31, 3))
    let discarded = lineup.start(Self.track(4), fromBeginning: true)
    #expect(discarded.map(\.id) == [31, 20, 30, 10])
    #expect(lineup.current?.id == 40)
    #expect(lineup.continuation == nil)
  }

  @Test func theEndKeepsAFollowerThatIsBeingOpened() {
    var lineup = Self.lineup(2, opened: 1)
    let discarded = lineup.endCurrent()
    #expect(discarded.map(\.id) == [10])
    let discardedNext = lineup.start(Self.track(2), fromBeginning: true)
    #expect(discardedNext.isEmpty)
    #expect(lineup.current?.id == 20)
  }

  @Test func allSourcesAreDiscarded() {
    var lineup = Self.lineup(4, opened: 2, joined: 1)
    lineup.setContinuation(Source(21, 2))
    let discarded = lineup.removeAll()
    #expect(discarded.map(\.id) == [10, 21, 20, 30])
    #expect(lineup.sources.isEmpty && lineup.followers.isEmpty)
  }

  @Test func aRecueDiscardsAllButTheCurrentTrack() {
    var lineup = Self.lineup(4, opened: 2, joined: 1)
    lineup.setContinuation(Source(21, 2))
    let discarded = lineup.removeFollowers()
    #expect(discarded.map(\.id) == [21, 20, 30])
    #expect(lineup.sources.map(\.id) == [10])
    #expect(lineup.followers.isEmpty)
  }

  // MARK: Staging

  struct Staging: CustomTestStringConvertible {
    let testDescription: String
    /// Number of the followers 2, 3, 4, 5 that the feeder has moved on to. The first three are opened.
    var joined = 0
    let tracks: [Int]
    /// The sources that the feeder may take before the new list is staged.
    let following: [Int]
    var recues = false
    let discarded: [Int]
    let followers: [Int]
  }

  static let stagings: [Staging] = [
    Staging(
      testDescription: "the same list changes nothing", tracks: [2, 3, 4, 5], following: [20, 30, 40],
      discarded: [], followers: [2, 3, 4, 5]),
    Staging(
      testDescription: "a longer list is added to", tracks: [2, 3, 4, 5, 6], following: [20, 30, 40], discarded: [],
      followers: [2, 3, 4, 5, 6]),
    Staging(
      testDescription: "the common beginning is kept", tracks: [2, 9, 4, 5], following: [20], discarded: [30, 40],
      followers: [2, 9, 4, 5]),
    Staging(
      testDescription: "a list is cut short", tracks: [2], following: [20], discarded: [30, 40], followers: [2]),
    Staging(
      testDescription: "no list", tracks: [], following: [], discarded: [20, 30, 40], followers: []),
    Staging(
      testDescription: "tracks up to the one that is heard count for nothing", tracks: [0, 1, 2, 3],
      following: [20, 30], discarded: [40], followers: [2, 3]),
    Staging(
      testDescription: "a joined follower that stays", joined: 1, tracks: [2, 3, 9], following: [30],
      discarded: [40], followers: [2, 3, 9]),
    Staging(
      testDescription: "a joined follower that is another one", joined: 1, tracks: [9, 3], following: [],
      recues: true, discarded: [30, 40], followers: [2, 9, 3]),
    Staging(
      testDescription: "the second of two joined ones is another", joined: 2, tracks: [2, 9], following: [],
      recues: true, discarded: [40], followers: [2, 3, 9]),
    Staging(
      testDescription: "a joined follower that is not wanted any more", joined: 1, tracks: [], following: [],
      recues: true, discarded: [30, 40], followers: [2]),
  ]

  /// `followers` are those without a recue: a track that is not seekable keeps a wrong follower that has joined.
  @Test(arguments: stagings) func aNewListKeepsWhatItHasInCommon(_ staging: Staging) {
    var lineup = Self.lineup(5, opened: 3, joined: staging.joined)
    let tracks = staging.tracks.map(Self.track)
    #expect(lineup.following(agreeingWith: tracks)?.map(\.id) == staging.following)
    #expect(lineup.hasJoinedOther(than: tracks) == staging.recues)
    let discarded = lineup.stage(tracks)
    #expect(discarded.map(\.id) == staging.discarded)
    #expect(lineup.followers.map(\.id) == staging.followers)
  }

  @Test func afterARecueTheWholeListIsStagedAnew() {
    var lineup = Self.lineup(5, opened: 3, joined: 1)
    _ = lineup.removeFollowers()
    let discarded = lineup.stage([Self.track(9), Self.track(3)])
    #expect(discarded.isEmpty)
    #expect(lineup.followers.map(\.id) == [9, 3])
    #expect(Self.toOpen(lineup) == 9)
  }

  @Test func theFeederKeepsItsContinuationWhileAListIsStaged() {
    var lineup = Self.lineup(2, opened: 1)
    lineup.setContinuation(Source(11, 1))
    #expect(lineup.following(agreeingWith: []) == nil)
  }

  // MARK: Opening ahead

  static let openings: [(what: String, opened: Int, change: @Sendable ([Source]) -> Void, expected: Int?)] = [
    ("all is in memory", 0, { _ in }, 2),
    ("the current one is not", 0, { $0[0].isComplete = false }, nil),
    ("the current one failed", 0, { $0[0].failure = .truncated }, nil),
    ("so is the first follower", 1, { _ in }, 3),
    ("the first follower is not", 1, { $0[1].isComplete = false }, nil),
    ("the first follower failed", 1, { $0[1].failure = .truncated }, nil),
    ("they hold enough", 2, { $0[2].held.duration = .seconds(4) }, nil),
    ("they hold hardly enough", 2, { $0[2].held.duration = .milliseconds(3_999) }, 4),
    ("the memory is full", 2, { $0[1].held.bytes = 999_000 }, nil),
    ("no follower is left", 4, { for source in $0 { source.held.duration = .zero } }, nil),
  ]

  @Test func aFollowerIsOpenedOnceAllBeforeItIsInMemory() {
    for (what, opened, change, expected) in Self.openings {
      #expect(Self.toOpen(Self.lineup(5, opened: opened, change: change)) == expected, "\(what)")
    }
  }

  @Test func nothingIsOpenedAheadWhileAContinuationComes() {
    var lineup = Self.lineup(2)
    lineup.setContinuation(Source(11, 1))
    #expect(Self.toOpen(lineup) == nil)
  }

  @Test func aFollowerThatCannotBeOpenedIsLeftUntilItsTurn() {
    var lineup = Self.lineup(4, opened: 1)
    lineup.opened(nil)
    #expect(Self.toOpen(lineup) == nil)
    #expect(lineup.readyFollowers?.map(\.id) == [20])
    let discarded = lineup.start(Self.track(3), fromBeginning: true)
    #expect(discarded.map(\.id) == [20, 10])
    #expect(lineup.current == nil)
  }

  @Test(arguments: [true, false]) func aFollowerIsWithdrawn(hasFailed: Bool) {
    var lineup = Self.lineup(4, opened: 3)
    let source = lineup.stagedSources[1]
    #expect(lineup.following(before: source)?.map(\.id) == [20])
    let isWithdrawn = lineup.withdraw(source, hasFailed: hasFailed)
    #expect(isWithdrawn)
    #expect(lineup.followers.map(\.id) == [2, 3, 4])
    #expect(lineup.readyFollowers?.map(\.id) == [20])
    #expect(Self.toOpen(lineup) == (hasFailed ? nil : 3))
  }

  @Test func aSourceThatIsFedIsNotWithdrawn() {
    var lineup = Self.lineup(3, opened: 2)
    let source = lineup.stagedSources[0]
    _ = lineup.adopt(20)
    let isWithdrawn = lineup.withdraw(source, hasFailed: true)
    #expect(!isWithdrawn)
    #expect(lineup.following(before: source) == nil)
  }

  // MARK: What the feeder may take

  static let ready: [(what: String, change: @Sendable ([Source]) -> Void, expected: [Int]?)] = [
    ("all are ready", { _ in }, [20, 30, 40]),
    ("only those before one that is not", { $0[2].isReady = false }, [20]),
    ("none after a track that failed", { $0[0].failure = .damaged }, nil),
  ]

  @Test func theFeederMayTakeReadyFollowers() {
    for (what, change, expected) in Self.ready {
      #expect(Self.lineup(5, opened: 3, change: change).readyFollowers?.map(\.id) == expected, "\(what)")
    }
  }

  @Test func theContinuationComesBeforeTheFollowers() {
    var lineup = Self.lineup(2, opened: 1) { $0[0].failure = .truncated }
    let continuation = Source(11, 1, isReady: false)
    lineup.setContinuation(continuation)
    #expect(lineup.readyFollowers == nil)
    continuation.isReady = true
    #expect(lineup.readyFollowers?.map(\.id) == [11])
    let discarded = lineup.removeContinuation()
    #expect(discarded.map(\.id) == [11])
    #expect(lineup.readyFollowers == nil)
  }

  static let waits: [(what: String, opened: Int, change: @Sendable ([Source]) -> Void, awaits: Bool)] = [
    ("a short track waits for the next", 0, { $0[0].held.duration = .milliseconds(100) }, true),
    ("a long one does not", 0, { _ in }, false),
    (
      "nor one of which more comes", 0,
      {
        $0[0].held.duration = .zero
        $0[0].isComplete = false
      }, false
    ),
    (
      "nor one that broke off", 0,
      {
        $0[0].held.duration = .zero
        $0[0].failure = .truncated
      }, false
    ),
    (
      "the next is not ready", 1,
      {
        $0[0].held.duration = .zero
        $0[1].isReady = false
      }, true
    ),
    ("the next is long enough", 1, { $0[0].held.duration = .zero }, false),
    ("the next is short as well", 1, { for source in $0 { source.held.duration = .milliseconds(100) } }, true),
  ]

  @Test func aShortTrackBeginsWithWhatFollows() {
    for (what, opened, change, awaits) in Self.waits {
      let lineup = Self.lineup(3, opened: opened, change: change)
      #expect(lineup.awaitsFollowers(until: .milliseconds(400)) == awaits, "\(what)")
    }
  }

  @Test func aFollowerThatFailedIsNotAwaited() {
    var lineup = Self.lineup(2) { $0[0].held.duration = .zero }
    lineup.opened(nil)
    #expect(!lineup.awaitsFollowers(until: .milliseconds(400)))
  }

  @Test(arguments: [
    ([], true), (["http://server/x"], true), (["http://server/x", "http://other/x"], false), (["file:///x"], false),
  ]) func aTrackOnAnotherServerEndsTheWait(_ addresses: [String], staysOnServer: Bool) {
    var lineup = Self.lineup(1)
    _ = lineup.stage(addresses.enumerated().map { Track(id: 2 + $0, uri: $1) })
    #expect(lineup.staysOnServer == staysOnServer)
  }
}
