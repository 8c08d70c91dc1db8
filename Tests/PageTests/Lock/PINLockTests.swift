import Testing

@testable import Page

@Suite struct PINLockTests {
  private static let start = PINLock.Instant.now

  private static func hash(_ pin: String) throws -> PINHash { try #require(PINHash(of: pin)) }

  /// Wraps a lock in a class, so that `#expect` can call mutating methods.
  private final class Tested {
    var lock: PINLock

    init(_ hash: PINHash?) { lock = PINLock(hash: hash) }

    func isOpen(_ token: AccessToken?, at second: Int) -> Bool { lock.isOpen(token, now: PINLockTests.at(second)) }

    func begin(from address: String = "a", at second: Int) -> PINLock.Attempt {
      lock.begin(from: address, now: PINLockTests.at(second))
    }

    func finish(_ number: Int, isRight: Bool, of hash: PINHash, _ token: AccessToken, at second: Int) -> Bool {
      lock.finish(number, isRight: isRight, of: hash, token: token, now: PINLockTests.at(second))
    }
  }

  @Test func aShortTokenExpiresFirst() throws {
    let tested = Tested(try Self.hash("1234"))
    let (phone, script) = (AccessToken(text: "phone"), AccessToken(text: "script"))
    tested.lock.admit(phone, now: Self.at(0))
    tested.lock.admit(script, life: .seconds(60), now: Self.at(1))
    // One too many: the phone stays.
    for number in 0..<PINLock.maximumTokens - 1 {
      tested.lock.admit(AccessToken(text: "\(number)"), life: .seconds(60), now: Self.at(2 + number))
    }
    #expect(tested.isOpen(phone, at: 40))
    #expect(!tested.isOpen(script, at: 40))
    #expect(tested.isOpen(AccessToken(text: "5"), at: 40))
    // Use prolongs it.
    #expect(tested.isOpen(AccessToken(text: "5"), at: 99))
    #expect(!tested.isOpen(AccessToken(text: "5"), at: 159))
  }

  private static func at(_ seconds: Int) -> PINLock.Instant { start + .seconds(seconds) }

  /// An event at a time in seconds.
  enum Step {
    /// An attempt with a PIN. `waits` is the expected wait in seconds; nil if the PIN is compared.
    case attempt(Int, isRight: Bool, waits: Int?)
  }

  @Test(
    arguments: [
      // After five wrong PINs, the next attempt is allowed a minute after the first.
      [
        .attempt(0, isRight: false, waits: nil), .attempt(1, isRight: false, waits: nil),
        .attempt(2, isRight: false, waits: nil), .attempt(3, isRight: false, waits: nil),
        .attempt(4, isRight: false, waits: nil), .attempt(5, isRight: true, waits: 55),
        .attempt(59, isRight: true, waits: 1), .attempt(60, isRight: false, waits: nil),
        .attempt(60, isRight: true, waits: 1), .attempt(61, isRight: true, waits: nil),
      ],
      // Right PINs do not count.
      (0..<20).map { .attempt($0, isRight: true, waits: nil) },
      [
        .attempt(0, isRight: false, waits: nil), .attempt(0, isRight: true, waits: nil),
        .attempt(0, isRight: false, waits: nil), .attempt(0, isRight: false, waits: nil),
        .attempt(0, isRight: false, waits: nil), .attempt(0, isRight: true, waits: nil),
        .attempt(0, isRight: false, waits: nil), .attempt(0, isRight: true, waits: 60),
      ],
    ] as [[Step]])
  func attemptsAreLimited(steps: [Step]) throws {
    let hash = try Self.hash("1234")
    let tested = Tested(hash)
    for case .attempt(let second, let isRight, let waits) in steps {
      switch (tested.begin(at: second), waits) {
      case (.compare(let asked, let number), nil):
        #expect(asked == hash)
        let token = AccessToken(text: "\(number)")
        let isValid = tested.finish(number, isRight: isRight, of: asked, token, at: second)
        #expect(isValid == isRight)
        #expect(tested.isOpen(token, at: second) == isRight)
      case (.refused(let wait), let seconds?): #expect(wait == .seconds(seconds))
      case (let answer, _): Issue.record("at \(second): \(answer)")
      }
    }
  }

  /// Running comparisons count, so that simultaneous attempts cannot exceed the limit.
  @Test func simultaneousAttemptsAreLimited() throws {
    let tested = Tested(try Self.hash("1234"))
    for _ in 0..<PINLock.maximumAttempts {
      guard case .compare = tested.begin(at: 0) else {
        Issue.record("refused too early")
        return
      }
    }
    #expect(tested.begin(at: 0) == .refused(retryAfter: .seconds(60)))
  }

  /// A guest with many addresses does not lock the owner out, and cannot try many PINs.
  @Test func addressesShareALimitButKeepOneAttempt() throws {
    let tested = Tested(try Self.hash("1234"))
    func isRefused(_ address: String, at second: Int) -> Bool {
      if case .refused = tested.begin(from: address, at: second) { true } else { false }
    }
    // Five wrong PINs of one address leave the others alone.
    #expect((0..<6).map { _ in isRefused("a", at: 0) } == [false, false, false, false, false, true])
    #expect(
      (0..<3).flatMap { address in (0..<5).map { _ in isRefused("b\(address)", at: 1) } }
        == Array(repeating: false, count: 15))
    // Now there were twenty. New addresses have one attempt, which counts for an hour.
    #expect(!isRefused("owner", at: 2))
    #expect(isRefused("owner", at: 2))
    #expect(isRefused("owner", at: 59))
    #expect(!isRefused("owner", at: 61))
    for second in [62, 3600] {
      for address in 0..<19 { _ = tested.begin(from: "c\(address)", at: second) }
      #expect(isRefused("owner", at: second) == (second == 62))
    }
  }

