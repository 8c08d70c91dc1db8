import ArgumentParser
import ControlPoint
import UPnP

/// Options of every command.
struct NetworkOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Option(
    name: .customLong("interface"),
    help: ArgumentHelp("Search on this network interface only; may be repeated.", valueName: "name"))
  var interfaces: [String] = []

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "Also connect to devices in this network, such as 198.51.100.0/24; may be repeated.",
      discussion: "By default, it contacts only hosts on a directly connected network.", valueName: "network"))
  var networks: [Network] = []

  @Option(
    name: .customLong("wait"), help: ArgumentHelp("Seconds to wait for answers to a search.", valueName: "seconds"))
  var wait = 2.5

  func validate() throws {
    guard wait > 0, wait <= 300 else { throw ValidationError("--wait is more than 0 and at most 300 seconds.") }
  }

  /// A network in CIDR notation.
  struct Network: ExpressibleByArgument {
    var cidr: CIDR

    init?(argument: String) {
      guard let cidr = CIDR(argument) else { return nil }
      self.cidr = cidr
    }
  }

  var settings: ControlPointSettings {
    ControlPointSettings(
      product: "Linux UPnP/1.1 swiftlet-control/\(Version.number)", interfaces: InterfacePolicy(names: interfaces),
      addresses: AddressPolicy(allowed: networks.map(\.cidr)))
  }
}
