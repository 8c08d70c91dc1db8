import UPnP

/// Reads device descriptions leniently, and records their deviations.
struct DeviceDescriptionReader {
  /// Why a document is not a description.
  enum Failure: Error, Hashable, CustomStringConvertible {
    case unreadable(XMLReadingError)
    case noDevice

    var description: String {
      switch self {
      case .unreadable(let error): "The description is \(error)."
      case .noDevice: "The description has no <device>."
      }
    }
  }

  private static let namespace = "urn:schemas-upnp-org:device-1-0"
  /// Services beyond this many in one device are ignored.
  static let maximumServices = 256
  /// Devices beyond this many in one description are ignored.
  static let maximumDevices = 64

  private var log = DeviationLog(place: "description", source: "UDA 1.1 §2.3")
  private var base: HTTPURL
  private var deviceCount = 0
  private var udns: Set<String> = []

  /// - Parameter location: where the document came from; relative URLs refer to it.
  static func read(_ bytes: [UInt8], from location: HTTPURL) throws(Failure) -> DeviceDescription {
    let reading: XMLDocument.Reading
    do throws(XMLReadingError) {
      reading = try XMLDocument.read(bytes)
    } catch {
      throw .unreadable(error)
    }
    var reader = DeviceDescriptionReader(base: location)
    for repair in reading.repairs { reader.log.add(repair, source: "XML 1.0 §2.4") }
    return try reader.description(reading.root, location: location)
  }

  private init(base: HTTPURL) { self.base = base }

  private mutating func description(_ root: XMLElement, location: HTTPURL) throws(Failure) -> DeviceDescription {
    if root.name != "root" { log.add("The document element is <\(root.name)> instead of <root>.") }
    if root.namespace != Self.namespace {
      log.add("The namespace is \"\(root.namespace)\" instead of \(Self.namespace).")
    }
    guard let device = root["device"] ?? (root.name == "device" ? root : nil) else { throw .noDevice }
    let version = specVersion(root["specVersion"])
    if let text = root.text("URLBase"), !text.isEmpty {
      if version >= .init(major: 1, minor: 1) { log.add("URLBase is used, which UDA 1.1 forbids.") }
      if let url = HTTPURL(text) { base = url } else { log.add("URLBase \"\(text)\" is no http URL.") }
    }
    return DeviceDescription(
      location: location, specVersion: version, configID: root.attributes["configId"].flatMap { Int($0) },
      root: self.device(device), deviations: log.deviations)
  }

  private mutating func specVersion(_ element: XMLElement?) -> DeviceDescription.SpecVersion {
    guard let major = element?.text("major").flatMap({ Int($0) }),
      let minor = element?.text("minor").flatMap({ Int($0) })
    else {
      log.add("There is no valid specVersion.")
      return .init(major: 1, minor: 0)
    }
    return .init(major: major, minor: minor)
  }

  private mutating func device(_ element: XMLElement) -> DeviceDescription.Device {
    deviceCount += 1
    let udn = element.text("UDN") ?? ""
    let place = "Device \(udn.isEmpty ? element.text("friendlyName") ?? "without a name" : udn)"
    checkUDN(udn, place)
    let type = log.required(element.text("deviceType"), "deviceType", in: place)
    if !type.isEmpty, URN(type)?.kind != .device { log.add("\(place) has the malformed deviceType \"\(type)\".") }
    func text(_ name: String) -> String { element.text(name) ?? "" }
    return DeviceDescription.Device(
      type: type, udn: udn,
      friendlyName: log.required(element.text("friendlyName"), "friendlyName", in: place),
      manufacturer: log.required(element.text("manufacturer"), "manufacturer", in: place),
      manufacturerURL: text("manufacturerURL"), modelDescription: text("modelDescription"),
      modelName: log.required(element.text("modelName"), "modelName", in: place), modelNumber: text("modelNumber"),
      modelURL: text("modelURL"), serialNumber: text("serialNumber"),
      presentationURL: element.text("presentationURL").flatMap { $0.isEmpty ? nil : base.resolve($0) },
      icons: element["iconList"]?.all("icon").prefix(Self.maximumServices).compactMap(icon) ?? [],
      services: services(element["serviceList"], place),
      devices: devices(element["deviceList"]))
  }

  private mutating func checkUDN(_ udn: String, _ place: String) {
    if udn.isEmpty {
      log.add("\(place) has no UDN.")
    } else if !udn.hasPrefix("uuid:") {
      log.add("\(place): the UDN does not begin with uuid:.")
    } else if !udns.insert(udn).inserted {
      log.add("\(place) is in the description twice.")
    }
  }

  private func icon(_ element: XMLElement) -> DeviceDescription.Icon? {
    guard let url = element.text("url").flatMap({ $0.isEmpty ? nil : base.resolve($0) }) else { return nil }
    func number(_ name: String) -> Int { element.text(name).flatMap { Int($0) } ?? 0 }
    return .init(mimeType: element.text("mimetype") ?? "", width: number("width"), height: number("height"), url: url)
  }

  private mutating func devices(_ list: XMLElement?) -> [DeviceDescription.Device] {
    var devices: [DeviceDescription.Device] = []
    for element in list?.all("device") ?? [] {
      guard deviceCount < Self.maximumDevices else {
        log.add("There are more than \(Self.maximumDevices) devices; the others are ignored.")
        break
      }
      devices.append(device(element))
    }
    return devices
  }

  private mutating func services(_ list: XMLElement?, _ place: String) -> [DeviceDescription.Service] {
    let elements = list?.all("service") ?? []
    if elements.count > Self.maximumServices {
      log.add("\(place) has \(elements.count) services; those after \(Self.maximumServices) are ignored.")
    }
    var ids: Set<String> = []
    return elements.prefix(Self.maximumServices).map { element in
      let service = service(element, place)
      if !service.id.isEmpty, !ids.insert(service.id).inserted {
        log.add("\(place) has two services with the serviceId \(service.id).")
      }
      return service
    }
  }

  private mutating func service(_ element: XMLElement, _ place: String) -> DeviceDescription.Service {
    let type = log.required(element.text("serviceType"), "serviceType for a service", in: place)
    let place = "Service \(URN(type)?.name ?? type)"
    if !type.isEmpty, URN(type)?.kind != .service { log.add("\(place) has a malformed serviceType.") }
    return DeviceDescription.Service(
      type: type, id: log.required(element.text("serviceId"), "serviceId", in: place),
      scpdURL: url(element.text("SCPDURL"), "SCPDURL", place, isRequired: true),
      controlURL: url(element.text("controlURL"), "controlURL", place, isRequired: true),
      eventURL: url(element.text("eventSubURL"), "eventSubURL", place, isRequired: false))
  }

  /// An empty eventSubURL is valid for a service without evented variables; the element itself is required.
  private mutating func url(_ text: String?, _ name: String, _ place: String, isRequired: Bool) -> HTTPURL? {
    guard let text, !text.isEmpty else {
      if isRequired || text == nil { log.add("\(place) has no \(name).") }
      return nil
    }
    guard let url = base.resolve(text) else {
      log.add("\(place): the \(name) \"\(text.prefix(200))\" is no http URL.")
      return nil
    }
    return url
  }
}
