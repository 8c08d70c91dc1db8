import NIOCore
import NIOHTTP1

/// The control side of one service instance (its controlURL): SOAP requests in, SOAP answers out, always one.
struct ActionDispatcher {
  let service: HostedService

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let decoded: SOAPRequest
    do throws(SOAPDecodingError) {
      decoded = try decode(request.body)
    } catch {
      return Self.answer(ActionFault(402, "Invalid Args: \(error)"), status: .badRequest)
    }
    do throws(ActionFault) {
      let asked = try route(request, decoded)
      let results = try service.invoke(decoded.action, decoded.arguments)
      let text = SOAPEncoder.response(action: decoded.action, serviceType: asked, results: results)
      return HTTPResponse.xml(text).withEXT
    } catch {
      return Self.answer(error, status: .internalServerError)
    }
  }

  private func decode(_ body: ByteBuffer) throws(SOAPDecodingError) -> SOAPRequest {
    let result: Result<SOAPRequest, SOAPDecodingError> = body.withUnsafeReadableBytes { bytes in
      Result { () throws(SOAPDecodingError) in try SOAPDecoder.decode(bytes) }
    }
    return try result.get()
  }

  /// Whether the action is meant for this service, by its SOAPACTION header; the namespace of the body counts only
  /// where there is no such header, since some controllers get it wrong.
  /// - Returns: the service type as asked for: an older version is answered as such.
  private func route(_ request: HTTPRequest, _ decoded: SOAPRequest) throws(ActionFault) -> URN {
    let ours = service.definition.serviceType
    guard let header = request.headers.first(name: "soapaction") else {
      guard let type = URN(decoded.namespace), ours.satisfies(type) else { throw .invalidAction }
      return type
    }
    guard let asked = SOAPAction(header), ours.satisfies(asked.serviceType), asked.action == decoded.action else {
      throw .invalidAction
    }
    return asked.serviceType
  }

  private static func answer(_ fault: ActionFault, status: HTTPResponseStatus) -> HTTPResponse {
    HTTPResponse.xml(SOAPEncoder.fault(fault), status: status).withEXT
  }
}

extension HTTPResponse {
  /// With the empty EXT header that answers to actions carry (UDA 1.1 §3.2.2).
  fileprivate var withEXT: HTTPResponse {
    var response = self
    response.headers.add(name: "EXT", value: "")
    return response
  }
}
