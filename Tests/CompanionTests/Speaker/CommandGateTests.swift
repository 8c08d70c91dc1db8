import Testing

@testable import Companion

@Suite struct CommandGateTests {
  @Test func aGateLetsABurstPassAndThenSlowsDown() {
    var gate = CommandGate()
    let now = ContinuousClock.now
    #expect((0..<1000).count { _ in gate.admit(at: now) } == Int(CommandGate.burst))
    #expect((0..<1000).count { _ in gate.admit(at: now + .milliseconds(100)) } == Int(CommandGate.rate / 10))
    #expect((0..<1000).count { _ in gate.admit(at: now + .seconds(60)) } == Int(CommandGate.burst))
  }
}
