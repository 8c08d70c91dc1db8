import NIOCore

/// Writes SOAP answers (UDA 1.1 §3.2.2).
package enum SOAPEncoder {
  private static let opening = """
    <?xml version="1.0" encoding="utf-8"?>
    <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
    s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>
    """
  private static let closing = "</s:Body></s:Envelope>"

  /// - Parameter serviceType: the type in the requested version.
  package static func response(action: String, serviceType: URN, results: [ActionResult]) -> ByteBuffer {
    var body = ByteBuffer()
    body.reserveCapacity(results.reduce(512) { $0 + $1.content.expectedLength })
    // Piece by piece: an interpolated string costs about ten times as much, and this runs for every action.
    body.writeString(opening)
    body.writeStaticString("<u:")
    body.writeString(action)
    body.writeStaticString("Response xmlns:u=\"")
    body.writeString(serviceType.description)
    body.writeStaticString("\">")
    for result in results {
      body.writeStaticString("<")
      body.writeString(result.name)
      body.writeStaticString(">")
      switch result.content {
      case .text(let text): XMLEscape.write(text, to: &body)
      case .nested(let xml): xml.write(to: &body)
      }
      body.writeStaticString("</")
      body.writeString(result.name)
      body.writeStaticString(">")
    }
    body.writeStaticString("</u:")
    body.writeString(action)
    body.writeStaticString("Response>")
    body.writeString(closing)
    return body
  }

  package static func fault(_ fault: ActionFault) -> ByteBuffer {
    ByteBuffer(
      string: opening + """
        <s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
        <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\(fault.code)</errorCode>\
        <errorDescription>\(XMLEscape.text(fault.description))</errorDescription></UPnPError></detail></s:Fault>
        """ + closing)
  }
}

extension ActionResult.Content {
  /// The estimated size in an answer, in bytes; 0 if unknown.
  fileprivate var expectedLength: Int {
    switch self {
    case .text(let text): text.utf8.count * 3 / 2
    case .nested: 0
    }
  }
}
