import Testing

@testable import Companion

@Suite struct LoggedProblemsTests {
  @Test func eachProblemIsLoggedOnce() {
    var problems = LoggedProblems()
    #expect(problems.disconnected("refused"))
    #expect(!problems.disconnected("refused"))
    #expect(problems.disconnected("lost"))
    #expect(problems.isNew("not allowed"))
    #expect(!problems.isNew("not allowed"))
  }

  @Test func aConnectionIsLoggedIfTheProblemBeforeItWas() {
    var problems = LoggedProblems()
    let first = problems.connected()
    _ = problems.disconnected("lost")
    let second = problems.connected()
    // A broker that closes every connection at once does not fill the log.
    _ = problems.disconnected("lost")
    let third = problems.connected()
    #expect([first, second, third] == [true, true, false])
  }

  @Test func problemsAreNewsAgainAfterAStableConnection() {
    var problems = LoggedProblems()
    _ = problems.disconnected("lost")
    problems.forget()
    #expect(problems.disconnected("lost"))
  }
}
