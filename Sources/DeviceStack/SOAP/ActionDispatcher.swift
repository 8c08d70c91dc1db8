import NIOCore
import NIOHTTP1
import UPnP

/// The control side of one service instance (its controlURL): SOAP requests in, SOAP answers out, always one.
struct ActionDispatcher {
  let service: HostedService

  /// SOAP has every fault, a body that cannot be read among them, answered with 500 (SOAP 1.1 §6.2).
  func answer(_ request: HTTPRequest) -> HTTPReply {
    do throws(ActionFault) {
      let decoded = try decode(request.body)
      let asked = try route(request, decoded)
      if let begin = service.begin {
        let answer = Deferred<HTTPResponse>()
        let isBegun = try begin(decoded.action, decoded.arguments) { result in
          answer.complete(with: Self.answer(decoded.action, asked, result))
        }
        if isBegun { return .later(answer) }
      }
      let results = try service.invoke(decoded.action, decoded.arguments)
      return HTTPReply(Self.answer(decoded.action, asked, .success(results)))
    } catch {
      return HTTPReply(Self.answer(SOAPEncoder.fault(error), .internalServerError))
    }
  }

  private static func answer(
    _ action: String, _ serviceType: URN, _ result: Result<[ActionResult], ActionFault>
  ) -> HTTPResponse {
    switch result {
    case .success(let results):
      answer(SOAPEncoder.response(action: action, serviceType: serviceType, results: results), .ok)
    case .failure(let fault): answer(SOAPEncoder.fault(fault), .internalServerError)
    }
  }

  private func decode(_ body: ByteBuffer) throws(ActionFault) -> SOAPRequest {
    let result: Result<SOAPRequest, SOAPDecodingError> = body.withUnsafeReadableBytes { bytes in
      Result { () throws(SOAPDecodingError) in try SOAPDecoder.decode(bytes) }
    }
    switch result {
    case .success(let request): return request
    case .failure(let error): throw ActionFault(402, "Invalid Args: \(error)")
    }
  }

  /// Whether the action is meant for this service, by its SOAPACTION header; the namespace of the body counts only
  /// where that header does not say, since some controllers get the namespace wrong.
  /// - Returns: the service type as asked for: an older version is answered as such.
  private func route(_ request: HTTPRequest, _ decoded: SOAPRequest) throws(ActionFault) -> URN {
    let ours = service.definition.serviceType
    guard let asked = request.headers.first(name: "soapaction").flatMap({ SOAPAction($0) }) else {
      guard let type = URN(decoded.namespace), ours.satisfies(type) else { throw .invalidAction }
      return type
    }
    guard ours.satisfies(asked.serviceType), asked.action == decoded.action else { throw .invalidAction }
    return asked.serviceType
  }

  /// With the empty EXT header that answers to actions carry (UDA 1.1 §3.2.2).
  private static func answer(_ envelope: ByteBuffer, _ status: HTTPResponseStatus) -> HTTPResponse {
    var response = HTTPResponse.xml(envelope, status: status)
    response.headers.add(name: "EXT", value: "")
    return response
  }
}
