/// The SOAPACTION header: `"urn:…:service:…#Action"`, with or without its quotes (UDA 1.1 §3.2.1 wants them).
struct SOAPAction: Hashable {
  var serviceType: URN
  var action: String

  init?(_ header: String) {
    var text = header.trimmingBlanks
    if text.hasPrefix("\"") { text = text.dropFirst().prefix { $0 != "\"" } }
    guard let hash = text.lastIndex(of: "#"), let type = URN(text[..<hash]), type.kind == .service else { return nil }
    serviceType = type
    action = String(text[text.index(after: hash)...])
    if action.isEmpty { return nil }
  }
}
