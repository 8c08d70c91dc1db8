import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control use`
struct UseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Choose the default device, name devices, or list the names.",
    discussion: """
      Examples:
        swiftlet-control use Kitchen
        swiftlet-control pause
        swiftlet-control volume @ 40
        swiftlet-control use Kitchen,Bedroom --as downstairs
        swiftlet-control pause downstairs
      @ stands for the default device, and @all for all speakers.
      """)

  @Argument(
    help: ArgumentHelp(
      "A device, or several separated by commas. Without it, the names are listed.", valueName: "device"),
    completion: .devices)
  var device: String?
  @Option(name: .customLong("as"), help: ArgumentHelp("A name instead of the default device.", valueName: "name"))
  var name: String?
  @Option(help: ArgumentHelp("Forget this name; @ is the default device.", valueName: "name")) var forget: String?

  func validate() throws {
    if device != nil, forget != nil { throw ValidationError("--forget takes no device.") }
    if name != nil, device == nil { throw ValidationError("--as needs a device.") }
    if let name, name.isEmpty || name.contains(where: { "=,@\n".contains($0) }) || name.contains("://") {
      throw ValidationError("\"\(name)\" cannot be a name: it may not contain =, a comma or @.")
    }
    if let device, device.allSatisfy(\.isWhitespace) || device.contains(where: \.isNewline) {
      throw ValidationError("The device is empty.")
    }
  }

  func run() async throws {
    var names = DeviceNames.read()
    if let forget {
      guard names.devices[forget.lowercased()] != nil else {
        Terminal.complain("There is no name \"\(forget)\".")
        throw ExitCode(EX_NOHOST)
      }
      names.set(forget, to: nil)
      return try names.write()
    }
    guard let device else {
      for (name, device) in names.devices.sorted(by: { $0.key < $1.key }) { Terminal.print("\(name) = \(device)") }
      if names.devices.isEmpty { Terminal.complain("No device has a name, and none is the default.") }
      return
    }
    names.set(name ?? DeviceNames.defaultMark, to: device)
    try names.write()
  }
}
