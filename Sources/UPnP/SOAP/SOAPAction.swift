/// The SOAPACTION header: `"urn:…:service:…#Action"`, with or without its quotes (UDA 1.1 §3.2.1 wants them).
package struct SOAPAction: Hashable {
  package var serviceType: URN
  package var action: String

  package init?(_ header: String) {
    var text = header.trimmingBlanks.utf8
    if text.first == UInt8(ascii: "\"") { text = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") } }
    guard let hash = text.lastIndex(of: UInt8(ascii: "#")), let type = URN(Substring(text[..<hash])),
      type.kind == .service
    else { return nil }
    serviceType = type
    action = String(Substring(text[text.index(after: hash)...]))
    if action.isEmpty { return nil }
  }
}
