import NIOCore
import Network
import Testing

@testable import Songcast

@Suite struct ReceiverMachineTests {
  private static let group = SongcastURI.channel(300)
  private static let groupEndpoint = endpoint("239.253.1.44:51970")
  private static let other = endpoint("192.0.2.9:1234")

  // MARK: Join, listen, leave

  @Test func joinsEvery300MillisecondsUntilItKnowsTrackAndText() {
    var run = ReceiverRun()
    run.play(.unicast(ReceiverRun.sender))
    run.advance(milliseconds: 700)
    #expect(run.times(of: .join) == [0, 300, 600])
    run.hear(.track(TrackInfo(sequence: 1, uri: "", metadata: "")))
    run.advance(milliseconds: 300)
    #expect(run.times(of: .join) == [0, 300, 600, 900])
    run.hear(.metatext(Metatext(sequence: 0, text: "")))
    run.advance(milliseconds: 1000)
    #expect(run.times(of: .join).count == 4)
    #expect(run.machine.state == .waiting)
  }

  @Test func playsNothingBeforeTheTrackIsKnown() {
    var run = ReceiverRun()
    run.play(.unicast(ReceiverRun.sender))
    run.hear(frames: 0...9)
    #expect(run.played == [])
    #expect(run.machine.state == .buffering)
    run.hearTexts()
    run.hear(frames: 10...19)
    #expect(run.played == Array(10...19))
    #expect(run.machine.state == .playing)
  }

  @Test func playsSoundThatNobodyDescribes() {
    var run = ReceiverRun()
    run.play(.unicast(ReceiverRun.sender))
    run.hear(frames: 0...399)
    #expect(run.played == Array(300...399))
  }

