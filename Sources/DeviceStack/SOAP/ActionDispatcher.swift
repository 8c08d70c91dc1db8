import NIOCore
import NIOHTTP1
import UPnP

/// The control side of one service instance: answers the SOAP requests to its controlURL.
struct ActionDispatcher {
  let service: HostedService

  /// Answers all faults with status 500, even a malformed body (SOAP 1.1 §6.2).
  func answer(_ request: HTTPRequest) -> HTTPReply {
    do throws(ActionFault) {
      let decoded = try decode(request.body)
      let asked = try route(request, decoded)
      if let begin = service.begin {
        let answer = Deferred<HTTPResponse>()
        let isBegun = try begin(decoded.action, decoded.arguments) { result in
          answer.complete(with: Self.answer(decoded.action, asked, result, server: request.serverURL))
        }
        if isBegun { return .later(answer) }
      }
      let results = try service.invoke(decoded.action, decoded.arguments)
      return HTTPReply(Self.answer(decoded.action, asked, .success(results), server: request.serverURL))
    } catch {
      return HTTPReply(Self.answer(SOAPEncoder.fault(error), .internalServerError))
    }
  }

  private static func answer(
    _ action: String, _ serviceType: URN, _ result: Result<[ActionResult], ActionFault>, server: String
  ) -> HTTPResponse {
    switch result {
    case .success(let results):
      answer(
        SOAPEncoder.response(action: action, serviceType: serviceType, results: results, server: server), .ok)
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

  /// Checks that the SOAPACTION header names this service. The namespace of the body counts only without that header,
  /// since some control points get it wrong.
  /// - Returns: the service type in the requested version, for the answer.
  private func route(_ request: HTTPRequest, _ decoded: SOAPRequest) throws(ActionFault) -> URN {
    let ours = service.definition.serviceType
    guard let asked = request.headers.first(name: "soapaction").flatMap({ SOAPAction($0) }) else {
      guard let type = URN(decoded.namespace), ours.satisfies(type) else { throw .invalidAction }
      return type
    }
    guard ours.satisfies(asked.serviceType), asked.action == decoded.action else { throw .invalidAction }
    return asked.serviceType
  }

  /// Adds the empty EXT header of answers to actions (UDA 1.1 §3.2.2).
  private static func answer(_ envelope: ByteBuffer, _ status: HTTPResponseStatus) -> HTTPResponse {
    var response = HTTPResponse.xml(envelope, status: status)
    response.headers.add(name: "EXT", value: "")
    return response
  }
}
