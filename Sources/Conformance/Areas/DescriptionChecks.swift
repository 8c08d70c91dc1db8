import ControlPoint
import UPnP

/// The device description and what it refers to (UDA §2.3).
enum DescriptionChecks {
  static let all: [Check] = content + documents + icons

  // MARK: Content

  private static let content: [Check] = [
    Check(
      "uda/2.3/well-formed", .description, .must, "The description is well-formed XML.", source: "XML 1.0 §2.1",
      steps: "Reads the description. Passes if the XML parser needs no repairs."
    ) { context throws(Finding) in
      try context.expectNone(context.target.repairs, "well-formed XML")
    },
    Check(
      "uda/2.3/namespace", .description, .must,
      "The document element is <root> in the namespace urn:schemas-upnp-org:device-1-0.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description. Passes if its document element has this name and namespace."
    ) { context throws(Finding) in
      let root = context.target.root
      try context.expect(
        root.name == "root" && root.namespace == "urn:schemas-upnp-org:device-1-0",
        "<root xmlns=\"urn:schemas-upnp-org:device-1-0\">", got: "<\(root.name) xmlns=\"\(root.namespace)\">")
    },
    Check(
      "uda/2.3/spec-version", .description, .must, "specVersion declares UPnP 1.0, 1.1 or 2.0.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description. Passes with one of these versions."
    ) { context throws(Finding) in
      let version = context.target.root["specVersion"]
      let text = "\(version?.text("major") ?? "").\(version?.text("minor") ?? "")"
      try context.expect(["1.0", "1.1", "2.0"].contains(text), "1.0, 1.1 or 2.0", got: "\"\(text)\"")
    },
    Check(
      "uda/2.3/required-elements", .description, .must,
      "Every device has a deviceType, friendlyName, manufacturer, modelName and UDN.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description. Passes if each <device> has these elements and none is empty."
    ) { context throws(Finding) in
      var problems: [String] = []
      for device in context.target.deviceElements {
        for name in ["deviceType", "friendlyName", "manufacturer", "modelName", "UDN"]
        where device.text(name)?.isEmpty ?? true {
          problems.append("no \(name)")
        }
      }
      try context.expectNone(problems, "all required elements")
    },
    Check(
      "uda/2.3/udn", .description, .practice, "Each device has one UDN: uuid: and a UUID that no other device has.",
      source: "UDA 1.1 §1.1.4; hzeller/gmrender-resurrect#67",
      steps: "Reads the description. Passes if each device has one UDN of this form, and no two are equal."
    ) { context throws(Finding) in
      let udns = context.target.udns
      try context.expectNone(udns.filter { !isUUID($0) }.map { "\"\($0)\"" }, "uuid: and a UUID")
      try context.expect(Set(udns).count == udns.count, "different UDNs", got: "the same one twice")
      let counts = context.target.deviceElements.map { $0.all("UDN").count }
      try context.expect(counts.allSatisfy { $0 < 2 }, "one UDN for each device", got: "\(counts.max() ?? 0)")
    },
    Check(
      "uda/2.3/friendly-name", .description, .should, "friendlyName has fewer than 64 characters.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description. Passes if every friendlyName has at most 63 characters."
    ) { context throws(Finding) in
      let long = context.target.description.root.all.map(\.friendlyName).filter { $0.count >= 64 }
      try context.expectNone(long.map { "\"\($0)\"" }, "fewer than 64 characters")
    },
    Check(
      "uda/2.3/service-ids", .description, .must, "The serviceIds of a device are there and differ.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description. Passes if each service has a serviceId, and no two of one device are equal."
    ) { context throws(Finding) in
      for device in context.target.description.root.all {
        let ids = device.services.map(\.id)
        try context.expect(!ids.contains(""), "a serviceId for each service", got: "none for one")
        try context.expect(Set(ids).count == ids.count, "different serviceIds", got: "the same one twice")
      }
    },
    Check(
      "uda/2.3/standard-service-ids", .description, .must,
      "The services of a renderer have the serviceIds of their templates, such as urn:upnp-org:serviceId:AVTransport.",
      source: "MediaRenderer:1 §2.2, table 1; StevenLooman/async_upnp_client, DmrDevice",
      steps:
        "Reads the description. Passes if each of these services that the device has bears the serviceId of its template."
    ) { context throws(Finding) in
      let standard = ["AVTransport", "RenderingControl", "ConnectionManager"]
      let wrong = context.target.services.filter { service in
        standard.contains(service.name) && service.description.id != "urn:upnp-org:serviceId:\(service.name)"
      }
      try context.expectNone(wrong.map { "\"\($0.description.id)\"" }, "urn:upnp-org:serviceId: and the name")
    },
    Check(
      "uda/2.3/urls", .description, .must,
      "Every service has an SCPDURL, a controlURL and, if it has evented variables, an eventSubURL.",
      source: "UDA 1.0 §2.1",
      steps: "Reads the description and the SCPDs. Passes if the URLs are there and are http URLs."
    ) { context throws(Finding) in
      var problems: [String] = []
      for service in context.target.services {
        let description = service.description
        var urls = [("SCPDURL", description.scpdURL), ("controlURL", description.controlURL)]
        if !service.eventedVariables.isEmpty { urls.append(("eventSubURL", description.eventURL)) }
        for (name, url) in urls {
          if url == nil { problems.append("no \(name) of \(service.name)") }
        }
      }
      try context.expectNone(problems, "the URLs of every service")
    },
  ]

