import UPnP

/// Writes device descriptions (UDA 1.1 §2.3) for strict parsers: elements in the schema's order, no URLBase, absolute paths.
/// Only presentationURL is a whole URL, since Music Assistant shows it to users as it is.
struct DescriptionWriter {
  private let server: String
  private var lines: [String] = []
  private var depth = 0

  /// - Parameter server: the base URL of the HTTP server as the reader reached it.
  static func write(_ device: RootDevice, configID: Int, server: String) -> String {
    var writer = DescriptionWriter(server: server)
    writer.writeRoot(device, configID: configID)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private init(server: String) { self.server = server }

  /// A hash of the description and the SCPDs, 0…16777215 (UDA 1.1 §2.1 configId). The same after a restart.
  static func configID(of device: RootDevice) -> Int {
    var hash: UInt32 = 2_166_136_261  // FNV-1a, folded to 24 bits.
    let text = write(device, configID: 0, server: "")
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    for service in device.services {
      service.definition.scpd.withUTF8Buffer { scpd in
        for byte in scpd { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
      }
    }
    return Int((hash >> 24) ^ (hash & 0xFF_FFFF))
  }

  private mutating func writeRoot(_ device: RootDevice, configID: Int) {
    lines.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>")
    element("root", attributes: " xmlns=\"urn:schemas-upnp-org:device-1-0\" configId=\"\(configID)\"") {
      $0.element("specVersion") {
        $0.element("major", "1")
        $0.element("minor", "1")
      }
      $0.element("device") { $0.writeDevice(device) }
    }
  }

  private mutating func writeDevice(_ device: RootDevice) {
    let info = device.info
    element("deviceType", "\(info.deviceType)")
    element("friendlyName", info.friendlyName)
    element("manufacturer", info.manufacturer)
    optional("manufacturerURL", info.manufacturerURL)
    optional("modelDescription", info.modelDescription)
    element("modelName", info.modelName)
    optional("modelNumber", info.modelNumber)
    optional("modelURL", info.modelURL)
    optional("serialNumber", info.serialNumber)
    element("UDN", info.udn)
    if !info.icons.isEmpty {
      element("iconList") { for icon in info.icons { $0.writeIcon(icon, paths: device.paths) } }
    }
    if !device.services.isEmpty {
      element("serviceList") { for service in device.services { $0.writeService(service, paths: device.paths) } }
    }
    optional("presentationURL", info.presentationURL.map { $0.hasPrefix("/") ? server + $0 : $0 } ?? "")
    for other in info.extensions {
      let attributes = " xmlns:\(other.prefix)=\"\(XMLEscape.attribute(other.namespace))\""
      element("\(other.prefix):\(other.name)", other.text, attributes: attributes)
    }
  }

  private mutating func writeIcon(_ icon: Icon, paths: DevicePaths) {
    element("icon") {
      $0.element("mimetype", icon.mimeType)
      $0.element("width", "\(icon.width)")
      $0.element("height", "\(icon.height)")
      $0.element("depth", "\(icon.depth)")
      $0.element("url", paths.icon(icon))
    }
  }

  private mutating func writeService(_ service: HostedService, paths: DevicePaths) {
    element("service") {
      $0.element("serviceType", "\(service.definition.serviceType)")
      $0.element("serviceId", service.definition.serviceID)
      $0.element("SCPDURL", paths.scpd(service.definition))
      $0.element("controlURL", paths.control(service.definition))
      $0.element("eventSubURL", service.store == nil ? "" : paths.events(service.definition))
    }
  }

  /// Omits empty elements: some parsers reject empty URLs.
  private mutating func optional(_ name: String, _ text: String) {
    if !text.isEmpty { element(name, text) }
  }

  private mutating func element(_ name: String, _ text: String, attributes: String = "") {
    lines.append(indent + "<\(name)\(attributes)>\(XMLEscape.text(text))</\(name)>")
  }

  private mutating func element(
    _ name: String, attributes: String = "", _ contents: (inout DescriptionWriter) -> Void
  ) {
    lines.append(indent + "<\(name)\(attributes)>")
    depth += 1
    contents(&self)
    depth -= 1
    lines.append(indent + "</\(name)>")
  }

  private var indent: String { String(repeating: "  ", count: depth) }
}
