import NIOCore
import Testing
import UPnP

@testable import DeviceStack

struct SearchResponderTests {
  private let responder = SearchResponder(devices: testDevices)
  private static let first = "uuid:00000000-0000-0000-0000-00000000000a"
  private static let second = "uuid:00000000-0000-0000-0000-00000000000b"

  @Test(arguments: [
    ("upnp:rootdevice", ["upnp:rootdevice \(first)::upnp:rootdevice", "upnp:rootdevice \(second)::upnp:rootdevice"]),
    (first, ["\(first) \(first)"]),
    // The search target matches in any case; the USN is the announced one.
    (
      "uuid:00000000-0000-0000-0000-00000000000B",
      ["uuid:00000000-0000-0000-0000-00000000000B \(second)"]
    ),
    (
      "urn:schemas-upnp-org:device:MediaRenderer:1",
      [
        "urn:schemas-upnp-org:device:MediaRenderer:1 \(first)::urn:schemas-upnp-org:device:MediaRenderer:1"
      ]
    ),
    // A search for an earlier version is answered with that version.
    (
      "urn:av-openhome-org:service:Product:1",
      ["urn:av-openhome-org:service:Product:1 \(second)::urn:av-openhome-org:service:Product:1"]
    ),
    (
      "urn:av-openhome-org:service:Product:4",
      ["urn:av-openhome-org:service:Product:4 \(second)::urn:av-openhome-org:service:Product:4"]
    ),
    ("urn:av-openhome-org:service:Product:5", []),
    ("urn:schemas-upnp-org:service:Product:1", []),
    ("urn:schemas-upnp-org:device:AVTransport:1", []),
    ("urn:schemas-upnp-org:device:MediaServer:1", []),
    ("uuid:00000000-0000-0000-0000-00000000000c", []),
  ])
  func answers(target: String, expected: [String]) throws {
    let found = answers(try request(target, wait: .seconds(3)))
    #expect(found.map { "\($0.announcement.type) \($0.announcement.usn)" } == expected)
  }

  @Test func answersForAllThatItAnnounces() throws {
    let found = answers(try request("ssdp:all", wait: .seconds(3)))
    #expect(found.map(\.announcement) == testDevices.flatMap(\.announcements))
    #expect(
      testDevices[0].announcements.map { "\($0.type) \($0.usn) \($0.descriptionPath) \($0.configID)" } == [
        "upnp:rootdevice \(Self.first)::upnp:rootdevice /av/description.xml 7",
        "\(Self.first) \(Self.first) /av/description.xml 7",
        "urn:schemas-upnp-org:device:MediaRenderer:1 \(Self.first)::urn:schemas-upnp-org:device:MediaRenderer:1 /av/description.xml 7",
        "urn:schemas-upnp-org:service:AVTransport:2 \(Self.first)::urn:schemas-upnp-org:service:AVTransport:2 /av/description.xml 7",
        "urn:schemas-upnp-org:service:RenderingControl:1 \(Self.first)::urn:schemas-upnp-org:service:RenderingControl:1 /av/description.xml 7",
      ])
  }

  /// A device with many services, so that the answers fill the available time.
  @Test(arguments: [1, 2, 5])
  func spreadsItsAnswers(seconds: Int64) throws {
    var device = testDevices[0]
    device.serviceTypes = (1...60).map {
      URN(domain: "schemas-upnp-org", kind: .service, name: "Service\($0)", version: 1)
    }
    let request = try request("ssdp:all", wait: .seconds(seconds))
    for _ in 0..<50 {
      var random = SystemRandomNumberGenerator()
      let delays = SearchResponder(devices: [device]).answers(to: request, random: &random).map(\.delay)
      #expect(delays.count == 63)
      #expect(delays == delays.sorted())
      #expect(try #require(delays.first) < .milliseconds(100))
      let last = try #require(delays.last)
      #expect(last > .milliseconds(900) && last <= .milliseconds(950))
    }
  }

  @Test func answersAUnicastSearchAtOnce() throws {
    #expect(answers(try request("ssdp:all", wait: .zero)).allSatisfy { $0.delay == .zero })
  }

  private func answers(_ request: SearchRequest) -> [SearchAnswer] {
    var random = SystemRandomNumberGenerator()
    return responder.answers(to: request, random: &random)
  }

  private func request(_ target: String, wait: TimeAmount) throws -> SearchRequest {
    let text =
      "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: \(wait.nanoseconds / 1_000_000_000)\r\nST: \(target)\r\n\r\n"
    let message = try #require(SSDPMessage(Array(text.utf8)))
    return try #require(SearchRequest(message, delivery: wait == .zero ? .unicast : .multicast))
  }
}
