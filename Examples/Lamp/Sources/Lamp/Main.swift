import DeviceStack
import Logging
import ServiceLifecycle
import UPnP

/// Hosts the lamp on the interfaces named on the command line, by default on all of the local network, until SIGINT or
/// SIGTERM.
@main enum Main {
  static func main() async throws {
    let logger = Logger(label: "lamp")
    var settings = DeviceHostSettings(product: "Linux/6.1 UPnP/1.1 Lamp/1.0")
    settings.interfaces = InterfacePolicy(names: Array(CommandLine.arguments.dropFirst()))
    let host = DeviceHost(settings: settings, logger: logger) { _ in [Lamp().device] }
    try await ServiceGroup(services: [host], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger).run()
  }
}
