import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import UPnP

@testable import ControlPoint

/// A device without a network: answers every action with the same body and records the requests.
final class DeviceStandIn: HTTPSending {
  /// The body of each request.
  private let received = Mutex<[String]>([])
  private let status: HTTPResponseStatus
  private let answer: String

  var requests: [String] { received.withLock { $0 } }

  /// - Parameter answer: the children of the SOAP body.
  init(status: HTTPResponseStatus = .ok, answer: String = "") {
    self.status = status
    self.answer = answer
  }

  /// Answers an action with results.
  convenience init(_ action: String, _ results: KeyValuePairs<String, String> = [:]) {
    let elements = results.map { "<\($0.key)>\($0.value)</\($0.key)>" }.joined()
    self.init(answer: "<u:\(action)Response xmlns:u=\"x\">\(elements)</u:\(action)Response>")
  }

  /// Refuses every action.
  convenience init(fault code: Int, _ description: String) {
    self.init(
      status: .internalServerError,
      answer: """
        <s:Fault><detail><UPnPError><errorCode>\(code)</errorCode><errorDescription>\(description)</errorDescription>\
        </UPnPError></detail></s:Fault>
        """)
  }

  func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    received.withLock { $0.append(request.body.map { String(buffer: $0) } ?? "") }
    let envelope =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\(answer)</s:Body></s:Envelope>"
    return ClientResponse(status: status, body: ByteBuffer(string: envelope))
  }

  /// A client of a service that declares the actions, with their inputs.
  func client<Client: ServiceClient>(_ type: Client.Type, actions: KeyValuePairs<String, [String]>) -> Client {
    let url = HTTPURL(host: "192.0.2.1", target: "/control")
    let service = DeviceDescription.Service(
      type: "\(Client.serviceType)", id: "", scpdURL: nil, controlURL: url, eventURL: nil)
    let scpd = ServiceDescription(
      actions: actions.map { name, inputs in
        .init(name: name, arguments: inputs.map { .init(name: $0, isInput: true, variable: "") })
      },
      variables: [], deviations: [])
    var settings = ControlPointSettings(product: "test")
    settings.addresses = AddressPolicy(allowed: [CIDR("192.0.2.0/24")].compactMap { $0 })
    let controlPoint = UPnPControlPoint(settings: settings, http: self, logger: Logger(label: "test"))
    return Client(RemoteService(service, scpd: scpd, controlPoint: controlPoint))
  }
}
