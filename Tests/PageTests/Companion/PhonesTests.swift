import Companion
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import DeviceStack
@testable import Page

/// The phones of a running speaker. The tests load silent phones from a saved state, so that they need not wait.
@Suite struct PhonesTests {
  /// Phones with their saved state and their reports. Used on one thread.
  private final class Testbed {
    let board = CompanionBoard()
    let eventLoop = EmbeddedEventLoop()
    let phones: Phones
    private let kept = Kept()

    /// - Parameter idle: how long each of the saved phones was silent; the tokens are “token 1” and so on.
    init(idle: [Duration] = []) throws {
      let saved = try idle.enumerated().map { index, idle in
        let key = try #require(TokenKey(of: "token \(index + 1)"))
        return SavedPhone(id: index + 1, name: "Phone \(index + 1)", key: key, idle: idle)
      }
      phones = Phones(
        PhoneStorage(saved: saved) { [kept] phones in kept.value.withLock { $0 = phones } }, board: board,
        eventLoop: eventLoop)
    }

    var saved: [SavedPhone] { kept.value.withLock { $0 } }

    /// The numbers of registered phones and of phones in reach.
    var counts: [Int] { board.report.phones.map { [$0.registered, $0.inReach] } ?? [] }

    func problem(_ body: (Phones) throws(Problem) -> Void) -> Problem? {
      do throws(Problem) {
        try body(phones)
        return nil
      } catch {
        return error
      }
    }

    /// Opens an event stream.
    func attach(_ id: Int) -> Listener {
      let (stream, listener) = (HTTPStream(), Listener())
      stream.open(listener)
      phones.attach(stream, to: id)
      return listener
    }
  }

  private final class Kept: Sendable { let value = Mutex<[SavedPhone]>([]) }

  /// Collects the events that a phone receives.
  private final class Listener: HTTPStreamSink {
    private(set) var text = ""
    private(set) var isFinished = false

    func streamed(_ piece: ByteBuffer) { text += String(buffer: piece) }
    func streamFinished() { isFinished = true }

    var events: [String] {
      text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }
  }

  private static let launch = LaunchRequest(url: "/quiz", session: "7")

  // MARK: Limits