  private static func isUUID(_ udn: String) -> Bool {
    guard udn.hasPrefix("uuid:") else { return false }
    let groups = udn.dropFirst(5).split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  // MARK: Documents

  private static let documents: [Check] = [
    Check(
      "uda/2.11/content-type", .description, .must,
      "The description and the SCPDs have the content type text/xml.",
      source: "UDA 1.0 §2.9",
      steps:
        "Reads the description and all SCPDs. Passes if each has the media type text/xml, with or without a charset."
    ) { context throws(Finding) in
      let documents = [context.target.document] + context.target.services.compactMap(\.document)
      let others = documents.map { $0.mediaType ?? "none" }.filter { $0 != "text/xml" }
      try context.expectNone(Array(Set(others)).sorted(), "text/xml")
    },
    Check(
      "rfc9110/9.3.2/head", .description, .must,
      "The answer to HEAD has no body.", source: "RFC 9110 §9.1, §9.3.2",
      steps: "Sends HEAD for the description. Passes with the status of GET, 405 or 501, and no byte after the head."
    ) { context async throws(Finding) in
      let request = RawRequest("HEAD", context.target.description.location)
      let connection = try await context.connect(request.url)
      defer { connection.close() }
      connection.send(request.text)
      let response = try await connection.answers(to: ["HEAD"], within: context.times.answer)[0]
      let allowed = [context.target.document.status, 405, 501]
      try context.expect(
        allowed.contains(response.status), "the status of GET, or 405 or 501", got: "\(response.status)")
      _ = await connection.isClosed(within: context.times.close)
      let received = await connection.received()
      let head = received.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A])?.upperBound ?? received.endIndex
      try context.expect(head == received.endIndex, "no body", got: "\(received.endIndex - head) bytes")
    },
    Check(
      "uda/2.3/presentation", .description, .practice, "The presentationURL leads to a page.",
      source: "UDA 1.0 §5",
      steps: "Reads the presentationURL. Passes with status 2xx or 3xx."
    ) { context async throws(Finding) in
      guard let url = context.target.description.root.presentationURL else {
        throw .skip("the device has no presentationURL")
      }
      guard url.host == context.target.host else { throw .skip("the page is on another host") }
      let status = try await context.get(url).status
      try context.expect((200..<400).contains(status), "status 200 or a redirect from \(url.target)", got: "\(status)")
    },
  ]

  // MARK: Icons

  private static let icons: [Check] = [
    Check(
      "uda/2.3/icons-load", .description, .practice, "Every icon can be read and has the declared MIME type.",
      source: "UDA 1.0 §2.1", needs: [.icons],
      steps: "Reads every icon. Passes with status 200 and the MIME type of the description."
    ) { context async throws(Finding) in
      for icon in context.target.description.root.icons {
        let response = try await context.get(icon.url)
        try context.expect(response.status == 200, "status 200 from \(icon.url.target)", got: "\(response.status)")
        try context.expect(
          response.mediaType == icon.mimeType.lowercased(), "\(icon.mimeType) from \(icon.url.target)",
          got: response.mediaType ?? "no CONTENT-TYPE")
      }
    },
    Check(
      "uda/2.3/icon-size", .description, .practice, "Every PNG and JPEG icon has the declared width and height.",
      source: "UDA 1.0 §2.1", needs: [.icons],
      steps: "Reads every icon and the size in its PNG or JPEG header. Passes if that is the size in the description."
    ) { context async throws(Finding) in
      for icon in context.target.description.root.icons {
        let response = try await context.get(icon.url)
        guard let size = ImageSize(response.body) else { continue }
        try context.expect(
          size.width == icon.width && size.height == icon.height,
          "\(icon.width) × \(icon.height) pixels from \(icon.url.target)", got: "\(size.width) × \(size.height)")
      }
    },
  ]
}

extension Target {
  /// The <device> elements of the description, the root device's first.
  var deviceElements: [XMLElement] {
    func all(_ device: XMLElement) -> [XMLElement] {
      [device] + (device["deviceList"]?.all("device") ?? []).flatMap(all)
    }
    return root.all("device").flatMap(all)
  }
}
