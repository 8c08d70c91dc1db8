import NIOCore
import Testing

@testable import DeviceStack

struct SearchRequestTests {
  @Test(arguments: [
    ("ssdp:all", SearchTarget.all), ("upnp:rootdevice", .rootDevice), ("uuid:1-2", .udn("uuid:1-2")),
    (
      "urn:av-openhome-org:service:Product:1",
      .type(URN(domain: "av-openhome-org", kind: .service, name: "Product", version: 1))
    ),
  ])
  func reads(text: String, target: SearchTarget) {
    let request = request("M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 3\r\nST: \(text)\r\n\r\n", .multicast)
    #expect(request?.target == target)
    #expect(request?.text == text)
  }

  @Test(arguments: [
    ("1", SearchRequest.Delivery.multicast, 1), ("5", .multicast, 5), ("6", .multicast, 5), ("120", .multicast, 5),
    ("99999999999999999999", .multicast, 5), ("3", .unicast, 0), ("soon", .unicast, 0),
  ])
  func waits(mx: String, delivery: SearchRequest.Delivery, seconds: Int64) {
    let request = request(
      "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: \(mx)\r\nST: ssdp:all\r\n\r\n", delivery)
    #expect(request?.wait == .seconds(seconds))
  }

  @Test(arguments: silentSearches)
  func isNone(reason: String, text: String) {
    #expect(request(text, .multicast) == nil)
  }

  /// What calls for silence whatever devices there are, each for one reason.
  static let silentSearches: [(reason: String, text: String)] = [
    ("wrong MAN", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:find\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("MAN without quotes", "M-SEARCH * HTTP/1.1\r\nMAN: ssdp:discover\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("no MAN", "M-SEARCH * HTTP/1.1\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("no ST", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\n\r\n"),
    ("empty ST", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST:\r\n\r\n"),
    ("no MX", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nST: ssdp:all\r\n\r\n"),
    ("MX zero", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 0\r\nST: ssdp:all\r\n\r\n"),
    ("MX negative", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: -1\r\nST: ssdp:all\r\n\r\n"),
    ("MX no number", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: soon\r\nST: ssdp:all\r\n\r\n"),
    ("MX a fraction", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1.5\r\nST: ssdp:all\r\n\r\n"),
    ("MX empty", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX:\r\nST: ssdp:all\r\n\r\n"),
    ("another method", "SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("another resource", "M-SEARCH / HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("another protocol", "M-SEARCH * RTSP/1.0\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("no protocol", "M-SEARCH *\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("a notification", "NOTIFY * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"),
    ("a type that is none", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: urn:a:device:b:0\r\n\r\n"),
    ("no type", "M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: everything\r\n\r\n"),
    ("empty lines", "\r\n\r\n"),
  ]

  private func request(_ text: String, _ delivery: SearchRequest.Delivery) -> SearchRequest? {
    SSDPMessage(Array(text.utf8)).flatMap { SearchRequest($0, delivery: delivery) }
  }
}
