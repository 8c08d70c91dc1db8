import ServiceXML
import Testing

/// The variables that a service's SCPD declares, to check events against.
struct DeclaredVariables: Sendable {
  private let service: Service

  private static let ofServices = Result {
    try ["AVTransport1", "RenderingControl1", "ConnectionManager1"].map { try Self($0, domain: "schemas-upnp-org") }
      + [
        "Product4", "Playlist1", "Radio2", "Receiver1", "Pins1", "Info1", "Time1", "Volume4", "Transport1", "Sender2",
      ].map {
        try Self($0, domain: "av-openhome-org")
      }
  }

  /// - Parameter service: such as `AVTransport`.
  static func of(service: String) throws -> Self {
    try #require(try ofServices.get().first { $0.service.name == service })
  }

  private init(_ name: String, domain: String) throws {
    let path = "service-xml/hosted/\(domain)/\(name)"
    service = try ServiceReader.read(
      scpd: try ProjectFile.text("\(path).xml"), rules: (try? ProjectFile.text("\(path).rules")) ?? "",
      fileName: name, domain: domain)
  }

  /// Checks that every variable of an event is declared and evented, has a valid value, and has a channel if required.
  func check(_ event: EventedVariables) {
    for (key, value) in event.values {
      guard let variable = service.variables.first(where: { $0.name == key.name }) else {
        Issue.record("\(key) is not in the SCPD")
        continue
      }
      #expect(!variable.isArgumentType, "\(key)")
      #expect(variable.isEvented == (event.namespace == nil), "\(key)")
      #expect(!key.name.hasSuffix("Position"), "positions move by themselves: \(key)")
      #expect(variable.allowedValues.isEmpty || variable.allowedValues.contains(value), "\(key) = \(value)")
      if let range = variable.range { #expect(Int(value).map(range.contains) == true, "\(key) = \(value)") }
      #expect((key.channel != nil) == service.isPerChannel(variable), "\(key)")
    }
  }

  /// The variables of an initial event.
  var evented: Set<String> {
    Set(service.eventedVariables.map(\.name))
  }
}
