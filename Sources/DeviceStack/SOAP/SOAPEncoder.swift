/// Writes SOAP answers (UDA 1.1 §3.2.2).
enum SOAPEncoder {
  private static let opening = """
    <?xml version="1.0" encoding="utf-8"?>
    <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
    s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>
    """
  private static let closing = "</s:Body></s:Envelope>"

  /// - Parameter serviceType: in the version that was asked for.
  static func response(action: String, serviceType: URN, results: [ActionResult]) -> String {
    let arguments = results.map { "<\($0.name)>\(XMLEscape.text($0.text))</\($0.name)>" }.joined()
    return opening + "<u:\(action)Response xmlns:u=\"\(serviceType)\">\(arguments)</u:\(action)Response>" + closing
  }

  static func fault(_ fault: ActionFault) -> String {
    opening + """
      <s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
      <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\(fault.code)</errorCode>\
      <errorDescription>\(XMLEscape.text(fault.description))</errorDescription></UPnPError></detail></s:Fault>
      """ + closing
  }
}
