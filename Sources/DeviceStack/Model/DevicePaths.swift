import UPnP

/// Where the parts of a device are on the server: one place for the description that names them and the router that
/// finds them.
struct DevicePaths {
  var folder: String

  var description: String { "/\(folder)/description.xml" }

  func icon(_ icon: Icon) -> String { "/\(folder)/\(icon.fileName)" }

  func scpd(_ service: any ServiceDefinition.Type) -> String { path(service, "scpd.xml") }

  func control(_ service: any ServiceDefinition.Type) -> String { path(service, "control") }

  func events(_ service: any ServiceDefinition.Type) -> String { path(service, "events") }

  private func path(_ service: any ServiceDefinition.Type, _ name: String) -> String {
    "/\(folder)/\(service.serviceType.name)/\(name)"
  }
}
