import NIOCore
import Network
import Testing

@testable import Songcast

/// Runs a sender against a clock that moves only when told to.
private struct SenderRun {
  static let group = endpoint("239.253.1.44:51970")
  static let networks = [CIDR("192.0.2.1/24")].compactMap { $0 }
  static let b = endpoint("192.0.2.2:2")
  static let c = endpoint("192.0.2.3:3")
  static let d = endpoint("192.0.2.4:4")

  var machine: SenderMachine
  var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
  /// Everything sent, as text.
  var log: [String] = []
  var frames: [AudioFrame] = []
  private var number: UInt32 = 0

  init(_ mode: SenderMachine.Mode = .unicast, isStamped: Bool = false, seed: UInt64 = 1) {
    machine = SenderMachine(
      mode: mode, networks: Self.networks, metadata: "own", isStamped: isStamped, random: SeededRandom(state: seed))
  }

  static func multicast(seed: UInt64 = 1) -> SenderRun { SenderRun(.multicast(group), seed: seed) }

  mutating func hear(_ message: OHMMessage, from sender: Endpoint) {
    perform(machine.receive(message, from: sender, now: now))
  }

  mutating func play(_ count: Int = 1) {
    for _ in 0..<count {
      perform(machine.send(frame(number: 7, start: UInt64(number) * 220), now: now))
      number += 1
      advance(milliseconds: 5)
    }
  }

  mutating func advance(milliseconds: Int) {
    let end = now + .milliseconds(Int64(milliseconds))
    while let next = machine.next, next <= end {
      now = max(next, now)
      perform(machine.due(now))
    }
    now = end
  }

  mutating func perform(_ actions: [SenderMachine.Action]) {
    for action in actions {
      switch action.message {
      case .audio(let frame):
        frames.append(frame)
        log.append("Audio \(frame.number)\(frame.isResent ? " again" : "") > \(action.target)")
      case .track(let track): log.append("Track \(track.sequence) \(track.uri) \(track.metadata) > \(action.target)")
      case .metatext(let text): log.append("Metatext \(text.sequence) \(text.text) > \(action.target)")
      case .slave(let slaves): log.append("Slave \(slaves.map(\.description)) > \(action.target)")
      default: log.append("\(action.message.name.dropFirst(4)) > \(action.target)")
      }
    }
  }

  /// What was sent since the last call.
  mutating func heard() -> [String] {
    defer { log = [] }
    return log
  }
}

@Suite struct SenderMachineTests {
  private static let b = SenderRun.b
  private static let c = SenderRun.c
  private static let d = SenderRun.d

  // MARK: Unicast

  @Test func withoutReceiversItSendsNothing() {
    var run = SenderRun()
    run.play(10)
    run.perform(run.machine.set(uri: "u", metadata: "m", now: run.now))
    #expect(run.log == [])
    #expect(run.machine.next == nil)
    #expect(run.machine.state == .ready)
  }

  @Test func theFirstReceiverIsTheTarget() {
    var run = SenderRun()
    run.play(3)
    run.hear(.join, from: Self.b)
    #expect(run.heard() == ["Track 1  own > 192.0.2.2:2", "Metatext 1  > 192.0.2.2:2"])
    run.play(2)
    #expect(run.heard() == ["Audio 0 > 192.0.2.2:2", "Audio 1 > 192.0.2.2:2"])
    run.advance(milliseconds: 10)
    #expect(run.frames.map(\.sampleStart) == [660, 880])
    #expect(run.machine.state == .sending)
    run.hear(.join, from: Self.b)
    #expect(run.heard() == ["Slave [] > 192.0.2.2:2", "Track 1  own > 192.0.2.2:2", "Metatext 1  > 192.0.2.2:2"])
  }

