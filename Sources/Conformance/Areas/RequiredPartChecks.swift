import ControlPoint
import UPnP

/// Parts that UPnP requires of descriptions, SCPDs and answers.
enum RequiredPartChecks {
  static let all: [Check] = description + serviceDescriptions + answers

  // MARK: Description

  private static let description: [Check] = [
    Check(
      "uda/2.3/types", .description, .must, "Device and service types are URNs that end with a version.",
      source: "UDA 1.0 §2.1, deviceType and serviceType",
      steps: "Reads the description. Passes if each type is urn:, a domain, device or service, a name and a number."
    ) { context throws(Finding) in
      let devices = context.target.deviceElements
      let types =
        devices.map { ("device", $0.text("deviceType") ?? "") }
        + devices.flatMap { $0["serviceList"]?.all("service") ?? [] }.map { ("service", $0.text("serviceType") ?? "") }
      let wrong = types.filter { kind, type in
        let parts = type.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count != 5 || parts[0] != "urn" || parts[2] != kind || parts.contains("")
          || (Int(device: String(parts[4])) ?? 0) < 1
      }
      try context.expectNone(wrong.map { "\"\($0.1)\"" }, "urn:DOMAIN:device:NAME:VERSION, or service for device")
    },
    Check(
      "uda/2.3/required-services", .description, .must,
      "A renderer has RenderingControl and ConnectionManager, and a media server ContentDirectory and ConnectionManager.",
      source: "MediaRenderer:1 §2.2, table 1; MediaServer:1 §2.2, table 1",
      steps: "Reads the description. Passes if each device of these types has both services."
    ) { context throws(Finding) in
      let required = [
        "MediaRenderer": ["RenderingControl", "ConnectionManager"],
        "MediaServer": ["ContentDirectory", "ConnectionManager"],
      ]
      let missing = context.target.description.root.all.flatMap { device -> [String] in
        guard let type = device.urn, type.domain == "schemas-upnp-org" else { return [] }
        return (required[type.name] ?? []).filter { name in !device.services.contains { $0.name == name } }
          .map { "no \($0) of \(type.name)" }
      }
      try context.expectNone(missing, "the required services")
    },
    Check(
      "uda/2.3/icon-elements", .description, .must, "An icon has a mimetype, width, height, depth and url.",
      source: "UDA 1.0 §2.1, icon", needs: [.icons],
      steps: "Reads the description. Passes if each icon has these elements and none is empty."
    ) { context throws(Finding) in
      let icons = context.target.deviceElements.flatMap { $0["iconList"]?.all("icon") ?? [] }
      let missing = icons.flatMap { icon in
        ["mimetype", "width", "height", "depth", "url"].filter { icon.text($0)?.isEmpty ?? true }
      }
      try context.expectNone(missing.map { "no \($0)" }, "all elements of each icon")
    },
  ]

  // MARK: Service descriptions

  /// Fails with the problems of all SCPDs.
  private static func document(
    _ id: String, _ requirement: String, expected: String,
    _ problems: @escaping @Sendable (XMLElement) -> [String]
  ) -> Check {
    Check(
      "uda/2.5/\(id)", .scpd, .must, requirement, source: "UDA 1.0 §2.3",
      steps: "Reads the SCPD of every service. Passes with \(expected)."
    ) { context throws(Finding) in
      let found = context.target.services.flatMap { service in
        (service.root.map(problems) ?? []).map { "\(service.name): \($0)" }
      }
      try context.expectNone(found, expected)
    }
  }

  private static let numericTypes: Set = [
    "ui1", "ui2", "ui4", "ui8", "i1", "i2", "i4", "i8", "int", "r4", "r8", "number", "fixed.14.4", "float",
  ]

