import NIOCore
import NetworkTesting
import Testing

@testable import UPnP

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

  /// ssdpy and many small control points omit the quotation marks.
  @Test func manNeedsNoQuotationMarks() {
    let request = request("M-SEARCH * HTTP/1.1\r\nMAN: ssdp:discover\r\nMX: 3\r\nST: ssdp:all\r\n\r\n", .multicast)
    #expect(request?.target == .all)
  }

  @Test(arguments: silentSearches)
  func isNone(reason: String, text: String) {
    #expect(request(text, .multicast) == nil)
  }

  private func request(_ text: String, _ delivery: SearchRequest.Delivery) -> SearchRequest? {
    SSDPMessage(Array(text.utf8)).flatMap { SearchRequest($0, delivery: delivery) }
  }
}
