import ServiceXML
import Testing

/// What a service's SCPD declares, to hold its events to.
struct DeclaredVariables: Sendable {
  private let service: Service

  private static let ofServices = Result {
    try ["AVTransport", "RenderingControl", "ConnectionManager"].map { try ($0, Self(service: $0)) }
  }

  /// - Parameter service: such as `AVTransport`.
  static func of(service: String) throws -> Self {
    try #require(try ofServices.get().first { $0.0 == service }).1
  }

  private init(service name: String) throws {
    let path = "service-xml/schemas-upnp-org/\(name)1"
    service = try ServiceReader.read(
      scpd: try ProjectFile.text("\(path).xml"), rules: (try? ProjectFile.text("\(path).rules")) ?? "",
      fileName: "\(name)1",
      domain: "schemas-upnp-org")
  }

  /// Every variable of the event is declared, has one of its values, may travel so, and names its channel if it has one.
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

  /// What an initial event holds.
  var evented: Set<String> {
    Set(service.travellingVariables.map(\.name))
  }
}
