import NIOCore
import Testing

@testable import Songcast

/// Repair, as a receiver does it.
@Suite struct FrameOrderTests {
  @Test(arguments: 1...20) func asksSoonAndThenEvery30Milliseconds(seed: Int) throws {
    var run = ReceiverRun.joined(seed: UInt64(seed))
    run.hear(frames: 0...4, except: [2, 3])
    let gap = 20.0
    // Frame 4 arrives 20 ms after frame 0; 60 ms later frame 2 is given up.
    run.advance(milliseconds: 50)
    let requests = run.requests
    #expect(requests.map(\.frames) == Array(repeating: [2, 3], count: requests.count))
    #expect((gap...gap + 10).contains(try #require(requests.first).at))
    for (last, next) in zip(requests, requests.dropFirst()) { #expect(abs(next.at - last.at - 30) < 0.001) }
    run.hear(.audio(frame(number: 3, flags: .resent)), from: ReceiverRun.driver)
    #expect(run.played == [0, 1])
    run.hear(.audio(frame(number: 2, flags: .resent)), from: ReceiverRun.driver)
    #expect(run.played == [0, 1, 2, 3, 4])
    #expect(run.receivedFrames.dropFirst().allSatisfy { $0.joint == .continues })
    #expect(run.lost == 0)
  }

  @Test func givesUpInTimeToPlayOn() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...30, except: [2, 3, 7])
    // Frame 4 arrived at 20 ms and is played at 120 ms. 40 ms before, it is handed out.
    #expect(run.steps.first { $0.action == .lost(2) }?.at == 80)
    #expect(run.steps.first { $0.action == .lost(1) }?.at == 100)
    #expect(run.played == (0...30).filter { ![2, 3, 7].contains($0) })
    #expect(run.receivedFrames.dropFirst().allSatisfy { $0.joint == .continues })
  }

  @Test func asksForFewFramesAtOnce() throws {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...0)
    run.hear(.audio(frame(number: 101)), from: ReceiverRun.driver)
    run.advance(milliseconds: 10)
    #expect(try #require(run.requests.first).frames == Array(1...20))
  }

  @Test func countsAsRestartedBeyond200Frames() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...4, except: [3])
    run.hear(.audio(frame(number: 5 + 250)), from: ReceiverRun.driver)
    #expect(run.played == [0, 1, 2, 4, 255])
    #expect(run.receivedFrames.last?.joint == .restart)
    #expect(run.lost == 1)
    run.advance(milliseconds: 20)
    #expect(run.requests.isEmpty)
  }

  @Test func theNumbersWrap() {
    var run = ReceiverRun.joined()
    run.hear(frames: UInt32.max - 2...UInt32.max)
    run.hear(frames: 1...2)
    run.hear(.audio(frame(number: 0, flags: .resent)), from: ReceiverRun.driver)
    #expect(run.played == [.max - 2, .max - 1, .max, 0, 1, 2])
  }

  @Test func playsNothingTwice() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...3)
    run.hear(frames: 1...2)
    run.hear(.audio(frame(number: 3, flags: .resent)), from: ReceiverRun.driver)
    run.hear(frames: 4...5)
    #expect(run.played == Array(0...5))
    #expect(run.receivedFrames.dropFirst().allSatisfy { $0.joint == .continues })
  }

  @Test func aFrameThatIsTooLateRestartsNothing() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...30, except: [2])
    run.hear(.audio(frame(number: 2)), from: ReceiverRun.driver)
    run.hear(frames: 31...32)
    #expect(run.lost == 1)
    #expect(run.played == (0...32).filter { $0 != 2 })
  }

  @Test func aResentFrameStartsNothing() {
    var run = ReceiverRun.joined()
    run.hear(.audio(frame(number: 5, flags: .resent)), from: ReceiverRun.driver)
    #expect(run.played == [])
  }

  @Test func anotherReceiversRequestPostponesItsOwn() throws {
    var run = ReceiverRun.joined(.channel(300))
    run.hear(.audio(frame(number: 0)), from: ReceiverRun.driver)
    run.hear(.audio(frame(number: 2)), from: ReceiverRun.driver)
    run.hear(.resend([1]), from: endpoint("192.0.2.9:1234"))
    run.advance(milliseconds: 29)
    #expect(run.requests.isEmpty)
    run.advance(milliseconds: 1)
    #expect(run.requests.count == 1)
  }

  @Test func aFloodOfRequestsDoesNotPreventTheRepair() throws {
    var run = ReceiverRun.joined(.channel(300))
    run.hear(.audio(frame(number: 0)), from: ReceiverRun.driver)
    run.hear(.audio(frame(number: 2)), from: ReceiverRun.driver)
    for _ in 0..<50 {
      run.hear(.resend([1]), from: endpoint("192.0.2.9:1234"))
      run.advance(milliseconds: 1)
    }
    #expect(run.requests.count == 1)
  }

  @Test func aFloodOfFramesIsBounded() {
    var run = ReceiverRun.joined()
    run.hear(frames: 0...0)
    for number: UInt32 in 2...10_000 { run.hear(.audio(frame(number: number)), from: ReceiverRun.driver) }
    // Beyond 200 held frames the sender counts as restarted.
    #expect(run.played.count >= 10_000 - 202)
  }
}
