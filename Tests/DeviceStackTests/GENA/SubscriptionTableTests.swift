import NIOCore
import Testing

@testable import DeviceStack
@testable import UPnP

struct SubscriptionTableTests {
  private var generator = SystemRandomNumberGenerator()

  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(1000 + seconds) }

  private mutating func subscription(
    from subscriber: String = "10.0.0.1", source: Int = 0, expires: Int64 = 300
  ) throws -> Subscription {
    Subscription(
      id: SID(using: &generator), source: source, callbacks: [try #require(CallbackURL("http://\(subscriber)/"))],
      subscriber: try #require(IPAddress(subscriber)), local: try #require(IPAddress("10.0.0.9")), expires: at(expires),
      queue: SubscriberQueue(variables: .all(2), callbackCount: 1))
  }

  /// Advances a subscription until its initial event has been delivered.
  private func establish(_ id: SID, in table: inout SubscriptionTable) {
    _ = table.update(id) {
      _ = $0.queue.released()
      _ = $0.queue.begin()
      _ = $0.queue.answered(status: 200, after: .zero, now: at(0))
    }
  }

  @Test mutating func holdsNoMoreThanTheLimits() throws {
    var table = SubscriptionTable(limits: .init(total: 4, perAddress: 2))
    let first = try subscription(from: "10.0.0.1")
    var accepted: [Bool] = [table.insert(first)]
    for subscriber in ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.2", "10.0.0.3"] {
      accepted.append(table.insert(try subscription(from: subscriber)))
    }
    #expect(accepted == [true, true, false, true, true, false, false])
    #expect(table.count == 4)
    table.remove(first.id)
    #expect(table.remove(first.id) == nil)
    #expect(table.insert(try subscription(from: "10.0.0.2")) == false)
    #expect(table.insert(try subscription(from: "10.0.0.1")))
  }

  @Test mutating func changesReachTheSubscribersOfTheirSource() throws {
    var table = SubscriptionTable()
    var ids: [SID] = []
    for source in [0, 1, 0] {
      let subscription = try subscription(source: source)
      ids.append(subscription.id)
      _ = table.insert(subscription)
    }
    // The initial events have not been sent yet and will include the change.
    #expect(table.changed(.all(1), source: 0) == [])
    for id in ids { establish(id, in: &table) }
    #expect(table.changed(.all(1), source: 0) == [ids[0], ids[2]])
    #expect(table.changed(.all(1), source: 1) == [ids[1]])
    #expect(table.changed(.all(1), source: 2) == [])
  }

  @Test mutating func expiredSubscriptionsMakeRoom() throws {
    var table = SubscriptionTable(limits: .init(total: 2, perAddress: 2))
    let short = try subscription(expires: 10)
    let long = try subscription(expires: 20)
    _ = table.insert(short)
    _ = table.insert(long)
    #expect(!table.hasRoom(for: short.subscriber))

    var due = table.elapsed(now: at(9))
    #expect(due.expired.isEmpty)
    #expect(due.next == at(10))

    _ = table.update(short.id) { $0.expires = at(30) }
    due = table.elapsed(now: at(20))
    #expect(due.expired.map(\.id) == [long.id])
    #expect(due.next == at(30))
    #expect(table.hasRoom(for: short.subscriber))
    #expect(table[long.id] == nil)

    due = table.elapsed(now: at(30))
    #expect(due.expired.map(\.id) == [short.id])
    #expect(due.next == nil)
    #expect(table.count == 0)
  }

  /// A five-minute outage with a change every second: a subscription that lasts longer gets everything in one message
  /// as soon as the network is back; a shorter one expires.
  @Test mutating func anOutageOfFiveMinutes() throws {
    var table = SubscriptionTable()
    let long = try subscription(expires: 1800)
    let short = try subscription(from: "10.0.0.2", expires: 180)
    for subscription in [long, short] {
      _ = table.insert(subscription)
      establish(subscription.id, in: &table)
    }
    var attempts: [SID: Int] = [:]
    for second in 0..<300 as Range<Int64> {
      let due = table.elapsed(now: at(second))
      #expect(due.expired.map(\.id) == (second == 180 ? [short.id] : []))
      for id in due.submit + table.changed(VariableSet(index: Int(second % 2)), source: 0) {
        attempts[id, default: 0] += 1
        _ = table.update(id) { $0.queue.failed(.unreachable, now: at(second)) }
      }
    }
    #expect(table.ids == [long.id])
    // Attempts after 0, 1, 3, 7, 15 and 31 s, and then every 30 s.
    #expect(attempts == [long.id: 14, short.id: 10])
    let step = table.update(long.id) { $0.queue.renewed() }
    #expect(step == .submit)
    let message = table.update(long.id) { $0.queue.begin() }
    #expect(message == .some(.init(seq: 1, variables: .all(2))))
    let end = table.update(long.id) { $0.queue.answered(status: 200, after: .zero, now: at(300)) }
    #expect(end == .some(.nothing))
    #expect(table.elapsed(now: at(301)).next == at(1800))
  }

  @Test mutating func endsElapsedBackOffs() throws {
    var table = SubscriptionTable()
    let subscription = try subscription()
    _ = table.insert(subscription)
    establish(subscription.id, in: &table)
    _ = table.changed(.all(1), source: 0)
    _ = table.update(subscription.id) { $0.queue.failed(.unreachable, now: at(0)) }
    #expect(table.elapsed(now: at(0)).next == at(1))
    let due = table.elapsed(now: at(1))
    #expect(due.submit == [subscription.id])
    #expect(due.next == at(300))
  }
}

extension SubscriptionTable {
  /// A change whose values are news to every subscriber.
  fileprivate mutating func changed(_ variables: VariableSet, source: Int) -> [SID] {
    changed(variables, source: source) { _ in .random(in: .min ... .max) }
  }
}
