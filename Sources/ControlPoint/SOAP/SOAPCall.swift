import NIOCore
import NIOHTTP1
import UPnP

/// An action as a SOAP request, and the answer to it (UDA 1.1 §3.2).
enum SOAPCall {
  private static let envelope = "http://schemas.xmlsoap.org/soap/envelope/"

  /// Whether a text can be an element's name. Names come from the device's SCPD, and must not inject markup.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"<>&\"'".utf8.contains($0) }
  }

  /// - Parameter arguments: in the order of the SCPD (UDA 1.1 §3.2.1).
  static func request(
    _ action: String, of serviceType: String, at url: HTTPURL, arguments: [(name: String, value: String)]
  ) -> ClientRequest {
    var body = ByteBuffer()
    body.writeString(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <s:Envelope xmlns:s="\(envelope)" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>\
      <u:\(action) xmlns:u="\(XMLEscape.text(serviceType))">
      """)
    for (name, value) in arguments {
      body.writeString("<\(name)>")
      XMLEscape.write(value, to: &body)
      body.writeString("</\(name)>")
    }
    body.writeString("</u:\(action)></s:Body></s:Envelope>")
    return ClientRequest(
      .POST, url,
      headers: ["CONTENT-TYPE": #"text/xml; charset="utf-8""#, "SOAPACTION": "\"\(serviceType)#\(action)\""],
      body: body)
  }

  /// - Returns: the output arguments in the order of the answer.
  static func results(
    of action: String, in response: ClientResponse
  ) throws(ControlPointError) -> [(name: String, value: String)] {
    let isFault = response.status != .ok
    let root: XMLElement
    do throws(XMLReadingError) {
      root = try XMLDocument.read(Array(response.body.readableBytesView)).root
    } catch {
      throw isFault ? .status(Int(response.status.code)) : .malformed("The answer to \(action) is \(error).")
    }
    guard root.name == "Envelope", let body = root["Body"] else {
      throw isFault
        ? .status(Int(response.status.code)) : .malformed("The answer to \(action) has no SOAP body.")
    }
    if let fault = body["Fault"] { throw self.fault(fault, status: response.status) }
    guard !isFault else { throw .status(Int(response.status.code)) }
    guard let answer = body["\(action)Response"] ?? (body.children.count == 1 ? body.children.first : nil) else {
      throw .malformed("The answer to \(action) has no \(action)Response.")
    }
    return answer.children.map { ($0.name, $0.content) }
  }

  private static func fault(_ element: XMLElement, status: HTTPResponseStatus) -> ControlPointError {
    guard let error = element["detail"]?["UPnPError"], let code = error.text("errorCode").flatMap({ Int($0) }) else {
      return .status(Int(status.code))
    }
    let text = error.text("errorDescription") ?? ""
    return .fault(code: code, description: text.isEmpty ? ActionFault(code).description : text)
  }
}