  private static let serviceDescriptions: [Check] = [
    document(
      "spec-version", "The specVersion of an SCPD is UPnP 1.0, 1.1 or 2.0.", expected: "one of these versions"
    ) { root in
      let version = root["specVersion"]
      let text = "\(version?.text("major") ?? "").\(version?.text("minor") ?? "")"
      return ["1.0", "1.1", "2.0"].contains(text) ? [] : [version == nil ? "no specVersion" : "\"\(text)\""]
    },
    document("direction", "The direction of an argument is in or out.", expected: "in or out for each argument") {
      root in
      (root["actionList"]?.all("action") ?? []).flatMap { action in
        (action["argumentList"]?.all("argument") ?? []).filter {
          !["in", "out"].contains($0.text("direction"))
        }.map { "\(action.text("name") ?? "").\($0.text("name") ?? "") has \"\($0.text("direction") ?? "")\"" }
      }
    },
    document(
      "send-events", "The attribute sendEvents is yes or no, if it is there.", expected: "yes or no in each sendEvents"
    ) { root in
      (root["serviceStateTable"]?.all("stateVariable") ?? []).compactMap { variable in
        guard let value = variable.attributes["sendEvents"], !["yes", "no"].contains(value) else { return nil }
        return "\(variable.text("name") ?? "") has \"\(value)\""
      }
    },
    document(
      "allowed-kinds", "Only strings have an allowedValueList, and only numbers an allowedValueRange.",
      expected: "lists of strings and ranges of numbers"
    ) { root in
      (root["serviceStateTable"]?.all("stateVariable") ?? []).compactMap { variable in
        let (name, type) = (variable.text("name") ?? "", variable.text("dataType") ?? "")
        if variable["allowedValueList"] != nil, type != "string" { return "\(name), a list of \(type)" }
        if variable["allowedValueRange"] != nil, !numericTypes.contains(type) { return "\(name), a range of \(type)" }
        return nil
      }
    },
  ]

  // MARK: Answers

  private static let answers: [Check] = [
    Check(
      "uda/3.2.2/envelope", .control, .must, "Answers and faults are a SOAP 1.1 <Envelope> with a <Body>.",
      source: "UDA 1.0 §3.2.2",
      steps: """
        Calls a getter and X_NoSuchAction. Passes if both answers have these elements in the namespace \
        http://schemas.xmlsoap.org/soap/envelope/.
        """
    ) { context async throws(Finding) in
      let namespace = "http://schemas.xmlsoap.org/soap/envelope/"
      let getter = try HTTPChecks.anyGetter(context)
      for request in [getter, getter.calling("X_NoSuchAction")] {
        let root = try await context.answer(to: request).root
        let elements = [root, root?["Body"]]
        try context.expect(
          elements.map(\.?.name) == ["Envelope", "Body"] && elements.allSatisfy { $0?.namespace == namespace },
          "<Envelope> and <Body> in \(namespace)",
          got: root.map { "<\($0.name)> in \"\($0.namespace)\"" } ?? "no XML")
      }
    },
    Check(
      "uda/3.2.2/setter", .control, .must,
      "The answers to SetMute and SetVolume are empty, in the namespace of the service.",
      source: "UDA 1.0 §3.2.2, for all actions", changes: [.mute, .volume],
      steps: """
        Reads mute and volume and sets each to the same value. Passes if the answers are <SetMuteResponse> and \
        <SetVolumeResponse> in the namespace of the service, without an argument.
        """
    ) { context async throws(Finding) in
      let name = context.isRenderer ? "RenderingControl" : "Volume"
      let service = try context.service(name)
      // SetVolume comes first, since OpenHome's ends mute.
      let mute = try await context.read(.mute)
      let settings = [("SetVolume", try await context.read(.volume)), ("SetMute", mute)]
      for (setter, value) in settings {
        guard let action = service.scpd?.action(setter) else { continue }
        let values = ["InstanceID": "0", "Channel": "Master"]
        let request = try context.request(
          service, setter, action.inputs.map { ($0.name, values[$0.name] ?? value) })
        let element = try await context.answer(to: request).root?["Body"]?.children.first
        try context.expect(
          element?.name == "\(setter)Response" && element?.namespace == request.type
            && element?.children.isEmpty == true,
          "an empty <\(setter)Response> in \(request.type)",
          got: element.map { "<\($0.name)> in \"\($0.namespace)\" with \($0.children.count) arguments" } ?? "none")
      }
    },
    Check(
      "uda/3.2.2/unqualified", .control, .practice, "Output arguments have no namespace.",
      source: "the template in UDA 1.0 §3.2.2",
      steps: "Calls up to eight getters. Passes if the elements of their arguments have no namespace."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for request in try context.getters().prefix(8) {
        let element = try await context.answer(to: request).root?["Body"]?.children.first
        guard element?.name == "\(request.action)Response" else { continue }
        problems += (element?.children ?? []).filter { !$0.namespace.isEmpty }
          .map { "\(request.action).\($0.name) in \"\($0.namespace)\"" }
      }
      try context.expectNone(problems, "arguments without a namespace")
    },
  ]
}