  @Test func everythingIsOpenWithoutALock() {
    let tested = Tested(nil)
    #expect(tested.isOpen(nil, at: 0))
    #expect(tested.begin(at: 0) == .notLocked)
  }

  @Test func tokensExpireUnlessTheyAreUsed() throws {
    let (tested, tokens) = try unlocked(2)
    let life = Int(PINLock.tokenLife.components.seconds)
    #expect(tested.isOpen(tokens[0], at: life - 1))
    #expect(!tested.isOpen(tokens[1], at: life))
    #expect(tested.isOpen(tokens[0], at: life + 1))
    #expect(!tested.isOpen(tokens[0], at: 3 * life))
    #expect(!tested.isOpen(nil, at: 0))
    #expect(!tested.isOpen(AccessToken(text: ""), at: 0))
  }

  @Test func tokensAreLimited() throws {
    let (tested, tokens) = try unlocked(PINLock.maximumTokens)
    #expect(tested.isOpen(tokens[0], at: 1))
    let more = try unlock(tested, "more", at: 2)
    #expect(tested.isOpen(more, at: 3))
    // The token that was used stays; the next oldest one is dropped.
    #expect(tested.isOpen(tokens[0], at: 3))
    #expect(!tested.isOpen(tokens[1], at: 3))
  }

  @Test(arguments: [true, false]) func lockingLogsEverybodyOut(withNewPIN: Bool) throws {
    let (tested, tokens) = try unlocked(1)
    if withNewPIN { tested.lock.lock(try Self.hash("5678")) } else { tested.lock.lockAgain() }
    #expect(!tested.isOpen(tokens[0], at: 0))
    #expect(tested.lock.isLocked)
    tested.lock.remove()
    #expect(!tested.lock.isLocked)
    #expect(tested.isOpen(nil, at: 0))
  }

  /// The PIN is replaced while the old one is being compared.
  @Test func aPINThatWasReplacedMeanwhileIsWrong() throws {
    let old = try Self.hash("1234")
    let tested = Tested(old)
    guard case .compare(_, let number) = tested.begin(at: 0) else {
      Issue.record("refused")
      return
    }
    tested.lock.lock(try Self.hash("5678"))
    let token = AccessToken(text: "t")
    #expect(!tested.finish(number, isRight: true, of: old, token, at: 0))
    #expect(!tested.isOpen(token, at: 0))
  }

  private func unlocked(_ count: Int) throws -> (Tested, [AccessToken]) {
    let tested = Tested(try Self.hash("1234"))
    let tokens = try (0..<count).map { try unlock(tested, "\($0)", at: 0) }
    return (tested, tokens)
  }

  private func unlock(_ tested: Tested, _ text: String, at second: Int) throws -> AccessToken {
    let token = AccessToken(text: text)
    guard case .compare(let hash, let number) = tested.begin(at: second) else { return token }
    #expect(tested.finish(number, isRight: true, of: hash, token, at: second))
    return token
  }
}

@Suite struct PINHashTests {
  @Test func aHashMatchesItsPINOnly() throws {
    let hash = try #require(PINHash(of: "1234"))
    #expect(hash.matches("1234"))
    for other in ["1235", "123", "12345", "", "１２３４"] { #expect(!hash.matches(other)) }
    #expect(PINHash(text: hash.text) == hash)
  }

  @Test func everyHashHasItsOwnSalt() throws { #expect(PINHash(of: "1234") != PINHash(of: "1234")) }

  /// A hash from a damaged file is rejected.
  @Test(arguments: ["", "1234", "$1$salt$hash", "$y$\u{1}", "$y$ x", "$y$" + String(repeating: "x", count: 300)])
  func otherTextsAreNoHashes(text: String) { #expect(PINHash(text: text) == nil) }

  @Test(arguments: ["$y$", "$y$j7T$", "$y$j7T$salt", "$y$zzzz$salt$hash"])
  func brokenHashesMatchNothing(text: String) {
    let hash = PINHash(text: text)
    for pin in ["", "1234"] { #expect(hash?.matches(pin) == false) }
  }

  @Test func tokensHave128RandomBits() {
    var generator = SystemRandomNumberGenerator()
    let tokens = (0..<100).map { _ in AccessToken.random(using: &generator).text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 })
  }
}
