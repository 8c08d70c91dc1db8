import NIOCore

/// Writes SOAP answers (UDA 1.1 §3.2.2).
package enum SOAPEncoder {
  private static let opening = """
    <?xml version="1.0" encoding="utf-8"?>
    <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
    s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>
    """
  private static let closing = "</s:Body></s:Envelope>"

  /// - Parameters:
  ///   - serviceType: the type in the requested version.
  ///   - server: the base URL of the HTTP server as the caller reached it, for results that are paths.
  package static func response(
    action: String, serviceType: URN, results: [ActionResult], server: String = ""
  ) -> ByteBuffer {
    var body = ByteBuffer()
    body.reserveCapacity(results.reduce(512) { $0 + $1.content.expectedLength })
    body.writeString(opening)
    body.write("<u:", action, "Response xmlns:u=\"")
    body.write("", serviceType.description, "\">")
    for result in results {
      body.write("<", result.name, ">")
      switch result.content {
      case .text(let text): XMLEscape.write(text, to: &body)
      case .path(let path): if !path.isEmpty { XMLEscape.write(server + path, to: &body) }
      case .nested(let xml): xml.write(to: &body, server: server)
      }
      body.write("</", result.name, ">")
    }
    body.write("</u:", action, "Response>")
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
    case .text(let text), .path(let text): text.utf8.count * 3 / 2
    case .nested: 0
    }
  }
}

extension ByteBuffer {
  /// Writes three texts. This runs for every action, and three writes cost three times as much, an interpolated string
  /// ten times.
  fileprivate mutating func write(_ prefix: StaticString, _ name: String, _ suffix: StaticString) {
    var name = name
    name.withUTF8 { name in
      let (start, end) = (prefix.utf8CodeUnitCount, prefix.utf8CodeUnitCount + name.count)
      let count = end + suffix.utf8CodeUnitCount
      writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<start]).copyMemory(
          from: UnsafeRawBufferPointer(start: prefix.utf8Start, count: start))
        UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]).copyMemory(from: UnsafeRawBufferPointer(name))
        UnsafeMutableRawBufferPointer(rebasing: bytes[end..<count]).copyMemory(
          from: UnsafeRawBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount))
        return count
      }
    }
  }
}
