import Testing
import UPnP

@testable import DeviceStack

struct DescriptionWriterTests {
  private func device(services: [HostedService] = []) -> RootDevice {
    let info = DeviceInfo(
      deviceType: URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 1),
      udn: "uuid:00000000-0000-0000-0000-000000000001", friendlyName: "Kitchen", manufacturer: "Maker",
      manufacturerURL: "", modelDescription: "", modelName: "Model", modelNumber: "", modelURL: "", serialNumber: "")
    return RootDevice(info: info, services: services, folder: "renderer")
  }

  private var fullDevice: RootDevice {
    let switching = HostedService(SwitchPower1.self, store: SwitchPower1.Variables(.init(status: true)).store) {
      _, _ throws(ActionFault) in throw .actionFailed
    }
    var device = device(services: [switching, AllTypesProvider().service()])
    device.info.friendlyName = "Tom & Jerry's <\"Küche\"> \u{1}🎵"
    device.info.manufacturerURL = "http://maker.example/?a=1&b=2"
    device.info.modelDescription = "A device"
    device.info.modelNumber = "1.0"
    device.info.modelURL = "http://maker.example/model"
    device.info.serialNumber = "42"
    device.info.presentationURL = "/"
    device.info.icons = [
      Icon(mimeType: "image/png", width: 48, height: 48, depth: 24, fileName: "icon-48.png", data: [1])
    ]
    device.info.extensions = [
      DescriptionExtension(
        prefix: "dlna", namespace: "urn:schemas-dlna-org:device-1-0", name: "X_DLNADOC", text: "DMR-1.50"),
      DescriptionExtension(
        prefix: "pnpx", namespace: "http://schemas.microsoft.com/windows/pnpx/2005/11", name: "X_deviceCategory",
        text: "MediaDevice.DMR & more"),
    ]
    return device
  }

  /// All elements in the order of the device schema (UDA 1.1 annex B), with those of other schemas last.
  @Test func aDeviceWithEverything() {
    #expect(
      DescriptionWriter.write(fullDevice, configID: 7, server: "http://192.0.2.1:80") == """
        <?xml version="1.0" encoding="utf-8"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0" configId="7">
          <specVersion>
            <major>1</major>
            <minor>1</minor>
          </specVersion>
          <device>
            <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
            <friendlyName>Tom &amp; Jerry's &lt;"Küche"&gt; 🎵</friendlyName>
            <manufacturer>Maker</manufacturer>
            <manufacturerURL>http://maker.example/?a=1&amp;b=2</manufacturerURL>
            <modelDescription>A device</modelDescription>
            <modelName>Model</modelName>
            <modelNumber>1.0</modelNumber>
            <modelURL>http://maker.example/model</modelURL>
            <serialNumber>42</serialNumber>
            <UDN>uuid:00000000-0000-0000-0000-000000000001</UDN>
            <iconList>
              <icon>
                <mimetype>image/png</mimetype>
                <width>48</width>
                <height>48</height>
                <depth>24</depth>
                <url>/renderer/icon-48.png</url>
              </icon>
            </iconList>
            <serviceList>
              <service>
                <serviceType>urn:schemas-upnp-org:service:SwitchPower:1</serviceType>
                <serviceId>urn:upnp-org:serviceId:SwitchPower</serviceId>
                <SCPDURL>/renderer/SwitchPower/scpd.xml</SCPDURL>
                <controlURL>/renderer/SwitchPower/control</controlURL>
                <eventSubURL>/renderer/SwitchPower/events</eventSubURL>
              </service>
              <service>
                <serviceType>urn:example-com:service:AllTypes:2</serviceType>
                <serviceId>urn:example-com:serviceId:AllTypes</serviceId>
                <SCPDURL>/renderer/AllTypes/scpd.xml</SCPDURL>
                <controlURL>/renderer/AllTypes/control</controlURL>
                <eventSubURL></eventSubURL>
              </service>
            </serviceList>
            <presentationURL>http://192.0.2.1:80/</presentationURL>
            <dlna:X_DLNADOC xmlns:dlna="urn:schemas-dlna-org:device-1-0">DMR-1.50</dlna:X_DLNADOC>
            <pnpx:X_deviceCategory xmlns:pnpx="http://schemas.microsoft.com/windows/pnpx/2005/11">\
        MediaDevice.DMR &amp; more</pnpx:X_deviceCategory>
          </device>
        </root>

        """)
  }

  @Test func emptyElementsAreOmitted() {
    #expect(
      DescriptionWriter.write(device(), configID: 0, server: "http://192.0.2.1:80") == """
        <?xml version="1.0" encoding="utf-8"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0" configId="0">
          <specVersion>
            <major>1</major>
            <minor>1</minor>
          </specVersion>
          <device>
            <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
            <friendlyName>Kitchen</friendlyName>
            <manufacturer>Maker</manufacturer>
            <modelName>Model</modelName>
            <UDN>uuid:00000000-0000-0000-0000-000000000001</UDN>
          </device>
        </root>

        """)
  }

  @Test func theDescriptionIsWellFormed() throws {
    var names: [String] = []
    try Array(DescriptionWriter.write(fullDevice, configID: 1, server: "").utf8).withUnsafeBytes { bytes in
      guard let reader = XMLPullReader(bytes) else { throw XMLReadingError.malformed }
      while let node = try reader.next() { if case .start = node { names.append(reader.localName) } }
    }
    #expect(names.count == 38)
    #expect(names.filter { $0 == "service" }.count == 2)
  }

  @Test func theConfigurationNumberIsThatOfTheDescription() {
    let number = DescriptionWriter.configID(of: fullDevice)
    #expect(number == DescriptionWriter.configID(of: fullDevice))
    #expect((0...0xFF_FFFF).contains(number))
    // The value is the same after a restart and on another machine.
    #expect(DescriptionWriter.configID(of: device()) == 13_869_342)
    var renamed = fullDevice
    renamed.info.friendlyName = "Bath"
    var without = fullDevice
    without.services.removeLast()
    var moved = fullDevice
    moved.folder = "other"
    let numbers = [number] + [renamed, without, moved].map(DescriptionWriter.configID)
    #expect(Set(numbers).count == 4)
  }
}
