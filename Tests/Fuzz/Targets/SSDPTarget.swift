import NIOCore

@testable import DeviceStack
@testable import UPnP

/// A datagram on port 1900, and the responses to it.
enum SSDPTarget {
  private static let types = ["AVTransport", "RenderingControl", "ConnectionManager"].map {
    URN(domain: "schemas-upnp-org", kind: .service, name: $0, version: 1)
  }
  private static let responder = SearchResponder(devices: [
    Advertisement(
      udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01",
      deviceType: URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 1),
      serviceTypes: types, descriptionPath: "/d.xml", configID: 1)
  ])
  private static let writer = SSDPWriter(
    settings: SSDPSettings(product: "Linux/6.1 UPnP/1.1 Fuzz/1.0", httpPort: 49152, bootID: 1))
  private static let names: Set<String> = [
    "cache-control", "date", "ext", "location", "server", "st", "usn", "bootid.upnp.org", "configid.upnp.org",
  ]

  static func test(_ input: UnsafeRawBufferPointer) {
    guard let message = SSDPMessage(Array(input)) else { return }
    var random = SystemRandomNumberGenerator()
    for delivery in [SearchRequest.Delivery.multicast, .unicast] {
      guard let request = SearchRequest(message, delivery: delivery) else { continue }
      check(request.wait >= .zero && request.wait <= .seconds(5), "MX \(request.wait)")
      let answers = responder.answers(to: request, random: &random)
      check(answers.count <= 3 + types.count, "\(answers.count) answers")
      for answer in answers {
        check(answer.delay >= .zero && answer.delay <= .seconds(1), "answered after \(answer.delay)")
        let text = writer.response(answer.announcement, bootID: 1, address: "192.0.2.1", date: "now")
        guard let read = SSDPMessage(Array(text.utf8)) else { return check(false, "answered \(text)") }
        // Echoed text must not add a line, whichever characters a reader treats as a line end.
        check(Set(read.fields.keys) == names, "answered \(text)")
        check(text.split(whereSeparator: \.isNewline).count == names.count + 1, "answered \(text)")
      }
    }
  }
}
