import ControlPoint
import UPnP

/// A request for an action, every part of which a check can choose.
struct SOAPRequest: Sendable {
  var url: HTTPURL
  var type: String
  var action: String
  var arguments: [(name: String, value: String)]
  /// The SOAPACTION header; nil for none.
  var soapAction: String?
  /// The whole body, if it is not the usual one.
  var envelope: String?

  /// The envelope (UDA 1.0 §3.2.1).
  /// - Parameters:
  ///   - s: the prefix of SOAP's namespace.
  ///   - u: the prefix of the service's namespace.
  func envelope(s: String, u: String) -> String {
    let list = arguments.map { "<\($0.name)>\(XMLEscape.text($0.value))</\($0.name)>" }.joined()
    return """
      <?xml version="1.0"?>
      <\(s):Envelope xmlns:\(s)="http://schemas.xmlsoap.org/soap/envelope/" \
      \(s):encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><\(s):Body>\
      <\(u):\(action) xmlns:\(u)="\(XMLEscape.text(type))">\(list)</\(u):\(action)></\(s):Body></\(s):Envelope>
      """
  }

  /// The same request for another action.
  func calling(_ action: String) -> SOAPRequest {
    var request = self
    (request.action, request.soapAction) = (action, "\"\(type)#\(action)\"")
    return request
  }

  var usualEnvelope: String { envelope(s: "s", u: "u") }

  var http: RawRequest {
    var request = RawRequest(
      "POST", url, [("CONTENT-TYPE", #"text/xml; charset="utf-8""#)], body: envelope ?? usualEnvelope)
    if let soapAction { request.headers.append(("SOAPACTION", soapAction)) }
    return request
  }
}

/// The answer to an action.
struct SOAPAnswer: Sendable {
  enum Content: Sendable {
    /// The output arguments in the order of the answer.
    case results([(name: String, value: String)])
    case fault(code: Int)
    /// Neither. The text describes the answer.
    case other(String)
  }

  var response: RawResponse
  var root: XMLElement?
  var content: Content

  init(_ response: RawResponse, action: String) {
    self.response = response
    root = try? XMLDocument.read(response.body).root
    let body = root?.name == "Envelope" ? root?["Body"] : nil
    if let code = body?["Fault"]?["detail"]?["UPnPError"]?.text("errorCode").flatMap({ Int(device: $0) }) {
      content = .fault(code: code)
    } else if response.status == 200, let answer = body?["\(action)Response"] {
      content = .results(answer.children.map { ($0.name, $0.content) })
    } else {
      content = .other("status \(response.status) without a UPnPError")
    }
  }

  /// The outcome in words, for reports.
  var summary: String {
    switch content {
    case .results: "success"
    case .fault(let code): "error \(code)"
    case .other(let text): text
    }
  }

  var faultCode: Int? { if case .fault(let code) = content { code } else { nil } }

  var results: [(name: String, value: String)]? { if case .results(let results) = content { results } else { nil } }

  /// The output arguments by name; nil for a refusal.
  var outputs: [String: String]? {
    results.map { results in Dictionary(results.map { ($0.name, $0.value) }) { first, _ in first } }
  }

  /// Whether the action succeeded, or failed with one of these errors.
  func isSuccess(orError codes: Set<Int>) -> Bool {
    switch content {
    case .results: true
    case .fault(let code): codes.contains(code)
    case .other: false
    }
  }
}

extension CheckContext {
  /// The usual request for an action.
  func request(
    _ service: Target.Service, _ action: String, _ arguments: [(name: String, value: String)] = []
  ) throws(Finding) -> SOAPRequest {
    guard let url = service.description.controlURL else {
      throw .failure(expected: "a controlURL for \(service.name)", got: "none")
    }
    let type = service.description.type
    return SOAPRequest(
      url: url, type: type, action: action, arguments: arguments, soapAction: "\"\(type)#\(action)\"")
  }

  func answer(to request: SOAPRequest) async throws(Finding) -> SOAPAnswer {
    shared.noteAction(request.action, request.arguments.map(\.value), at: clock.now)
    return SOAPAnswer(try await exchange(request.http), action: request.action)
  }

  /// Calls an action. A fault is returned, not thrown.
  func answer(
    _ service: String, _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> SOAPAnswer {
    try await answer(to: request(self.service(service), action, arguments))
  }

  /// Calls an action that has to succeed.
  /// - Returns: the output arguments by name.
  @discardableResult
  func call(
    _ service: String, _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> [String: String] {
    let answer = try await answer(service, action, arguments)
    guard let outputs = answer.outputs else {
      throw .failure(expected: "success of \(action)", got: answer.summary)
    }
    return outputs
  }

  /// Checks that an answer is a fault with one of these codes.
  func expectFault(_ codes: Set<Int>, _ answer: SOAPAnswer, to what: String) throws(Finding) {
    let expected = codes.sorted().map(String.init).joined(separator: " or ")
    guard let code = answer.faultCode, codes.contains(code) else {
      throw .failure(expected: "error \(expected) for \(what)", got: answer.summary)
    }
  }

  /// The output argument of an action of instance 0.
  func output(
    _ name: String, of action: String, _ service: String, channel: String? = nil
  ) async throws(Finding) -> String {
    var arguments = [(name: "InstanceID", value: "0")]
    if let channel { arguments.append(("Channel", channel)) }
    return try await result(name, of: action, service, arguments)
  }

  /// An output argument of an action that has to succeed. OpenHome's getters have no inputs, and most return `Value`.
  func result(
    _ name: String = "Value", of action: String, _ service: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> String {
    guard let value = try await call(service, action, arguments)[name] else {
      throw .failure(expected: "\(name) in the answer to \(action)", got: "none")
    }
    return value
  }
}
