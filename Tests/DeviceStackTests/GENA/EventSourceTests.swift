import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

struct EventSourceTests {
  @Test func tellsEverythingFirstThenChangesThenNothing() async throws {
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
    // Another subscriber's event shows that the change has been dealt with.
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
}