  @Test(arguments: 1...20) func listensAtRandomIntervals(seed: Int) {
    var run = ReceiverRun.joined(seed: UInt64(seed))
    run.advance(milliseconds: 60_000)
    let times = [0] + run.times(of: .listen)
    for (last, next) in zip(times, times.dropFirst()) { #expect((1250...2500).contains(next - last)) }
    #expect(times.count > 20)
  }

  @Test(arguments: 1...20) func anotherReceiversListenDelaysItsOwn(seed: Int) throws {
    var run = ReceiverRun.joined(Self.group, seed: UInt64(seed))
    run.advance(milliseconds: 1000)
    run.hear(.listen, from: Self.other)
    run.advance(milliseconds: 10_000)
    let first = try #require(run.times(of: .listen).first)
    #expect((4750...6000).contains(first))
  }

  @Test func itsOwnListenDelaysNothing() throws {
    var run = ReceiverRun.joined(Self.group)
    run.advance(milliseconds: 1000)
    run.hear(.listen, from: ReceiverRun.local)
    run.advance(milliseconds: 5000)
    #expect(try #require(run.times(of: .listen).first) <= 2500)
  }

  @Test func aFloodOfListensDoesNotSilenceIt() {
    var run = ReceiverRun.joined(Self.group)
    for _ in 0..<600 {
      run.hear(.listen, from: Self.other)
      run.advance(milliseconds: 50)
    }
    #expect(run.times(of: .listen).count >= 3)
  }

  @Test func leavesAUnicastSender() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...9)
    run.stop()
    #expect(run.log == ["Leave > 192.0.2.1:40000", "Leave > 192.0.2.1:40000", "close"])
    #expect(run.machine.state == .stopped)
    #expect(run.machine.next == nil)
  }

  @Test func leavesAGroupBySilence() {
    var run = ReceiverRun.joined(Self.group)
    run.stop()
    #expect(run.log == ["close"])
  }

  // MARK: Halt, starvation, restart

  @Test func leavesAtAHaltAndJoinsAgain() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...9)
    run.hear(.audio(frame(number: 10, flags: .halt, samples: 0)), from: ReceiverRun.driver)
    #expect(run.log == ["Leave > 192.0.2.1:40000", "Leave > 192.0.2.1:40000", "close"])
    #expect(run.machine.state == .waiting)
    run.advance(milliseconds: 99)
    #expect(run.opened == 1)
    run.advance(milliseconds: 1)
    #expect(run.opened == 2)
    #expect(run.log.suffix(2) == ["open ohu://192.0.2.1:40000", "Join > 192.0.2.1:40000"])
    run.hearTexts()
    run.hear(frames: 0...3)
    #expect(run.played == Array(0...10) + Array(0...3))
    #expect(run.receivedFrames.suffix(4).first?.joint == .restart)
  }

  @Test func staysInTheGroupAtAHalt() {
    var run = ReceiverRun.joined(Self.group)
    run.hear(frames: 0...9)
    run.hear(.audio(frame(number: 10, flags: .halt, samples: 0)), from: ReceiverRun.driver)
    run.advance(milliseconds: 99)
    #expect(run.log == [])
    run.advance(milliseconds: 1)
    #expect(run.log == ["Join > 239.253.1.44:51970"])
    run.hear(frames: 11...20)
    #expect(run.played == Array(0...20))
  }

  @Test func stopsBetweenHaltAndJoin() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...9)
    run.hear(.audio(frame(number: 10, flags: .halt, samples: 0)), from: ReceiverRun.driver)
    run.steps = []
    run.stop()
    run.advance(milliseconds: 10_000)
    #expect(run.log == [])
    #expect(run.opened == 1)
    #expect(run.machine.next == nil)
  }

  @Test func joinsAgainWhenItStarves() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...9)
    // The last frame arrived 5 ms ago, and its latency is 100 ms.
    run.advance(milliseconds: 1000)
    #expect(run.times(of: .join) == [185, 485, 785])
    #expect(run.machine.state == .buffering)
    run.hear(frames: 10...19)
    #expect(run.machine.state == .playing)
    #expect(run.played == Array(0...19))
    #expect(run.lost == 0)
    run.advance(milliseconds: 100)
    #expect(run.times(of: .join).count == 3)
  }

  @Test func aSenderThatWasSilentForLongGoesOn() {
    var run = ReceiverRun.joined(.channel(300))
    run.hear(frames: 0...9)
    run.advance(milliseconds: 5000)
    run.hear(frames: 300...309)
    #expect(run.played == Array(0...9) + Array(300...309))
  }

  @Test func asksLessOftenForAVanishedSender() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...9)
    run.advance(milliseconds: 60_000)
    #expect((50...70).contains(run.times(of: .join).count))
    #expect(run.opened == 1)
  }

  @Test func resetsForARestartedSender() {
    var run = ReceiverRun.joined()
    run.hear(frames: 1000...1009)
    run.advance(milliseconds: 50)
    run.hear(frames: 0...9, from: endpoint("192.0.2.1:40009"))
    #expect(run.played == Array(1000...1009) + Array(0...9))
    let restarts = run.receivedFrames.filter { $0.joint == .restart }.map(\.frame.number)
    #expect(restarts == [1000, 0])
  }

  @Test func aNewFormatIsANewStream() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...2)
    var next = frame(number: 3, start: 0)
    next.sampleRate = 48000
    run.hear(.audio(next), from: ReceiverRun.driver)
    run.hear(.audio(frame(number: 4, start: 1000)), from: ReceiverRun.driver)
    #expect(run.receivedFrames.map(\.joint) == [.restart, .continues, .continues, .newStream, .newStream])
  }

  // MARK: Sources

  @Test func ignoresSoundFromElsewhereWhileThereIsSome() {
    var run = ReceiverRun.joined(Self.group)
    for number: UInt32 in 0..<20 {
      run.hear(.audio(frame(number: number)), from: ReceiverRun.driver)
      run.hear(.audio(frame(number: number &+ 90_000)), from: Self.other)
      run.advance(milliseconds: 5)
    }
    #expect(run.played == Array(0..<20))
    #expect(run.requests.isEmpty)
  }

  @Test func followsTheNewcomerOnItsChannel() {
    var run = ReceiverRun.joined(Self.group)
    run.hear(frames: 500...509)
    run.hear(frames: 0...19, from: Self.other)
    #expect(run.played.first == 500)
    #expect(run.played.suffix(10) == Array(10...19))
  }

  @Test func aSlaveHearsTheTargetAndThenTheSender() {
    var run = ReceiverRun.joined()
    let relay = endpoint("192.0.2.7:7000")
    run.hear(frames: 0...9, from: relay)
    // The target has left, and this one is the target now. It hears all after a short silence, and repairs that.
    run.hear(frames: 10...20)
    for number in Set(run.requests.flatMap(\.frames)).sorted() {
      run.hear(.audio(frame(number: number, flags: .resent)), from: ReceiverRun.driver)
    }
    run.hear(frames: 21...29)
    #expect(run.played == Array(0...29))
    #expect(run.lost == 0)
  }

  @Test func ignoresStrangersOffTheLink() {
    var run = ReceiverRun.joined()
    run.hear(.track(TrackInfo(sequence: 9, uri: "", metadata: "forged")), from: endpoint("203.0.113.1:40000"))
    run.hear(frames: 0...9, from: endpoint("203.0.113.1:40001"))
    #expect(run.steps.isEmpty)
  }

  @Test func forwardsToItsSlaves() {
    var run = ReceiverRun.joined()
    run.hear(.slave([endpoint("192.0.2.3:3"), endpoint("192.0.2.4:4")]))
    run.hear(frames: 0...0)
    run.hear(.metatext(Metatext(sequence: 0, text: "")))
    run.hear(.listen)
    #expect(run.log == ["forward > 192.0.2.3:3 192.0.2.4:4", "forward > 192.0.2.3:3 192.0.2.4:4"])
    run.hear(.slave([]))
    run.hear(frames: 1...1)
    #expect(run.log.count == 2)
    #expect(run.played == [0, 1])
  }

  @Test(arguments: [
    ("203.0.113.7:1", ""), ("192.0.2.255:1", ""), ("192.0.2.0:1", ""), ("239.253.1.44:51970", ""), ("192.0.2.3:0", ""),
    ("127.0.0.1:1", ""), ("192.0.2.1:40000", ""), ("192.0.2.2:50000", ""), ("192.0.2.3:1 192.0.2.3:1", "192.0.2.3:1"),
    (
      "192.0.2.3:1 192.0.2.3:2 192.0.2.3:3 192.0.2.3:4 192.0.2.3:5",
      "192.0.2.3:1 192.0.2.3:2 192.0.2.3:3 192.0.2.3:4"
    ),
  ]) func forwardsOnlyToPossibleReceivers(list: String, accepted: String) {
    var run = ReceiverRun.joined()
    run.hear(.slave(list.split(separator: " ").compactMap { Endpoint($0) }))
    run.hear(frames: 0...0)
    #expect(run.log == (accepted.isEmpty ? [] : ["forward > " + accepted]))
  }

  @Test func onlyTheSenderMakesSlaves() {
    var run = ReceiverRun.joined()
    run.hear(.slave([endpoint("192.0.2.3:3")]), from: Self.other)
    run.hear(.slave([endpoint("192.0.2.3:3")]), from: ReceiverRun.driver)
    run.hear(frames: 0...0)
    // Nor is anything forwarded that another receiver has forwarded.
    run.hear(.slave([endpoint("192.0.2.3:3")]))
    run.advance(milliseconds: 100)
    run.hear(frames: 1...1, from: Self.other)
    #expect(run.log == [])
    #expect(run.played == [0, 1])
  }

  // MARK: Zones

  @Test func asksForAZoneUntilItIsAnswered() {
    var run = ReceiverRun()
    run.play(.zone("z"))
    run.advance(milliseconds: 750)
    #expect(run.log == ["query z", "query z", "query z", "query z"])
    run.hear(.zoneURI(zone: "y", uri: "ohu://192.0.2.1:40000"))
    run.hear(.zoneURI(zone: "z", uri: "nonsense"))
    run.hear(.zoneURI(zone: "z", uri: "ohz://239.255.255.250:51972/z"))
    #expect(run.log.count == 4)
    run.hear(.zoneURI(zone: "z", uri: "ohu://192.0.2.1:40000"))
    #expect(run.log.suffix(2) == ["open ohu://192.0.2.1:40000", "Join > 192.0.2.1:40000"])
    for _ in 0..<9 { run.hear(.zoneURI(zone: "z", uri: "ohu://192.0.2.1:40000")) }
    run.advance(milliseconds: 200)
    #expect(run.opened == 1)
  }

  @Test func followsAMovedZone() {
    var run = ReceiverRun()
    run.play(.zone("z"))
    run.hear(.zoneURI(zone: "z", uri: "ohu://192.0.2.1:40000"))
    run.hearTexts()
    run.hear(frames: 0...19)
    run.steps = []
    // A change of the mode announces "off" in between.
    run.hear(.zoneURI(zone: "z", uri: "ohu://0.0.0.0:0"))
    run.advance(milliseconds: 1)
    run.hear(.zoneURI(zone: "z", uri: "ohm://239.253.1.44:51970"))
    run.advance(milliseconds: 200)
    #expect(
      run.log.prefix(5) == [
        "Leave > 192.0.2.1:40000", "Leave > 192.0.2.1:40000", "close", "open ohm://239.253.1.44:51970",
        "Join > 239.253.1.44:51970",
      ])
    #expect(run.opened == 2)
    run.hear(.zoneURI(zone: "z", uri: "ohu://0.0.0.0:0"))
    run.advance(milliseconds: 49)
    #expect(run.log.last != "close")
    run.advance(milliseconds: 1)
    #expect(run.log.last == "close")
    #expect(run.machine.state == .waiting)
  }

  @Test func aFloodOfMovesOpensFewSockets() {
    var run = ReceiverRun()
    run.play(.zone("z"))
    for number in 0..<1000 {
      run.hear(.zoneURI(zone: "z", uri: "ohm://239.253.1.\(number % 200):51970"))
      run.advance(milliseconds: 1)
    }
    #expect(run.opened <= 11)
  }

  @Test func asksAgainWhenTheSenderHasVanished() {
    var run = ReceiverRun()
    run.play(.zone("z"))
    run.hear(.zoneURI(zone: "z", uri: "ohu://192.0.2.1:40000"))
    run.hearTexts()
    run.hear(frames: 0...19)
    run.steps = []
    run.advance(milliseconds: 9000)
    #expect(!run.log.contains("query z"))
    run.advance(milliseconds: 3000)
    #expect(run.log.contains("query z"))
  }

  @Test func opensAgainWhenTheNetworkChanges() {
    var run = ReceiverRun()
    run.play(.zone("z"))
    run.hear(.zoneURI(zone: "z", uri: "ohm://239.253.1.44:51970"))
    run.hearTexts()
    run.steps = []
    // Another network disturbs nothing.
    let both = ReceiverRun.networks + [CIDR("203.0.113.2/24")].compactMap { $0 }
    run.perform(run.machine.networkChanged(both, now: run.now))
    #expect(run.log == ["query z"])
    run.advance(milliseconds: 50)
    run.steps = []
    run.perform(run.machine.networkChanged(Array(both.suffix(1)), now: run.now))
    #expect(
      run.log == ["close", "open ohm://239.253.1.44:51970", "Join > 239.253.1.44:51970"])
  }
}
