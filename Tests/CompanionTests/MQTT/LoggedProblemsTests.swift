import Testing

@testable import Companion

@Suite struct LoggedProblemsTests {
  @Test func eachProblemIsLoggedOnce() {
    var problems = LoggedProblems()
    let endings = ["refused", "refused", "lost"].map { problems.disconnected($0) }
    #expect(endings == [true, false, true])
    let others = ["not allowed", "not allowed"].map { problems.isNew($0) }
    #expect(others == [true, false])
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

  @Test func problemsAreLoggedAgainAfterAStableConnection() {
    var problems = LoggedProblems()
    _ = problems.disconnected("lost")
    problems.forget()
    let isLogged = problems.disconnected("lost")
    #expect(isLogged)
  }
}
