import Testing

@testable import Page

struct CompanionTableTests {
  private static let start = CompanionTable.Instant.now
  private static let day = 24 * 3600
  private static let page = LaunchRequest(url: "/companion", session: "7")
  private static let other = LaunchRequest(url: "/", session: "8")

  private static func at(_ seconds: Int) -> CompanionTable.Instant { start + .seconds(seconds) }

  private static func key(_ number: Int) throws -> TokenKey { try #require(TokenKey(of: "token \(number)")) }

  /// An event of a phone at a time in seconds.
  enum Step: Sendable {
    case enters(Int, for: Int)
    case leaves(Int)
    case connects(Int)
    case disconnects(Int)
    case isUsed(Int)
  }

  /// Whether a registered phone is in reach, and known, at times after these steps.
  @Test(
    arguments: [
      ([], [(0, false, true), (30 * day - 1, false, true), (30 * day, false, false)]),
      ([.isUsed(day)], [(31 * day - 1, false, true), (31 * day, false, false)]),
      // Reach ends after its time or by leaving. A new report replaces the time.
      ([.enters(0, for: 60)], [(0, true, true), (59, true, true), (60, false, true)]),
      ([.enters(0, for: 60), .leaves(10)], [(10, false, true)]),
      ([.enters(0, for: 60), .enters(50, for: 100)], [(149, true, true), (150, false, true)]),
      ([.enters(0, for: 600), .enters(50, for: 60)], [(109, true, true), (110, false, true)]),
      // A sign of life restarts the time in reach.
      ([.enters(0, for: 60), .isUsed(50)], [(109, true, true), (110, false, true)]),
      // An open stream keeps the phone in reach and known.
      ([.enters(0, for: 60), .connects(10)], [(1000, true, true), (31 * day, true, true)]),
      ([.connects(0), .enters(10, for: 60), .disconnects(500)], [(559, true, true), (560, false, true)]),
      ([.enters(0, for: 60), .connects(10), .connects(20), .disconnects(30)], [(1000, true, true)]),
      ([.connects(0), .leaves(10)], [(10, false, true)]),
      // The phone is out of reach before its stream opens.
      ([.enters(0, for: 60), .connects(60)], [(60, false, true)]),
      ([.disconnects(0)], [(0, false, true)]),
    ] as [([Step], [(Int, Bool, Bool)])])
  func reachAndLifeEnd(steps: [Step], expected: [(second: Int, isInReach: Bool, isKnown: Bool)]) throws {
    var table = CompanionTable()
    let id = try #require(table.register(name: "A", key: try Self.key(1), now: Self.start))
    for step in steps {
      switch step {
      case .enters(let second, let seconds): table.enter(id, for: .seconds(seconds), now: Self.at(second))
      case .leaves: table.leave(id)
      case .connects(let second): _ = table.connected(id, now: Self.at(second))
      case .disconnects(let second): table.disconnected(id, now: Self.at(second))
      case .isUsed(let second): #expect(table.identify(try Self.key(1), now: Self.at(second)) == id)
      }
    }
    for (second, isInReach, isKnown) in expected {
      table.expire(now: Self.at(second))
      #expect((table.phones.first?.isInReach ?? false) == isInReach, "\(second)")
      #expect(!table.phones.isEmpty == isKnown, "\(second)")
    }
  }

  @Test func aTokenIsNeededAndIsNotShared() throws {
    var table = CompanionTable()
    let first = try #require(table.register(name: "A", key: try Self.key(1), now: Self.start))
    let second = try #require(table.register(name: "A", key: try Self.key(2), now: Self.start))
    #expect(first != second)
    #expect(table.identify(try Self.key(1), now: Self.start) == first)
    #expect(table.identify(try Self.key(2), now: Self.start) == second)
    #expect(table.identify(try Self.key(3), now: Self.start) == nil)
    table.forget(first)
    #expect(table.identify(try Self.key(1), now: Self.start) == nil)
    #expect(table.identify(try Self.key(2), now: Self.start) == second)
  }

  /// In a full table, a new phone replaces the one that was silent longest, if that was at least a day.
  @Test(
    arguments: [
      (day - 1, [], nil), (day, [], 2), (day, [.connects(10)], 3), (2 * day, [.isUsed(10)], 3),
      (day, [.enters(10, for: 2 * day)], 3), (day, [.enters(0, for: 60)], 2),
    ] as [(Int, [Step], Int?)])
  func aFullTableKeepsPhonesInUse(second: Int, steps: [Step], displaced: Int?) throws {
    var table = CompanionTable()
    for number in 1...CompanionTable.maximumPhones {
      // The first phone is younger. All others have the same age, so that their order decides.
      let now = number == 1 ? Self.at(60) : Self.start
      #expect(table.register(name: "\(number)", key: try Self.key(number), now: now) == number)
    }
    for step in steps {
      switch step {
      case .connects(let second): _ = table.connected(2, now: Self.at(second))
      case .enters(let second, let seconds): table.enter(2, for: .seconds(seconds), now: Self.at(second))
      case .isUsed(let second): _ = table.identify(try Self.key(2), now: Self.at(second))
      case .leaves, .disconnects: break
      }
    }
    let new = table.register(name: "new", key: try Self.key(100), now: Self.at(second))
    #expect((new == nil) == (displaced == nil))
    let missing = (1...CompanionTable.maximumPhones).filter { id in !table.phones.contains { $0.id == id } }
    #expect(missing == [displaced].compactMap(\.self))
    #expect(table.phones.count == CompanionTable.maximumPhones)
  }

  @Test func aLaunchReachesThoseInReach() throws {
    var table = CompanionTable()
    for number in 1...4 { _ = table.register(name: "\(number)", key: try Self.key(number), now: Self.start) }
    for id in 1...3 { table.enter(id, for: .seconds(600), now: Self.start) }
    for id in [1, 4] { #expect(table.connected(id, now: Self.start) == nil) }
    #expect(table.launch(Self.page, to: nil, now: Self.start) == .init(delivered: [1], waiting: [2, 3]))
    #expect(table.launch(Self.other, to: [3, 4, 9], now: Self.start) == .init(delivered: [], waiting: [3]))
    // Each phone gets the launch once; a later request replaces a waiting one.
    #expect(table.connected(2, now: Self.at(59)) == Self.page)
    #expect(table.connected(2, now: Self.at(59)) == nil)
    #expect(table.connected(3, now: Self.at(59)) == Self.other)
  }

  /// A waiting launch is dropped after its time, and when the phone leaves.
  @Test func aLaunchDoesNotWaitForEver() throws {
    var table = CompanionTable()
    for number in 1...2 { _ = table.register(name: "\(number)", key: try Self.key(number), now: Self.start) }
    for id in 1...2 { table.enter(id, for: .seconds(600), now: Self.start) }
    _ = table.launch(Self.page, to: nil, now: Self.start)
    table.leave(2)
    table.enter(2, for: .seconds(600), now: Self.at(1))
    #expect(table.connected(2, now: Self.at(1)) == nil)
    #expect(table.connected(1, now: Self.at(60)) == nil)
  }

  @Test func phonesSurviveARestartWithTheirAge() throws {
    var table = CompanionTable()
    _ = table.register(name: "old", key: try Self.key(1), now: Self.start)
    _ = table.register(name: "new", key: try Self.key(2), now: Self.at(20 * Self.day))
    _ = table.register(name: "open", key: try Self.key(3), now: Self.start)
    _ = table.connected(3, now: Self.start)
    table.enter(2, for: .seconds(600), now: Self.at(20 * Self.day))
    let saved = table.saved(now: Self.at(25 * Self.day))
    #expect(saved.map(\.idle) == [.seconds(25 * Self.day), .seconds(5 * Self.day), .zero])

    var next = CompanionTable(saved, now: Self.start)
    #expect(next.phones.map(\.name) == ["old", "new", "open"])
    #expect(next.phones.allSatisfy { !$0.isInReach && !$0.isConnected })
    #expect(next.register(name: "newest", key: try Self.key(4), now: Self.start) == 4)
    #expect(next.identify(try Self.key(2), now: Self.start) == 2)
    next.expire(now: Self.at(5 * Self.day))
    #expect(next.phones.map(\.name) == ["new", "open", "newest"])
  }

  @Test func theNextAlarmIsTheFirstToLeave() throws {
    var table = CompanionTable()
    for number in 1...3 { _ = table.register(name: "\(number)", key: try Self.key(number), now: Self.start) }
    #expect(table.nextDue == nil)
    table.enter(1, for: .seconds(100), now: Self.start)
    table.enter(2, for: .seconds(60), now: Self.start)
    #expect(table.nextDue == Self.at(60))
    _ = table.connected(2, now: Self.start)
    #expect(table.nextDue == Self.at(100))
  }
}