  @Test func othersBecomeSlavesOfTheTarget() {
    var run = SenderRun()
    run.hear(.join, from: Self.b)
    run.advance(milliseconds: 20)
    _ = run.heard()
    run.hear(.join, from: Self.c)
    #expect(
      run.heard() == [
        "Listen > 192.0.2.3:3", #"Slave ["192.0.2.3:3"] > 192.0.2.2:2"#, "Track 1  own > 192.0.2.2:2",
        "Metatext 1  > 192.0.2.2:2",
      ])
    run.hear(.listen, from: Self.d)
    #expect(run.heard()[1] == #"Slave ["192.0.2.3:3", "192.0.2.4:4"] > 192.0.2.2:2"#)
    run.play()
    #expect(run.heard() == ["Audio 0 > 192.0.2.2:2"])
  }

  @Test func aSlaveThatLeavesIsTakenOffTheList() {
    var run = SenderRun()
    for receiver in [Self.b, Self.c, Self.d] { run.hear(.join, from: receiver) }
    _ = run.heard()
    run.hear(.leave, from: Self.c)
    #expect(run.heard() == ["Leave > 192.0.2.3:3", #"Slave ["192.0.2.4:4"] > 192.0.2.2:2"#])
    run.hear(.leave, from: Self.c)
    #expect(run.heard() == [])
    run.hear(.leave, from: Self.d)
    #expect(run.heard() == ["Leave > 192.0.2.4:4", "Slave [] > 192.0.2.2:2"])
  }

  @Test func theLastSlaveReplacesATargetThatLeaves() {
    var run = SenderRun()
    for receiver in [Self.b, Self.c, Self.d] { run.hear(.join, from: receiver) }
    run.advance(milliseconds: 20)
    run.play(2)
    _ = run.heard()
    run.hear(.leave, from: Self.b)
    #expect(run.heard() == ["Leave > 192.0.2.2:2", #"Slave ["192.0.2.3:3"] > 192.0.2.4:4"#])
    run.play()
    #expect(run.heard() == ["Audio 2 > 192.0.2.4:4"])
    run.hear(.leave, from: Self.d)
    #expect(run.heard() == ["Leave > 192.0.2.4:4"])
    run.play()
    #expect(run.heard() == ["Audio 3 > 192.0.2.3:3"])
    run.hear(.leave, from: Self.c)
    #expect(run.machine.state == .ready)
    // Numbers start anew for the next receiver.
    run.hear(.join, from: Self.b)
    _ = run.heard()
    run.play()
    #expect(run.heard() == ["Audio 0 > 192.0.2.2:2"])
  }

  /// Otherwise the others would hear nothing until the target expires.
  @Test func aSlaveThatKeepsJoiningReplacesATargetThatVanished() {
    var run = SenderRun()
    for receiver in [Self.b, Self.c, Self.d] { run.hear(.join, from: receiver) }
    // Some Joins are normal: the answers may be lost.
    for _ in 0..<4 {
      run.hear(.join, from: Self.c)
      run.advance(milliseconds: 1001)
    }
    run.play()
    #expect(run.heard().last == "Audio 0 > 192.0.2.2:2")
    for _ in 0..<3 {
      run.advance(milliseconds: 300)
      run.hear(.join, from: Self.d)
    }
    run.play()
    #expect(run.heard().suffix(4).first == #"Slave ["192.0.2.2:2", "192.0.2.3:3"] > 192.0.2.4:4"#)
    run.play()
    #expect(run.heard() == ["Audio 2 > 192.0.2.4:4"])
    // The one that vanished expires.
    run.advance(milliseconds: 5000)
    run.hear(.listen, from: Self.d)
    run.advance(milliseconds: 5000)
    #expect(run.heard().last == "Slave [] > 192.0.2.4:4")
  }

  @Test func receiversExpireAfterTenSeconds() {
    var run = SenderRun()
    run.hear(.join, from: Self.b)
    run.advance(milliseconds: 4000)
    run.hear(.join, from: Self.c)
    _ = run.heard()
    run.advance(milliseconds: 5999)
    #expect(run.heard() == [])
    run.advance(milliseconds: 1)
    run.play()
    #expect(run.heard() == ["Audio 0 > 192.0.2.3:3"])
    run.hear(.listen, from: Self.c)
    run.advance(milliseconds: 9999)
    #expect(run.machine.state == .sending)
    run.advance(milliseconds: 1)
    #expect(run.machine.state == .ready)
  }

  @Test func servesFiveReceiversOnItsNetwork() {
    var run = SenderRun()
    for number in 1...1000 { run.hear(.join, from: Endpoint(address: Self.b.address, port: UInt16(number))) }
    #expect(run.log.filter { $0.hasPrefix("Listen") }.count == 4)
    var other = SenderRun()
    for stranger in ["203.0.113.1:1", "192.0.2.255:1", "192.0.2.0:1", "192.0.2.9:0", "239.1.1.1:1"] {
      other.hear(.join, from: endpoint(stranger))
    }
    #expect(other.log == [])
  }

  @Test func aFloodOfJoinsHasFewAnswers() {
    var run = SenderRun.multicast()
    for _ in 0..<1000 {
      run.hear(.join, from: Self.b)
      run.advance(milliseconds: 1)
    }
    #expect((40...51).contains(run.log.filter { $0.hasPrefix("Track") }.count))
    #expect(run.log.count == run.log.filter { $0.hasPrefix("Track") }.count * 2)
  }

  // MARK: Multicast

  @Test func aJoinOrAListenMakesItSendForTenSeconds() {
    var run = SenderRun.multicast()
    run.play()
    run.hear(.listen, from: Self.b)
    run.play()
    #expect(run.heard() == ["Audio 0 > 239.253.1.44:51970"])
    run.hear(.join, from: Self.c)
    #expect(run.heard() == ["Track 1  own > 239.253.1.44:51970", "Metatext 1  > 239.253.1.44:51970"])
    run.advance(milliseconds: 9999)
    #expect(run.machine.state == .sending)
    run.advance(milliseconds: 1)
    #expect(run.machine.state == .ready)
    run.play()
    #expect(run.heard() == [])
  }

  @Test(arguments: 1...20) func anotherSenderBlocksIt(seed: Int) {
    var run = SenderRun.multicast(seed: UInt64(seed))
    let foreign = OHMMessage.audio(frame(number: 0))
    // One that does not send is not blocked: it is the newcomer.
    run.hear(foreign, from: Self.d)
    run.hear(.join, from: Self.b)
    #expect(run.machine.state == .sending)
    run.hear(foreign, from: endpoint("192.0.2.1:9"))
    #expect(run.machine.state == .sending)
    run.hear(foreign, from: Self.d)
    #expect(run.machine.state == .blocked)
    _ = run.heard()
    run.hear(.join, from: Self.b)
    run.play()
    #expect(run.heard() == [])
    run.advance(milliseconds: 1490)
    #expect(run.machine.state == .blocked)
    run.advance(milliseconds: 1510)
    #expect(run.machine.state == .ready)
    run.hear(.listen, from: Self.b)
    #expect(run.machine.state == .sending)
  }

  // MARK: Texts

  @Test func countsTracksAndTexts() {
    var run = SenderRun()
    run.hear(.join, from: Self.b)
    _ = run.heard()
    run.perform(run.machine.set(uri: "u", metadata: "m", now: run.now))
    #expect(run.heard() == ["Track 2 u m > 192.0.2.2:2", "Metatext 1  > 192.0.2.2:2"])
    run.advance(milliseconds: 50)
    run.perform(run.machine.set(text: "t", now: run.now))
    run.perform(run.machine.set(text: "t", now: run.now))
    #expect(run.heard() == ["Track 2 u m > 192.0.2.2:2", "Metatext 2 t > 192.0.2.2:2"])
    run.advance(milliseconds: 1000)
    #expect(run.heard() == ["Track 2 u m > 192.0.2.2:2", "Metatext 2 t > 192.0.2.2:2"])
    run.perform(run.machine.set(uri: "v", metadata: "n", now: run.now))
    #expect(run.heard() == ["Track 3 v n > 192.0.2.2:2", "Metatext 1  > 192.0.2.2:2"])
  }

  @Test func stampsAFrameWithTheTimeOfItsPredecessor() {
    var run = SenderRun(isStamped: true)
    run.hear(.join, from: Self.b)
    run.play(3)
    #expect(run.frames.map { $0.flags.contains(.timestamped) } == [false, true, true])
    #expect(run.frames.map { $0.flags.contains(.timestamped2) } == [false, true, true])
    // 5 ms at 44.1 kHz; the clock counts from the start of the machine.
    #expect(run.frames[1].networkTimestamp == 11_289_600)
    #expect(run.frames[2].networkTimestamp - run.frames[1].networkTimestamp == 56_448)
    var next = frame(number: 0)
    next.sampleRate = 48000
    run.perform(run.machine.send(next, now: run.now))
    #expect(run.frames.last?.flags.contains(.timestamped) == false)
  }

  // MARK: Resend

  @Test func resendsTheLastHundredFramesToTheTarget() {
    var run = SenderRun()
    run.hear(.join, from: Self.b)
    run.hear(.join, from: Self.c)
    run.play(150)
    _ = run.heard()
    run.hear(.resend([49, 50, 149, 150]), from: Self.c)
    #expect(run.heard() == ["Audio 50 again > 192.0.2.2:2", "Audio 149 again > 192.0.2.2:2"])
    run.hear(.resend([51]), from: endpoint("192.0.2.99:9"))
    #expect(run.heard() == [])
  }

  @Test func resendsAFrameOnceForAll() {
    var run = SenderRun.multicast()
    run.hear(.join, from: Self.b)
    run.play(10)
    _ = run.heard()
    for receiver in [Self.b, Self.c, Self.d] { run.hear(.resend([3]), from: receiver) }
    #expect(run.heard().count == 1)
    run.advance(milliseconds: 30)
    run.hear(.resend([3]), from: Self.d)
    #expect(run.heard().count == 1)
  }

  @Test func aStormOfRequestsAtMostDoublesTheStream() {
    var run = SenderRun.multicast()
    run.hear(.join, from: Self.b)
    run.play(100)
    _ = run.heard()
    for _ in 0..<10_000 {
      run.hear(.resend(Array(0..<100)), from: Self.c)
      run.hear(.resend(Array((0..<100).reversed())), from: Self.d)
      run.advance(milliseconds: 1)
      if run.machine.state == .ready { run.hear(.listen, from: Self.b) }
    }
    // 10 s.
    #expect(run.heard().count <= 100 + 200 * 10)
  }
}
