import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import UPnP

@testable import DeviceStack

/// Delivery over loopback to well-behaved and misbehaving listeners.
struct EventDeliveryTests {
  @Test func severalVariablesSetInOneTurnGoInOneEvent() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "x"), (1, "y"))
    try await harness.set((0, "z"))
    try await eventually { listener.received.last?.body.contains("<A>z</A>") == true }
    #expect(listener.received[1].body.contains("<B>y</B>"))
    #expect(listener.received.count <= 3)
    try await harness.stop()
    try await listener.close()
  }

  @Test func moderatesWithALeadingEdge() async throws {
    let harness = try await EventingHarness(moderation: Moderation(.milliseconds(200)))
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "0"))
    try await eventually { listener.received.count == 2 }
    #expect(listener.received[1].body.contains("<A>0</A>"))
    let start = NIODeadline.now()
    for value in 1..<100 {
      try await harness.set((0, "\(value)"))
      try await Task.sleep(for: .milliseconds(5))
    }
    let intervals = (NIODeadline.now() - start).nanoseconds / TimeAmount.milliseconds(200).nanoseconds
    try await eventually { listener.received.last?.body.contains("<A>99</A>") == true }
    // One event at the start and one per started interval.
    let events = listener.received.count - 2
    #expect(1...Int(intervals) + 2 ~= events)
    try await harness.stop()
    try await listener.close()
  }

  @Test(arguments: [
    RawListener.Reply.textThenClose("HTTP/1.0 200 OK\r\n\r\n"),
    .text("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    .text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    // Some listeners send no length and keep the connection open.
    .text("HTTP/1.1 200 OK\r\n\r\n"),
    .text("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 100_000)),
  ])
  func takesANewConnectionAfter(_ reply: RawListener.Reply) async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { _, _ in reply }
    _ = try await harness.subscribe(listener.url())
    for round in 1...3 {
      try await eventually { listener.received.count == round && listener.openConnections == 0 }
      try await harness.set((0, "round \(round)"))
    }
    try await eventually { listener.received.count == 4 }
    #expect(listener.received.map(\.seq) == [0, 1, 2, 3])
    #expect(listener.received.map(\.connection) == [1, 2, 3, 4])
    try await harness.stop()
    try await listener.close()
  }

  @Test(arguments: [
    RawListener.Reply.ok,
    .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
    .text("HTTP/1.1 204 No Content\r\n\r\n"),
    .text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"),
    .text("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"),
  ])
  func staysOnTheConnectionAfter(_ reply: RawListener.Reply) async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { _, _ in reply }
    _ = try await harness.subscribe(listener.url())
    for round in 1...3 {
      try await eventually { listener.received.count == round }
      try await harness.set((0, "round \(round)"))
    }
    try await eventually { listener.received.count == 4 }
    #expect(listener.received.map(\.seq) == [0, 1, 2, 3])
    #expect(listener.connections == 1)
    try await harness.stop()
    try await listener.close()
  }

  /// Regression: everything the listener sent was read at full speed until the response timeout.
  @Test func limitsInterimResponses() async throws {
    let harness = try await EventingHarness()
    let promises = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)
    let listener = try await RawListener { index, _ in
      index == 0 ? .text(promises + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") : .ok
    }
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "x"))
    try await eventually { listener.connections == 2 }
    try await harness.stop()
    try await listener.close()
  }

  @Test func replacesAStaleConnectionWithTheSameSEQ() async throws {
    let harness = try await EventingHarness()
    // The second message's connection closes without an answer, just like a connection that had already been closed.
    let listener = try await RawListener { index, _ in index == 1 ? .close : .ok }
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "x"))
    try await eventually { listener.received.count == 3 }
    #expect(listener.received.map(\.seq) == [0, 1, 1])
    #expect(listener.received.map(\.connection) == [1, 1, 2])
    #expect(listener.received[1].body == listener.received[2].body)
    try await harness.stop()
    try await listener.close()
  }

  @Test func oneSlowSubscriberHasOneConnection() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { _, _ in .ok(after: SubscriberQueue.slow * 2) }
    _ = try await harness.subscribe(listener.url())
    for round in 1...3 {
      try await eventually { listener.received.count == round }
      try await harness.set((0, "round \(round)"))
    }
    try await eventually { listener.received.count == 4 }
    #expect(listener.connections == 1)
    try await harness.stop()
    try await listener.close()
  }

  @Test func closesIdleConnections() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await eventually { listener.openConnections == 0 }
    #expect(NIODeadline.now() - listener.received[0].at > .seconds(4))
    try await harness.stop()
    try await listener.close()
  }

  @Test func retriesTheInitialEventOfASubscriberThatIsNotReady() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { index, _ in index == 0 ? .status(412) : .ok }
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 2 }
    #expect(listener.received.map(\.seq) == [0, 0])
    #expect(listener.received[0].body == listener.received[1].body)
    try await harness.stop()
    try await listener.close()
  }

  @Test func endsWhenTheSubscriberDoesNotKnowIt() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { index, _ in index == 1 ? .status(412) : .ok }
    let sid = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "x"))
    try await eventually { try await harness.onLoop { $0.subscriptions.count } == 0 }
    #expect(try await harness.ask(.SUBSCRIBE, ["SID": sid]).status == .preconditionFailed)
    try await harness.stop()
    try await listener.close()
  }

  @Test func mergesRefusedChangesIntoTheNextEvent() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener { index, _ in index == 1 ? .status(500) : .ok }
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    try await harness.set((0, "x"))
    try await eventually { listener.received.count == 2 }
    try await harness.set((1, "y"))
    try await eventually { listener.received.count == 3 }
    #expect(listener.received.map(\.seq) == [0, 1, 2])
    #expect(listener.received[2].body.contains("<A>x</A></e:property><e:property><B>y</B>"))
    try await harness.stop()
    try await listener.close()
  }

  @Test func reachesASubscriberThatComesBack() async throws {
    let harness = try await EventingHarness()
    let first = try await RawListener()
    let port = first.port
    _ = try await harness.subscribe(first.url())
    try await eventually { first.received.count == 1 && first.openConnections == 1 }
    try await first.close()
    // The listener is gone, and its open connection is closed with it.
    try await harness.onLoop { $0.store.set(0, to: "while there") }
    try await eventually { first.received.count == 2 }
    try await eventually { first.openConnections == 0 }
    try await harness.set((0, "missed"))
    try await harness.set((1, "missed too"))
    let second = try await RawListener(port: port)
    try await eventually { second.received.count >= 1 }
    let received = second.received[0]
    #expect(received.seq == 2)
    #expect(received.body.contains("<A>missed</A></e:property><e:property><B>missed too</B>"))
    try await harness.stop()
    try await second.close()
  }

  @Test func triesTheCallbacksInOrder() async throws {
    let harness = try await EventingHarness()
    let gone = try await RawListener()
    let url = gone.url("/gone")
    try await gone.close()
    let refusing = try await RawListener { _, _ in .status(500) }
    let listener = try await RawListener()
    _ = try await harness.subscribe(url, refusing.url(), listener.url("/third"))
    try await eventually { listener.received.count == 1 }
    #expect(listener.received[0].path == "/third")
    #expect(listener.received[0].seq == 0)
    #expect(refusing.received.map(\.seq) == [0])
    try await harness.set((0, "x"))
    try await eventually { listener.received.count == 2 }
    #expect(listener.received[1].seq == 1)
    #expect(refusing.received.count == 1)
    try await harness.stop()
    try await refusing.close()
    try await listener.close()
  }

  @Test func leavesFromTheAddressSubscribedOn() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    let headers: HTTPHeaders = ["CALLBACK": "<\(listener.url())>", "NT": "upnp:event"]
    #expect(try await harness.ask(.SUBSCRIBE, headers, on: "127.0.0.7").status == .ok)
    #expect(try await harness.ask(.SUBSCRIBE, headers, on: "127.0.0.8").status == .ok)
    try await eventually { listener.received.count == 2 }
    #expect(Set(listener.received.map { $0.remote?.ipAddress }) == ["127.0.0.7", "127.0.0.8"])
    try await harness.stop()
    try await listener.close()
  }

  @Test func stopsAtOnceWithMessagesUnderWay() async throws {
    let harness = try await EventingHarness()
    let silent = try await RawListener { _, _ in .silence }
    for _ in 0..<5 { _ = try await harness.subscribe(silent.url()) }
    try await eventually { !silent.received.isEmpty }
    let start = NIODeadline.now()
    try await harness.stop()
    try await harness.stop()
    // Far less than the response timeout.
    #expect(NIODeadline.now() - start < .seconds(20))
    #expect(try await harness.onLoop { $0.subscriptions.count } == 0)
    let status = try await harness.ask(.SUBSCRIBE, ["CALLBACK": "<\(silent.url())>", "NT": "upnp:event"]).status
    #expect(status == .serviceUnavailable)
    try await eventually { silent.openConnections == 0 }
    try await silent.close()
  }

  // MARK: Many

  @Test(arguments: [200, 500])
  func reachesAllSubscribersOfOneListener(_ count: Int) async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    for index in 0..<count { _ = try await harness.subscribe(listener.url("/\(index)")) }
    try await eventually { listener.received.count == count }
    try await harness.set((0, "x"))
    try await eventually { listener.received.count == 2 * count }
    let events = listener.received.dropFirst(count)
    #expect(Set(events.map(\.path)).count == count)
    #expect(events.allSatisfy { $0.seq == 1 && $0.body.contains("<A>x</A>") })
    try await harness.stop()
    try await listener.close()
  }

  @Test func reachesAllListenersThoughThereAreMoreThanConnections() async throws {
    let harness = try await EventingHarness(deliveryLimits: .init(connections: 16, perAuthority: 4))
    let listeners = try await (0..<100).asyncMap { _ in try await RawListener() }
    for listener in listeners { _ = try await harness.subscribe(listener.url()) }
    try await eventually { listeners.allSatisfy { $0.received.count == 1 } }
    try await harness.set((0, "x"))
    try await eventually { listeners.allSatisfy { $0.received.last?.seq == 1 } }
    try await harness.stop()
    for listener in listeners { try await listener.close() }
  }

  /// All subscribers share one listener, so that slow ones can delay the others.
  @Test func deadAndSlowSubscribersDelayNobody() async throws {
    let harness = try await EventingHarness()
    let gone = try await RawListener()
    let dead = gone.url()
    try await gone.close()
    let listener = try await RawListener { _, request in request.path.hasPrefix("/slow") ? .silence : .ok }
    for index in 0..<10 {
      _ = try await harness.subscribe(listener.url("/slow\(index)"))
      _ = try await harness.subscribe(dead)
      _ = try await harness.subscribe("http://127.0.0.1:\(listener.port)/good\(index)")
    }
    try await eventually { listener.received.count { $0.path.hasPrefix("/good") } == 10 }
    let start = NIODeadline.now()
    try await harness.set((0, "x"))
    try await eventually { listener.received.count { $0.path.hasPrefix("/good") && $0.seq == 1 } == 10 }
    // Far less than the slow ones' response timeout, far more than the others need.
    #expect(NIODeadline.now() - start < .seconds(20))
    #expect(listener.received.count { $0.path.hasPrefix("/slow") } == 10)
    try await harness.stop()
    try await listener.close()
  }

  /// The controller answers so late that more connections are opened, which it accepts only after closing the previous
  /// one.
  @Test func doesNotBlockAControllerThatServesOneConnectionAtATime() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener(isSerial: true) { _, _ in .ok(after: .milliseconds(150)) }
    for index in 0..<8 { _ = try await harness.subscribe(listener.url("/\(index)")) }
    try await eventually { listener.received.count == 8 }
    try await harness.set((0, "x"))
    try await eventually { listener.received.count == 16 }
    #expect(Set(listener.received.map { "\($0.path) \($0.seq ?? 99)" }).count == 16)
    #expect(listener.mostOpenConnections == 1)
    // No connection was kept idle while another waited to be accepted.
    let gaps = zip(listener.received.dropFirst(), listener.received).map { $0.at - $1.at }
    #expect(gaps.allSatisfy { $0 < DeliveryScheduler.idleTime - .seconds(1) })
    try await harness.stop()
    try await listener.close()
  }
}
