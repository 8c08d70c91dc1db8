import Testing

@testable import SpeakerCore

@Suite struct CommandRatesTests {
  @Test func aGateLetsABurstPassAndThenSlowsDown() {
    var gate = CommandGate()
    let now = ContinuousClock.now
    #expect((0..<1000).count { _ in gate.admit(at: now) } == Int(CommandGate.burst))
    #expect((0..<1000).count { _ in gate.admit(at: now + .milliseconds(100)) } == Int(CommandGate.rate / 10))
    #expect((0..<1000).count { _ in gate.admit(at: now + .seconds(60)) } == Int(CommandGate.burst))
  }

  @Test func noSenderUsesUpTheCommandsOfAnother() {
    let rates = CommandRates()
    let now = ContinuousClock.now
    for origin in [CommandOrigin.mqtt, .mpris, .buttons, .presence] {
      #expect((0..<1000).count { _ in rates.admit(origin, at: now) } == Int(CommandGate.burst), "\(origin)")
    }
    #expect((0..<1000).count { _ in rates.admit(.pageGuest, at: now) } == 1000)
  }
}
