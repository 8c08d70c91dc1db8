import Glibc
import Testing

@testable import Companion

@Suite struct CompanionLoopTests {
  @Test @CompanionActor func aReadyDescriptorCallsItsBodyUntilItIsCancelled() async {
    var pipe: [Int32] = [0, 0]
    #expect(Glibc.pipe(&pipe) == 0)
    let (reader, writer) = (pipe[0], pipe[1])
    defer { for end in [reader, writer] { close(end) } }
    let (calls, call) = AsyncStream.makeStream(of: UInt8.self)
    let watch = DescriptorWatch(reader, events: POLLIN) { events in
      #expect(events & POLLIN != 0)
      var byte: UInt8 = 0
      _ = read(reader, &byte, 1)
      call.yield(byte)
    }
    var iterator = calls.makeAsyncIterator()
    for byte: UInt8 in [7, 8] {
      _ = withUnsafeBytes(of: byte) { write(writer, $0.baseAddress, 1) }
      #expect(await iterator.next() == byte)
    }
    watch.cancel()
    _ = withUnsafeBytes(of: UInt8(9)) { write(writer, $0.baseAddress, 1) }
    // A watch that is not cancelled would call back before this timer fires.
    await withCheckedContinuation { continuation in
      let timer = CompanionTimer(after: .milliseconds(20)) { continuation.resume() }
      withExtendedLifetime(timer) {}
      Self.timers.append(timer)
    }
    call.finish()
    #expect(await iterator.next() == nil)
  }

  @CompanionActor private static var timers: [CompanionTimer] = []

  /// The timers become due one after another, or all in the same turn of the loop.
  @Test(arguments: [Duration.milliseconds(30), .seconds(-1)]) @CompanionActor
  func timersFireInTheOrderOfTheirDeadlines(first: Duration) async {
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    let begin = ContinuousClock.now + first
    let timers = [3, 1, 2].map { index in
      CompanionTimer(at: begin + .milliseconds(10 * index)) { number.yield(index) }
    }
    let cancelled = CompanionTimer(at: begin + .milliseconds(15)) { number.yield(0) }
    cancelled.cancel()
    var fired: [Int] = []
    for await index in numbers {
      fired.append(index)
      if fired.count == timers.count { break }
    }
    #expect(fired == [1, 2, 3])
  }

  @Test @CompanionActor func aTimerMayCancelAnotherThatIsDue() async {
    var fired: [Int] = []
    let begin = ContinuousClock.now - .seconds(1)
    let second = CompanionTimer(at: begin + .milliseconds(2)) { fired.append(2) }
    let first = CompanionTimer(at: begin + .milliseconds(1)) {
      fired.append(1)
      second.cancel()
    }
    await withCheckedContinuation { continuation in
      Self.timers.append(CompanionTimer(at: begin + .milliseconds(3)) { continuation.resume() })
    }
    withExtendedLifetime(first) {}
    #expect(fired == [1])
  }

  @Test func jobsOfTheActorRunOnItsThread() async {
    let isIsolated = await Task { @CompanionActor in
      CompanionActor.immediately { true }
    }.value
    #expect(isIsolated)
  }
}
