import DeviceStack
import Logging
import UPnP

/// A lamp that can be switched over the network (BinaryLight:1 with SwitchPower:1).
final class Lamp: SwitchPower1.Provider {
  private var isOn = false
  private let variables = SwitchPower1.Variables(.init(status: false))

  var device: RootDevice {
    let info = DeviceInfo(
      deviceType: URN(domain: "schemas-upnp-org", kind: .device, name: "BinaryLight", version: 1),
      udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", friendlyName: "Lamp", manufacturer: "Example",
      modelName: "Lamp One")
    return RootDevice(info: info, services: [SwitchPower1.hosted(by: self, variables)], folder: "lamp")
  }

  func setTarget(_ input: SwitchPower1.SetTargetInput) {
    isOn = input.newTargetValue
    variables.apply(.init(status: isOn))
  }

  func getTarget() -> SwitchPower1.GetTargetOutput { .init(retTargetValue: isOn) }

  func getStatus() -> SwitchPower1.GetStatusOutput { .init(resultStatus: isOn) }
}

/// Makes a host for the lamp. `try await host.run()` announces it and serves it until the task is cancelled.
func makeHost() -> DeviceHost {
  var settings = DeviceHostSettings(product: "Linux/6.1 UPnP/1.1 Lamp/1.0", bootID: 1)
  settings.interfaces = InterfacePolicy(names: ["lo"])
  return DeviceHost(settings: settings, logger: Logger(label: "lamp")) { _ in [Lamp().device] }
}
