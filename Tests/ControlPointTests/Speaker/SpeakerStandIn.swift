import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import UPnP

@testable import ControlPoint

/// A speaker without a network: a description, SCPDs, and actions whose results a test decides.
final class SpeakerStandIn: HTTPSending {
  /// An action, and its arguments by name.
  struct Call: Sendable {
    var service: String
    var action: String
    var arguments: [String: String]

    /// The action and its arguments without InstanceID and metadata, in alphabetical order.
    var text: String {
      let shown = arguments.filter { $0.key != "InstanceID" && !$0.key.lowercased().contains("metadata") }
      return ([action] + shown.sorted { $0.key < $1.key }.map(\.value)).joined(separator: " ")
    }
  }

  enum Answer: Sendable {
    case results([String: String])
    case fault(Int)
  }

  /// Actions by service type, such as `Playlist:1`, with their inputs.
  private let services: [String: [String: [String]]]
  private let name: String
  private let answer: @Sendable (Call) -> Answer
  private let received = Mutex<[Call]>([])

  /// The actions that were called, without getters.
  var commands: [String] {
    received.withLock { $0 }.map(\.text).filter { text in
      ["Set", "Seek", "Play", "Stop", "Pause", "Next", "Skip", "Insert", "Delete"].contains { text.hasPrefix($0) }
    }
  }

  /// - Parameter name: also the UDN.
  init(
    _ services: [String: [String: [String]]], name: String = "Kitchen", answer: @escaping @Sendable (Call) -> Answer
  ) {
    self.services = services
    self.name = name
    self.answer = answer
  }

  /// - Parameter domain: the domain of the service types, such as `av-openhome-org`.
  func speaker(_ domain: String) async throws -> RemoteSpeaker {
    var settings = ControlPointSettings(product: "test")
    settings.addresses = AddressPolicy(allowed: [CIDR("192.0.2.0/24")].compactMap { $0 })
    let controlPoint = UPnPControlPoint(settings: settings, http: self, logger: Logger(label: "test"))
    return try await controlPoint.speaker(at: HTTPURL(host: "192.0.2.1", target: "/description/\(domain)"))
  }

  func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    let path = request.url.target.split(separator: "/").map(String.init)
    switch path.first {
    case "description": return ClientResponse(status: .ok, body: ByteBuffer(string: description(path[1])))
    case "scpd": return ClientResponse(status: .ok, body: ByteBuffer(string: scpd(path[1])))
    default: return try perform(path[1], request)
    }
  }

  private func description(_ domain: String) -> String {
    let list = services.keys.sorted().map { type in
      """
      <service><serviceType>urn:\(domain):service:\(type)</serviceType><serviceId>x</serviceId>\
      <SCPDURL>/scpd/\(type)</SCPDURL><controlURL>/control/\(type)</controlURL></service>
      """
    }
    return """
      <root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>1</minor></specVersion><device>\
      <deviceType>x</deviceType><friendlyName>\(name)</friendlyName><UDN>uuid:\(name)</UDN><serviceList>\(list.joined())\
      </serviceList></device></root>
      """
  }

  private func scpd(_ type: String) -> String {
    let actions = (services[type] ?? [:]).map { name, inputs in
      let arguments = inputs.map {
        "<argument><name>\($0)</name><direction>in</direction><relatedStateVariable>X</relatedStateVariable></argument>"
      }
      return "<action><name>\(name)</name><argumentList>\(arguments.joined())</argumentList></action>"
    }
    return """
      <scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList>\(actions.joined())</actionList><serviceStateTable>\
      <stateVariable><name>X</name><dataType>string</dataType></stateVariable>\
      <stateVariable><name>Volume</name><dataType>ui2</dataType><allowedValueRange><minimum>0</minimum>\
      <maximum>50</maximum></allowedValueRange></stateVariable></serviceStateTable></scpd>
      """
  }

  private func perform(_ service: String, _ request: ClientRequest) throws(ControlPointError) -> ClientResponse {
    let body = request.body.map { String(buffer: $0) } ?? ""
    guard let element = (try? XMLDocument.read(Array(body.utf8)))?.root["Body"]?.children.first else {
      return ClientResponse(status: .badRequest, body: ByteBuffer())
    }
    let call = Call(
      service: service, action: element.name,
      arguments: Dictionary(element.children.map { ($0.name, $0.content) }) { first, _ in first })
    received.withLock { $0.append(call) }
    switch answer(call) {
    case .results(let results):
      let content = results.map { "<\($0.key)>\(XMLEscape.text($0.value))</\($0.key)>" }.joined()
      return response(.ok, "<u:\(call.action)Response xmlns:u=\"x\">\(content)</u:\(call.action)Response>")
    case .fault(let code):
      return response(
        .internalServerError,
        """
        <s:Fault><detail><UPnPError><errorCode>\(code)</errorCode><errorDescription>no</errorDescription></UPnPError>\
        </detail></s:Fault>
        """)
    }
  }

  private func response(_ status: HTTPResponseStatus, _ body: String) -> ClientResponse {
    let envelope =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\(body)</s:Body></s:Envelope>"
    return ClientResponse(status: status, body: ByteBuffer(string: envelope))
  }
}
