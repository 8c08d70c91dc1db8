import NIOCore
import NIOHTTP1

@testable import DeviceStack
@testable import UPnP

/// The body of a POST to a control URL, for an action that echoes its arguments.
enum SOAPTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    guard let address = try? SocketAddress(ipAddress: "192.0.2.1", port: 1) else { return }
    let decoded = try? SOAPDecoder.decode(input)
    let service = HostedService(Definition.self, store: nil) { action, arguments throws(ActionFault) in
      let text: String = try arguments.value("Text")
      let number: Int16 = try arguments.value("Number", in: -5...5)
      return [ActionResult("Text", text), ActionResult("Number", number)]
    }
    var headers = HTTPHeaders()
    if let action = decoded?.action, action.utf8.count % 2 == 1 {
      headers.add(name: "SOAPACTION", value: "\"\(Definition.serviceType)#\(action)\"")
    }
    let request = HTTPRequest(
      method: .POST, uri: "/", headers: headers, body: ByteBuffer(bytes: input), remote: address, local: address)
    guard case .now(let response, nil) = ActionDispatcher(service: service).answer(request) else {
      return check(false, "no answer")
    }
    check(response.status == .ok || response.status == .internalServerError, "\(response.status)")
    check(XMLTarget.isWellFormed(String(buffer: response.body)), "answered \(String(buffer: response.body))")
    if decoded == nil { check(response.status != .ok, "an action out of nothing") }
    var header = Input(input)
    while let line = header.line() {
      if let action = SOAPAction(line) { check(action.serviceType.kind == .service && !action.action.isEmpty, line) }
    }
  }

  private enum Definition: ServiceDefinition {
    static let serviceType = URN(domain: "schemas-upnp-org", kind: .service, name: "AVTransport", version: 1)
    static let serviceID = "urn:upnp-org:serviceId:AVTransport"
    static let scpd: StaticString = ""
    static let moderation = Moderation(.zero)
  }
}
