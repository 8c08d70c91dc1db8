import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import UPnP

@testable import DeviceStack

struct EventSourceTests {
  private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock(\.self) }

    func next() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }

  @Test func sendsTheInitialEventThenChanges() async throws {
    let harness = try await EventingHarness(variables: [("A", "1"), ("B", "x & y")])
    let listener = try await RawListener()
    let sid = try await harness.subscribe(listener.url("/ev?x=%20&y"))
    try await eventually { listener.received.count == 1 }
    let initial =
      #"<?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">"#
      + "<e:property><A>1</A></e:property><e:property><B>x &amp; y</B></e:property></e:propertyset>"
    #expect(
      listener.received[0].text == """
        NOTIFY /ev?x=%20&y HTTP/1.1\r
        HOST: 127.0.0.1:\(listener.port)\r
        CONTENT-TYPE: text/xml; charset="utf-8"\r
        CONTENT-LENGTH: \(initial.utf8.count)\r
        NT: upnp:event\r
        NTS: upnp:propchange\r
        SID: \(sid)\r
        SEQ: 0\r
        USER-AGENT: Test/1 UPnP/1.1 Test/1\r
        \r
        \(initial)
        """)

    try await harness.set((1, "z"))
    try await eventually { listener.received.count == 2 }
    #expect(listener.received[1].seq == 1)
    #expect(
      listener.received[1].body == #"<?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">"#
        + "<e:property><B>z</B></e:property></e:propertyset>")
    #expect(listener.connections == 1)

    #expect(try await harness.ask(.UNSUBSCRIBE, ["SID": sid]).status == .ok)
    #expect(try await harness.ask(.UNSUBSCRIBE, ["SID": sid]).status == .preconditionFailed)
    // Another subscriber's event proves that the change has been processed.
    let other = try await RawListener()
    _ = try await harness.subscribe(other.url())
    try await eventually { other.received.count == 1 }
    try await harness.set((1, "later"))
    try await eventually { other.received.count == 2 }
    #expect(listener.received.count == 2)
    try await harness.stop()
    try await listener.close()
    try await other.close()
  }

  /// Regression: the flush of a change in the turn of the stop looked for a source that was gone, and ended the program.
  @Test func aChangeInTheTurnOfTheStopSendsNothing() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    let stopped = try await harness.onLoop { parts in
      parts.store.set(0, to: "changed")
      return parts.subscriptions.stop()
    }
    try await stopped.get()
    // The flush was due before this.
    try await harness.onLoop { _ in }
    #expect(listener.received.count == 1)
    try await listener.close()
  }

  /// A SID without a subscription.
  private static let unknown = "uuid:00000000-0000-4000-8000-000000000000"
  private static let url = "<http://127.0.0.1:9/>"

  @Test(
    arguments: [
      (["NT": "upnp:event"], 412),
      (["CALLBACK": "", "NT": "upnp:event"], 412),
      (["CALLBACK": "http://127.0.0.1:9/", "NT": "upnp:event"], 412),
      (["CALLBACK": "<http://localhost:9/>", "NT": "upnp:event"], 412),
      (["CALLBACK": "<https://127.0.0.1:9/>", "NT": "upnp:event"], 412),
      (["CALLBACK": "<http://192.0.2.1:9/>", "NT": "upnp:event"], 412),
      (["CALLBACK": url], 412),
      (["CALLBACK": url, "NT": "upnp:propchange"], 412),
      (["CALLBACK": url, "NT": ""], 412),
      ([:], 412),
      (["TIMEOUT": "Second-300"], 412),
      (["SID": unknown], 412),
      (["SID": ""], 412),
      (["SID": "uuid:nonsense", "TIMEOUT": "Second-300"], 412),
      (["SID": unknown, "NT": "upnp:event"], 400),
      (["SID": unknown, "CALLBACK": url], 400),
      (["SID": unknown, "CALLBACK": url, "NT": "upnp:event"], 400),
    ] as [(HTTPHeaders, Int)])
  func refusesSubscribing(_ headers: HTTPHeaders, status: Int) async throws {
    let harness = try await EventingHarness()
    let response = try await harness.ask(.SUBSCRIBE, headers)
    #expect(response.status.code == status)
    #expect(!response.headers.contains(name: "SID"))
    #expect(try await harness.onLoop { $0.subscriptions.count } == 0)
    try await harness.stop()
  }

  @Test(
    arguments: [
      ([:], 412), (["SID": ""], 412), (["SID": unknown], 412), (["SID": unknown, "NT": "upnp:event"], 400),
      (["SID": unknown, "CALLBACK": url], 400),
    ] as [(HTTPHeaders, Int)])
  func refusesUnsubscribing(_ headers: HTTPHeaders, status: Int) async throws {
    let harness = try await EventingHarness()
    #expect(try await harness.ask(.UNSUBSCRIBE, headers).status.code == status)
    try await harness.stop()
  }

  @Test func answersWithWhatIsGranted() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    for (asked, granted) in [("Second-300", "Second-300"), ("Second-infinite", "Second-1800"), ("x", "Second-1800")] {
      let response = try await harness.ask(
        .SUBSCRIBE,
        ["CALLBACK": "<\(listener.url())>", "NT": "upnp:event", "TIMEOUT": asked, "STATEVAR": "A,B"])
      #expect(response.status == .ok)
      #expect(response.headers.map(\.name) == ["SID", "TIMEOUT"])
      #expect(response.headers.first(name: "TIMEOUT") == granted)
      let sid = try #require(response.headers.first(name: "SID"))
      let renewal = try await harness.ask(.SUBSCRIBE, ["SID": sid, "TIMEOUT": "Second-77"])
      #expect(renewal.status == .ok)
      #expect(renewal.headers.first(name: "SID") == sid)
      #expect(renewal.headers.first(name: "TIMEOUT") == "Second-77")
    }
    #expect(try await harness.onLoop { $0.subscriptions.count } == 3)
    try await harness.stop()
    try await listener.close()
  }

  @Test func holdsTheInitialEventUntilTheAnswerIsOut() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    let url = listener.url("/held")
    let onFlushed = try await harness.onLoop { parts in
      let request = HTTPRequest(
        method: .SUBSCRIBE, uri: "/", headers: ["CALLBACK": "<\(url)>", "NT": "upnp:event"],
        remote: try SocketAddress(ipAddress: "127.0.0.1", port: 1),
        local: try SocketAddress(ipAddress: "127.0.0.1", port: 2))
      return NIOLoopBound(parts.source.subscribe(request).onFlushed, eventLoop: parts.subscriptions.eventLoop)
    }
    // A later subscriber gets its events meanwhile.
    _ = try await harness.subscribe(listener.url("/later"))
    try await harness.set((0, "new"))
    try await eventually { listener.received.last?.body.contains("new") == true }
    #expect(listener.received.allSatisfy { $0.path == "/later" })
    try await harness.onLoop { _ in onFlushed.value?() }
    try await eventually { listener.received.contains { $0.path == "/held" && $0.seq == 0 } }
    try await harness.stop()
    try await listener.close()
  }

  @Test func largeValuesAreMadeWhenTheyAreSent() async throws {
    let counter = Counter()
    let harness = try await EventingHarness(
      variables: [("A", "1")], large: { "made \(counter.next())" },
      moderation: Moderation(.zero, variables: ["Large": .milliseconds(50)]))
    // Without subscribers, the value is not built.
    try await harness.onLoop { parts in for _ in 0..<100 { parts.store.touch(1) } }
    #expect(counter.count == 0)
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 2 }
    #expect(listener.received.allSatisfy { $0.body.contains("<A>1</A>") && $0.body.contains("<Large>made 1</Large>") })
    // All changes between two events are sent as one event.
    try await harness.onLoop { parts in
      for number in 0..<100 {
        parts.store.touch(1)
        parts.store.set(0, to: "\(number)")
      }
    }
    try await eventually { listener.received.contains { $0.body.contains("<Large>made 2</Large>") } }
    try await eventually { listener.received.contains { $0.body.contains("<A>99</A>") } }
    #expect(counter.count == 2)
    try await harness.stop()
    try await listener.close()
  }

  /// A bridge takes a repeated STOPPED for the end of the track.
  @Test func valuesThatTheSubscriberHasAreNotSent() async throws {
    let harness = try await EventingHarness(moderation: Moderation(.milliseconds(200)))
    let listener = try await RawListener()
    _ = try await harness.subscribe(listener.url())
    try await eventually { listener.received.count == 1 }
    // A change that reverts within the interval.
    try await harness.set((0, "changed"))
    try await eventually { listener.received.count == 2 }
    try await harness.set((0, "briefly"))
    try await harness.set((0, "changed"))
    try await harness.set((1, "next"))
    try await eventually { listener.received.count == 3 }
    // A change that the initial event contains, but which is not due before it.
    try await harness.set((0, "new"))
    let other = try await RawListener()
    _ = try await harness.subscribe(other.url())
    try await eventually { listener.received.count == 4 && other.received.count == 1 }
    try await harness.set((1, "last"))
    try await eventually { listener.received.count == 5 && other.received.count == 2 }
    func evented(_ listener: RawListener) -> [[String]] {
      listener.received.map { message in ["A", "B"].filter { message.body.contains("<\($0)>") } }
    }
    #expect(evented(listener) == [["A", "B"], ["A"], ["B"], ["A"], ["B"]])
    #expect(evented(other) == [["A", "B"], ["B"]])
    #expect(listener.connections == 1 && other.connections == 1)
    try await harness.stop()
    try await listener.close()
    try await other.close()
  }

  /// A subscriber on another network cannot reach the address of the first one.
  @Test func eachSubscriberGetsTheAddressOfItsNetwork() async throws {
    let harness = try await EventingHarness(
      variables: [("A", "/icon.png"), ("B", "/x"), ("C", "")], served: ["A", "C"])
    let listeners = [try await RawListener(), try await RawListener()]
    for (listener, local) in zip(listeners, ["127.0.0.1", "127.0.0.2"]) {
      _ = try await harness.ask(
        .SUBSCRIBE, ["CALLBACK": "<\(listener.url())>", "NT": "upnp:event"], on: local)
    }
    try await eventually { listeners.allSatisfy { $0.received.count == 1 } }
    try await harness.set((0, "/other.png"))
    try await eventually { listeners.allSatisfy { $0.received.count == 2 } }
    for (listener, local) in zip(listeners, ["127.0.0.1", "127.0.0.2"]) {
      #expect(listener.received[0].body.contains("<A>http://\(local):49152/icon.png</A>"))
      #expect(listener.received[0].body.contains("<B>/x</B></e:property><e:property><C></C>"))
      #expect(listener.received[1].body.contains("<A>http://\(local):49152/other.png</A>"))
    }
    try await harness.stop()
    for listener in listeners { try await listener.close() }
  }

  @Test func reportsWhetherThereAreSubscribers() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    try await harness.onLoop { parts in
      let store = parts.store
      store.onWatched = { [unowned store] in store.set(0, to: "watched: \(store.isWatched)") }
    }
    func isWatched() async throws -> Bool { try await harness.onLoop { $0.store.isWatched } }
    #expect(try await !isWatched())
    let sid = try await harness.subscribe(listener.url())
    let other = try await harness.subscribe(listener.url())
    try await eventually { listener.received.contains { $0.seq == 0 && $0.body.contains("<A>watched: true</A>") } }
    #expect(try await harness.ask(.UNSUBSCRIBE, ["SID": sid]).status == .ok)
    #expect(try await isWatched())
    #expect(try await harness.ask(.UNSUBSCRIBE, ["SID": other]).status == .ok)
    #expect(try await !isWatched())
    #expect(try await harness.onLoop { $0.store.value(of: 0) } == "watched: false")
    _ = try await harness.subscribe(listener.url())
    #expect(try await isWatched())
    try await harness.stop()
    #expect(try await !isWatched())
    try await listener.close()
  }

  @Test func isFullBeyondTheLimits() async throws {
    let harness = try await EventingHarness(limits: .init(total: 3, perAddress: 2))
    let statuses = try await ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.3"].asyncMap { subscriber in
      try await harness.ask(
        .SUBSCRIBE, ["CALLBACK": "<http://\(subscriber):9/>", "NT": "upnp:event"], from: subscriber
      ).status
        .code
    }
    #expect(statuses == [200, 200, 503, 200, 503])
    try await harness.stop()
  }

  @Test func otherServicesKnowNothingOfTheSubscription() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    let sid = try await harness.subscribe(listener.url())
    let statuses = try await harness.onLoop { parts in
      let other = EventSource(
        store: VariableStore(form: .properties, initial: []), moderation: Moderation(.zero),
        subscriptions: parts.subscriptions,
        name: "Other")
      let request = HTTPRequest(
        method: .SUBSCRIBE, uri: "/", headers: ["SID": sid], remote: try SocketAddress(ipAddress: "127.0.0.1", port: 1),
        local: try SocketAddress(ipAddress: "127.0.0.1", port: 2))
      return [other.subscribe(request).response.status, other.unsubscribe(request).status]
    }
    #expect(statuses == [.preconditionFailed, .preconditionFailed])
    #expect(try await harness.ask(.SUBSCRIBE, ["SID": sid]).status == .ok)
    try await harness.stop()
    try await listener.close()
  }

  @Test func aSubscriptionExpires() async throws {
    let harness = try await EventingHarness()
    let listener = try await RawListener()
    let sid = try await harness.subscribe(listener.url(), timeout: "Second-10")
    let kept = try await harness.subscribe(listener.url(), timeout: "Second-300")
    try await eventually { try await harness.onLoop { $0.subscriptions.count } == 1 }
    #expect(try await harness.ask(.SUBSCRIBE, ["SID": sid]).status == .preconditionFailed)
    #expect(try await harness.ask(.SUBSCRIBE, ["SID": kept]).status == .ok)
    try await harness.stop()
    try await listener.close()
  }
}
