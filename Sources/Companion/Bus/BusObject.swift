/// An object of another program.
package struct BusObject: Sendable {
  package let bus: Bus
  package let destination: String
  package let path: String
  private static let properties = "org.freedesktop.DBus.Properties"

  package init(_ bus: Bus, _ destination: String, _ path: String) {
    self.bus = bus
    self.destination = destination
    self.path = path
  }

  @CompanionActor package func call(
    _ interface: String, _ member: String, _ arguments: [BusValue] = [], reply: String? = nil,
    timeout: Duration = Bus.defaultTimeout
  ) async throws(BusError) -> [BusValue] {
    try await bus.call(destination, path, interface, member, arguments, reply: reply, timeout: timeout)
  }

  /// A property, without its variant.
  @CompanionActor package func get(_ interface: String, _ name: String) async throws(BusError) -> BusValue {
    let values = try await call(Self.properties, "Get", [.string(interface), .string(name)], reply: "v")
    guard let value = values.first else { throw .unexpectedReply }
    return value.content
  }

  /// All properties, without their variants.
  @CompanionActor package func getAll(_ interface: String) async throws(BusError) -> [String: BusValue] {
    let values = try await call(Self.properties, "GetAll", [.string(interface)], reply: "a{sv}")
    guard let properties = values.first?.options else { throw .unexpectedReply }
    return properties
  }

  @CompanionActor package func set(_ interface: String, _ name: String, _ value: BusValue) async throws(BusError) {
    _ = try await call(Self.properties, "Set", [.string(interface), .string(name), .variant(value)])
  }
}
