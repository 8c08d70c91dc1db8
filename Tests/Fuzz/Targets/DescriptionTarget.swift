@testable import ControlPoint
@testable import UPnP

/// A device description.
enum DescriptionTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let location = HTTPURL(host: "192.0.2.1", port: 1400, target: "/description.xml")
    guard let description = try? DeviceDescriptionReader.read(Array(input), from: location) else { return }
    check(description.location == location, "it is from \(description.location)")
    check(deviations: description.deviations)
    let devices = description.root.all
    check(devices.count <= DeviceDescriptionReader.maximumDevices, "\(devices.count) devices")
    for device in devices {
      check(device.services.count <= DeviceDescriptionReader.maximumServices, "\(device.services.count) services")
      for icon in device.icons { URLTarget.check(icon.url) }
      if let url = device.presentationURL { URLTarget.check(url) }
      for service in device.services {
        for url in [service.scpdURL, service.controlURL, service.eventURL] { if let url { URLTarget.check(url) } }
        check(device.service(named: service.type) != nil, "no service \(service.type)")
        if let urn = service.urn { check(device.service(urn) != nil, "no service \(urn)") }
      }
    }
  }

  /// Checks that a hostile document cannot fill memory with deviations.
  static func check(deviations: [Deviation]) {
    check(deviations.count <= 100, "\(deviations.count) deviations")
    check(deviations.allSatisfy { $0.text.unicodeScalars.count <= 300 }, "a very long deviation")
  }

  private static func check(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    FuzzTargets.check(condition, sentence())
  }
}
