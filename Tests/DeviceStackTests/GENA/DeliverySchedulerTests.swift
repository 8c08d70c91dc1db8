import NIOCore
import Testing

@testable import DeviceStack
@testable import UPnP

struct DeliverySchedulerTests {
  private typealias Action = DeliveryScheduler.Action

  private func at(_ milliseconds: Int64) -> NIODeadline {
    .uptimeNanoseconds(0) + .seconds(1000) + .milliseconds(milliseconds)
  }

  private func listener(_ port: UInt16) -> Authority {
    Authority(address: IPAddress(bits: 0x0A00_0001), port: port, local: IPAddress(bits: 0x0A00_0009))
  }

  private func sids(_ count: Int) -> [SID] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in SID(using: &generator) }
  }

  /// The actions on connections, without the wake-ups.
  private func moves(_ actions: [Action]) -> [Action] {
    actions.filter { if case .wake = $0 { false } else { true } }
  }

  private func wakes(_ actions: [Action]) -> [NIODeadline] {
    actions.compactMap { if case .wake(let deadline) = $0 { deadline } else { nil } }
  }

  /// The connection opened by the only action.
  private func opened(_ actions: [Action]) throws -> DeliveryScheduler.ConnectionID {
    let moves = moves(actions)
    try #require(moves.count == 1)
    guard case .open(let id, _, _) = moves[0] else { throw Unexpected() }
    return id
  }

  private struct Unexpected: Error {}

  @Test func sendsOneAfterTheOtherOnOneConnection() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(3)
    let connection = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    #expect(moves(scheduler.submit(ids[1], to: listener(1), isPrompt: true, now: at(0))) == [])
    #expect(moves(scheduler.submit(ids[2], to: listener(1), isPrompt: true, now: at(0))) == [])
    #expect(moves(scheduler.finished(connection, isReusable: true, now: at(10))) == [.reuse(connection, ids[1])])
    #expect(moves(scheduler.finished(connection, isReusable: true, now: at(20))) == [.reuse(connection, ids[2])])
    #expect(scheduler.finished(connection, isReusable: true, now: at(30)) == [.wake(at: at(5030))])
    // The connection is kept for a while and reused.
    #expect(
      moves(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(4000))) == [.reuse(connection, ids[0])])
    #expect(scheduler.connectionCount == 1)
  }

  /// Regression: these connections stayed open for five seconds after the last UNSUBSCRIBE.
  @Test func closesAnIdleConnectionWithoutSubscriptions() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(2)
    let idle = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    _ = scheduler.finished(idle, isReusable: true, now: at(10))
    #expect(scheduler.release(listener(1)) == [.close(idle)])
    // A busy connection is closed when it finishes, unless there is a new subscription by then.
    let busy = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(20)))
    #expect(scheduler.release(listener(1)) == [])
    #expect(moves(scheduler.finished(busy, isReusable: true, now: at(30))) == [.close(busy)])
    let again = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(40)))
    _ = scheduler.release(listener(1))
    _ = scheduler.submit(ids[1], to: listener(1), isPrompt: true, now: at(50))
    #expect(moves(scheduler.finished(again, isReusable: true, now: at(60))) == [.reuse(again, ids[1])])
    #expect(moves(scheduler.finished(again, isReusable: true, now: at(70))) == [])
  }

  @Test func opensAnewWhereTheConnectionWasClosed() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(3)
    let first = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    _ = scheduler.submit(ids[1], to: listener(1), isPrompt: true, now: at(0))
    let second = try opened(scheduler.finished(first, isReusable: false, now: at(1)))
    _ = scheduler.finished(second, isReusable: true, now: at(2))
    #expect(scheduler.closed(second, now: at(3)) == [])
    #expect(scheduler.connectionCount == 0)
    #expect(try opened(scheduler.submit(ids[2], to: listener(1), isPrompt: true, now: at(4))) != second)
  }

  @Test func opensAnotherBesideASlowOneAndKeepsNoIdleOneBesideIt() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(3)
    let slow = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    #expect(wakes(scheduler.submit(ids[1], to: listener(1), isPrompt: true, now: at(20))).contains(at(100)))
    #expect(moves(scheduler.elapsed(now: at(99))) == [])
    let beside = try opened(scheduler.elapsed(now: at(100)))
    #expect(moves(scheduler.finished(beside, isReusable: true, now: at(110))) == [.close(beside)])
    // The slow connection is known to be slow by now, so there is no wait.
    let again = try opened(scheduler.submit(ids[2], to: listener(1), isPrompt: true, now: at(500)))
    // The slow connection is closed as soon as it finishes, so that a single-threaded controller can serve the other.
    #expect(moves(scheduler.finished(slow, isReusable: true, now: at(501))) == [.close(slow)])
    #expect(moves(scheduler.finished(again, isReusable: true, now: at(502))) == [])
    #expect(scheduler.connectionCount == 1)
  }

  @Test func promptSubscribersGoFirst() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(4)
    let connection = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: false, now: at(0)))
    _ = scheduler.submit(ids[1], to: listener(1), isPrompt: false, now: at(0))
    _ = scheduler.submit(ids[2], to: listener(1), isPrompt: true, now: at(0))
    _ = scheduler.submit(ids[3], to: listener(1), isPrompt: false, now: at(0))
    for next in [2, 1, 3] {
      #expect(moves(scheduler.finished(connection, isReusable: true, now: at(1))) == [.reuse(connection, ids[next])])
    }
  }

  @Test func doubtfulSubscribersLeaveConnectionsForOthers() throws {
    var scheduler = DeliveryScheduler(limits: .init(connections: 8, perAuthority: 2))
    let ids = sids(20)
    var opened = 0
    for (index, id) in ids[..<10].enumerated() {
      opened += moves(scheduler.submit(id, to: listener(UInt16(index)), isPrompt: false, now: at(0))).count
    }
    #expect(opened == 6)
    var prompt: [DeliveryScheduler.ConnectionID] = []
    for (index, id) in ids[10..<12].enumerated() {
      prompt.append(
        try self.opened(scheduler.submit(id, to: listener(UInt16(100 + index)), isPrompt: true, now: at(0))))
    }
    #expect(scheduler.connectionCount == 8)
    // At the limit, a prompt delivery waits, but goes before others that have waited longer.
    #expect(moves(scheduler.submit(ids[12], to: listener(200), isPrompt: true, now: at(0))) == [])
    let actions = moves(scheduler.finished(prompt[0], isReusable: true, now: at(1)))
    #expect(actions.count == 2)
    #expect(actions.first == .close(prompt[0]))
    guard case .open(_, listener(200), ids[12]) = actions[1] else {
      Issue.record("\(actions[1])")
      return
    }
    #expect(scheduler.connectionCount == 8)
  }

  @Test func allSubscribersAreServedWithFewConnections() throws {
    var scheduler = DeliveryScheduler(limits: .init(connections: 3, perAuthority: 2))
    let ids = sids(100)
    var queue: [Action] = []
    for (index, id) in ids.enumerated() {
      queue += scheduler.submit(id, to: listener(UInt16(index % 40)), isPrompt: index % 3 == 0, now: at(0))
    }
    var served: Set<SID> = []
    var time: Int64 = 0
    while !queue.isEmpty {
      time += 1
      switch queue.removeFirst() {
      case .open(let connection, _, let id), .reuse(let connection, let id):
        served.insert(id)
        queue += scheduler.finished(connection, isReusable: time % 2 == 0, now: at(time))
      case .close, .abort, .wake: break
      }
      #expect(scheduler.connectionCount <= 3)
    }
    #expect(served == Set(ids))
  }

  @Test func closesConnectionsThatAreIdleForLong() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(2)
    var connections: [DeliveryScheduler.ConnectionID] = []
    for (index, id) in ids.enumerated() {
      let connection = try opened(scheduler.submit(id, to: listener(UInt16(index)), isPrompt: true, now: at(0)))
      _ = scheduler.finished(connection, isReusable: true, now: at(100 * Int64(index)))
      connections.append(connection)
    }
    #expect(scheduler.elapsed(now: at(4000)) == [.wake(at: at(5000))])
    // One wake-up for both.
    #expect(scheduler.elapsed(now: at(5000)) == [.close(connections[0]), .close(connections[1])])
    #expect(scheduler.connectionCount == 0)
    #expect(scheduler.elapsed(now: at(9000)) == [])
  }

  @Test func givesUpWaitingForAnAnswer() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(2)
    let connection = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    #expect(scheduler.elapsed(now: at(29_999)) == [.wake(at: at(30_000))])
    #expect(scheduler.elapsed(now: at(30_000)) == [.abort(connection)])
    #expect(scheduler.finished(connection, isReusable: false, now: at(30_000)) == [])
    #expect(scheduler.connectionCount == 0)
  }

  @Test func cancelledMessagesAreNotSent() throws {
    var scheduler = DeliveryScheduler()
    let ids = sids(3)
    let connection = try opened(scheduler.submit(ids[0], to: listener(1), isPrompt: true, now: at(0)))
    _ = scheduler.submit(ids[1], to: listener(1), isPrompt: true, now: at(0))
    _ = scheduler.submit(ids[2], to: listener(1), isPrompt: false, now: at(0))
    scheduler.cancel(ids[1], to: listener(1))
    scheduler.cancel(ids[2], to: listener(1))
    #expect(moves(scheduler.finished(connection, isReusable: true, now: at(1))) == [])
  }

  @Test func oneListenerDoesNotTakeAllConnections() throws {
    var scheduler = DeliveryScheduler(limits: .init(connections: 100, perAuthority: 4))
    var opened = 0
    for (index, id) in sids(20).enumerated() {
      // Each is submitted when the one before has become slow.
      opened += moves(scheduler.submit(id, to: listener(1), isPrompt: true, now: at(Int64(index) * 100))).count
    }
    #expect(opened == 4)
    #expect(moves(scheduler.submit(sids(1)[0], to: listener(2), isPrompt: true, now: at(3000))).count == 1)
  }
}