  @Test func oneClientDoesNotLockOutTheOthers() throws {
    let bed = try Testbed()
    let register = { (client: String) in
      bed.problem { phones throws(Problem) in _ = try phones.register("x", from: client) }
    }
    for client in ["192.0.2.1", "192.0.2.2", "192.0.2.3"] {
      for _ in 0..<10 { #expect(register(client) == nil) }
    }
    // The limit for all clients together is reached.
    #expect(register("192.0.2.4")?.status == .tooManyRequests)
    #expect(bed.counts == [30, 0])
  }

  @Test func oneClientHasALimit() throws {
    let bed = try Testbed()
    for _ in 0..<10 { _ = try bed.phones.register("x", from: "192.0.2.1") }
    let problem = bed.problem { phones throws(Problem) in _ = try phones.register("x", from: "192.0.2.1") }
    #expect(problem?.status == .tooManyRequests)
    #expect(problem?.retryAfter.map((1...60).contains) == true)
    #expect(throws: Never.self) { try bed.phones.register("x", from: "192.0.2.2") }
  }

  private static let day = Duration.seconds(24 * 3600)

  /// For a full table: how long each saved phone was silent, and the id of the one that a new phone replaces.
  private static let fullTables: [(idle: [Duration], displaced: Int?)] = [
    (Array(repeating: .zero, count: 32), nil),
    (Array(repeating: day - .seconds(60), count: 32), nil),
    ([.zero, day] + Array(repeating: .zero, count: 30), 2),
    ([day * 2, day * 3] + Array(repeating: day, count: 30), 2),
  ]

  @Test(arguments: fullTables.indices)
  func theNumberOfPhonesIsLimited(index: Int) throws {
    let (idle, displaced) = Self.fullTables[index]
    let bed = try Testbed(idle: idle)
    let problem = bed.problem { phones throws(Problem) in _ = try phones.register("new", from: "192.0.2.1") }
    #expect(problem?.status == (displaced == nil ? .conflict : nil))
    #expect(bed.phones.list.count == 32)
    let missing = Set(1...32).subtracting(bed.phones.list.map(\.id))
    #expect(missing == Set([displaced].compactMap(\.self)))
  }

  @Test(arguments: [
    (CompanionTable.life, 0), (CompanionTable.life + .seconds(1), 0), (CompanionTable.life - .seconds(3600), 1),
    (.zero, 1),
  ])
  func phonesExpire(idle: Duration, count: Int) throws {
    let bed = try Testbed(idle: [idle])
    #expect(bed.phones.list.count == count)
    #expect(bed.counts == [count, 0])
    let problem = bed.problem { phones throws(Problem) in _ = try phones.identify("token 1") }
    #expect((problem == nil) == (count == 1))
  }

  @Test func aLaunchNamesUnknownPhones() throws {
    let bed = try Testbed(idle: [.zero])
    let problem = bed.problem { phones throws(Problem) in _ = try phones.launch(Self.launch, to: [1, 9]) }
    #expect(problem?.status == .notFound)
    #expect(problem?.detail == "There is no phone 9.")
  }

  @Test func launchesAreLimited() throws {
    let bed = try Testbed()
    for _ in 0..<20 { _ = try bed.phones.launch(Self.launch, to: nil) }
    let problem = bed.problem { phones throws(Problem) in _ = try phones.launch(Self.launch, to: nil) }
    #expect(problem?.status == .tooManyRequests)
  }

  // MARK: Tokens

  @Test func aTokenIsASecretOfOnePhone() throws {
    let bed = try Testbed()
    let (first, second) = (try bed.phones.register("Ada", from: "a"), try bed.phones.register("Bea", from: "a"))
    #expect(first.token != second.token && first.token.utf8.count >= 22)
    #expect(try bed.phones.identify(first.token) == first.id)
    #expect(try bed.phones.identify(second.token) == second.id)
    // Only the hash of a token is saved.
    #expect(bed.saved.map(\.name) == ["Ada", "Bea"])
    #expect(!bed.saved.contains { $0.key.text.contains(first.token) })
    for token in [nil, "", "x", first.token + "x"] {
      let problem = bed.problem { phones throws(Problem) in _ = try phones.identify(token) }
      #expect(problem?.name == .unknownCompanion)
    }
  }

  @Test func aForgottenPhoneIsUnknown() throws {
    let bed = try Testbed(idle: [.zero, .zero])
    let listener = bed.attach(1)
    try bed.phones.forget(1)
    #expect(listener.isFinished)
    #expect(bed.saved.map(\.id) == [2])
    #expect(bed.counts == [1, 0])
    let problem = bed.problem { phones throws(Problem) in try phones.forget(1) }
    #expect(problem?.status == .notFound)
  }

  // MARK: Reach and launch requests

  @Test func reachEndsByItself() throws {
    let bed = try Testbed(idle: [.zero])
    bed.phones.enter(1, for: .zero)
    #expect(bed.counts == [1, 1])
    bed.eventLoop.advanceTime(to: .now() + .seconds(1))
    #expect(bed.counts == [1, 0])
  }

  @Test func aStreamSaysWhatHappensToThePhone() throws {
    let bed = try Testbed(idle: [.zero, .zero])
    let (first, second) = (bed.attach(1), bed.attach(2))
    #expect(first.events == ["companion"])
    bed.phones.enter(1, for: .seconds(60))
    #expect(try bed.phones.launch(Self.launch, to: nil) == .init(delivered: [1]))
    bed.phones.leave(1)
    #expect(first.events == ["companion", "companion", "launch", "companion"])
    #expect(first.text.contains(#""url":"/quiz""#) && first.text.contains(#""session":"7""#))
    #expect(second.events == ["companion"])
  }

  @Test func aLaunchRequestWaitsForAStream() throws {
    let bed = try Testbed(idle: [.zero, .zero])
    bed.phones.enter(1, for: .seconds(60))
    bed.phones.enter(2, for: .seconds(60))
    #expect(try bed.phones.launch(Self.launch, to: [1]) == .init(waiting: [1]))
    #expect(bed.attach(1).events == ["companion", "launch"])
    // The launch is sent only once.
    #expect(bed.attach(1).events == ["companion"])
    #expect(bed.attach(2).events == ["companion"])
  }

  @Test func aThirdStreamEndsTheOldest() throws {
    let bed = try Testbed(idle: [.zero, .zero])
    let other = bed.attach(2)
    let listeners = (0..<3).map { _ in bed.attach(1) }
    #expect(listeners.map(\.isFinished) == [true, false, false])
    #expect(!other.isFinished)
  }
}
