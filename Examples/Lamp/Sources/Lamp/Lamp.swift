import DeviceStack
import UPnP

/// A lamp that control points can switch: a BinaryLight:1 with the service SwitchPower:1.
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
    print("The lamp is", isOn ? "on" : "off")
  }

  func getTarget() -> SwitchPower1.GetTargetOutput { .init(retTargetValue: isOn) }

  func getStatus() -> SwitchPower1.GetStatusOutput { .init(resultStatus: isOn) }
}
