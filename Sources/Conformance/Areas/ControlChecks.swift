import ControlPoint
import UPnP

/// Actions and faults (UDA §3).
enum ControlChecks {
  private static let response = "UDA 1.0 §3.2.2"
  private static let rendering = Prerequisite.action("RenderingControl", "GetVolume")
  private static let transport = Prerequisite.action("AVTransport", "GetTransportInfo")

  static let all: [Check] = faults + dialects

  // MARK: Faults

  private static let faults: [Check] = [
    Check(
      "uda/3.2.2/unknown-action", .control, .must, "An action that does not exist is refused with 401.",
      source: "the table of error codes in \(response)",
      steps: "Calls X_NoSuchAction of every service. Passes with error 401 from each."
    ) { context async throws(Finding) in
      for service in context.target.services {
        let answer = try await context.answer(to: context.request(service, "X_NoSuchAction"))
        try context.expectFault([401], answer, to: "an unknown action of \(service.name)")
      }
    },
    Check(
      "uda/3.2.2/missing-argument", .control, .must, "A call without an input argument is refused with 402.",
      source: "the table of error codes in \(response)", needs: [transport],
      steps: "Calls GetTransportInfo without InstanceID. Passes with error 402."
    ) { context async throws(Finding) in
      try context.expectFault([402], await context.answer("AVTransport", "GetTransportInfo"), to: "no InstanceID")
    },
    Check(
      "uda/3.2.2/wrong-type", .control, .must, "An InstanceID that is no number is refused with 402, 600, 601 or 718.",
      source: "the table of error codes in \(response)", needs: [transport],
      steps: "Calls GetTransportInfo with the InstanceID \"first\". Passes with one of these errors."
    ) { context async throws(Finding) in
      let answer = try await context.answer("AVTransport", "GetTransportInfo", [("InstanceID", "first")])
      try context.expectFault([402, 600, 601, 718], answer, to: "the InstanceID \"first\"")
    },
    Check(
      "uda/3.2.2/fault", .control, .must,
      "A refusal is a SOAP fault with status 500, faultcode Client, faultstring UPnPError and a UPnPError in its detail.",
      source: "UDA 2.0 §3.2.5; \(response)",
      steps: "Calls X_NoSuchAction of the first service. Passes if the answer is such a fault, in each of these parts."
    ) { context async throws(Finding) in
      guard let service = context.target.services.first else { throw .skip("the device has no service") }
      let answer = try await context.answer(to: context.request(service, "X_NoSuchAction"))
      try context.expect(answer.response.status == 500, "status 500", got: "\(answer.response.status)")
      let fault = answer.root?["Body"]?["Fault"]
      let code = fault?.text("faultcode") ?? ""
      try context.expect(code.hasSuffix(":Client"), "the faultcode s:Client", got: "\"\(code)\"")
      let text = fault?.text("faultstring") ?? ""
      try context.expect(text == "UPnPError", "the faultstring UPnPError", got: "\"\(text)\"")
      let error = fault?["detail"]?["UPnPError"]
      try context.expect(
        error?.namespace == "urn:schemas-upnp-org:control-1-0", "<UPnPError> in urn:schemas-upnp-org:control-1-0",
        got: error == nil ? "none" : "the namespace \"\(error?.namespace ?? "")\"")
    },
    Check(
      "uda/3.2.1/wrong-service", .control, .practice, "An action of another service is refused.",
      source: "the table of error codes in \(response)",
      steps: "Calls a getter with the type of a service that the device does not have. Passes unless the call succeeds."
    ) { context async throws(Finding) in
      var request = try HTTPChecks.anyGetter(context)
      request.type = "urn:schemas-upnp-org:service:Toaster:1"
      request.soapAction = "\"\(request.type)#\(request.action)\""
      let answer = try await context.answer(to: request)
      try context.expect(answer.results == nil, "a refusal", got: "success")
    },
    Check(
      "uda/3.2.1/malformed", .control, .practice, "A body that is no XML is refused, and the device goes on serving.",
      source: "CVE-2009-2174 (GUPnP)",
      steps:
        "Posts an envelope that ends in its first tag, and then a complete one. Passes if the first has a status from 400 to 599 and the second succeeds."
    ) { context async throws(Finding) in
      var request = try HTTPChecks.anyGetter(context)
      request.envelope = "<s:Envelope"
      let status = try await context.answer(to: request).response.status
      try context.expect((400...599).contains(status), "a status from 400 to 599", got: "\(status)")
      request.envelope = nil
      let next = try await context.answer(to: request)
      try context.expect(next.results != nil, "success of the next request", got: next.summary)
    },
    Check(
      "avt/2.4/instance", .control, .must, "AVTransport refuses an unknown InstanceID with 718.",
      source: "the tables of error codes in AVTransport:1 §2.4", needs: [transport],
      steps: "Calls GetTransportInfo with the InstanceID 4711. Passes with error 718."
    ) { context async throws(Finding) in
      let answer = try await context.answer("AVTransport", "GetTransportInfo", [("InstanceID", "4711")])
      try context.expectFault([718], answer, to: "the InstanceID 4711")
    },
    Check(
      "rcs/2.4/instance", .control, .must, "RenderingControl refuses an unknown InstanceID with 702.",
      source: "the tables of error codes in RenderingControl:1 §2.4", needs: [rendering],
      steps: "Calls GetVolume with the InstanceID 4711. Passes with error 702."
    ) { context async throws(Finding) in
      let answer = try await context.answer(
        "RenderingControl", "GetVolume", [("InstanceID", "4711"), ("Channel", "Master")])
      try context.expectFault([702], answer, to: "the InstanceID 4711")
    },
    Check(
      "rcs/2.4/channel", .control, .practice,
      "RenderingControl refuses a channel that does not exist with 402, 600, 601 or 703.",
      source: "the tables of error codes in RenderingControl:1 and :2 §2.4", needs: [rendering],
      steps: "Calls GetVolume with the Channel NoSuchChannel. Passes with one of these errors."
    ) { context async throws(Finding) in
      let answer = try await context.answer(
        "RenderingControl", "GetVolume", [("InstanceID", "0"), ("Channel", "NoSuchChannel")])
      try context.expectFault([402, 600, 601, 703], answer, to: "the channel NoSuchChannel")
    },
  ]

  // MARK: Dialects

  /// Sends the same action in another form.
  private static func dialect(
    _ id: String, _ level: Level, _ requirement: String, source: String, sends: String,
    _ change: @escaping @Sendable (inout SOAPRequest) -> Void
  ) -> Check {
    Check(
      id, .control, level, requirement, source: source,
      steps: "Calls a getter with \(sends). Passes if the call succeeds."
    ) { context async throws(Finding) in
      var request = try HTTPChecks.anyGetter(context)
      change(&request)
      let answer = try await context.answer(to: request)
      try context.expect(answer.results != nil, "success of \(request.action)", got: answer.summary)
    }
  }

  private static let dialects: [Check] = [
    dialect(
      "uda/3.2.1/prefixes", .practice, "The envelope may use any namespace prefixes.",
      source: "the general rules of XML namespaces, which UDA 2.0 §3.2.5 repeats for answers",
      sends: "the prefixes SOAP-ENV and m"
    ) { request in
      request.envelope = request.envelope(s: "SOAP-ENV", u: "m")
    },
    dialect(
      "uda/3.2.1/comments", .practice, "The envelope may contain comments and line breaks.", source: "XML 1.0 §2.5",
      sends: "a comment and a line break between all elements"
    ) { request in
      request.envelope = request.usualEnvelope.replacing("><", with: ">\n <!-- a comment --> <")
    },
    dialect(
      "uda/3.2.1/unquoted-soapaction", .practice, "The SOAPACTION header may come without quotes.",
      source: "many small control points; Tests/interop/av/test_control.py",
      sends: "a SOAPACTION header without quotes"
    ) { request in
      request.soapAction = request.soapAction?.filter { $0 != "\"" }
    },
    Check(
      "uda/3.2.2/response", .control, .must,
      "A successful answer is an element named like the action with Response, in the namespace of the service.",
      source: response,
      steps: "Calls a getter. Passes if the first element in the body of the answer has this name and namespace."
    ) { context async throws(Finding) in
      let request = try HTTPChecks.anyGetter(context)
      let answer = try await context.answer(to: request)
      let element = answer.root?["Body"]?.children.first
      try context.expect(
        element?.name == "\(request.action)Response" && element?.namespace == request.type,
        "<\(request.action)Response> in \(request.type)",
        got: element.map { "<\($0.name)> in \"\($0.namespace)\"" } ?? "none")
    },
    Check(
      "uda/3.2.2/content-type", .control, .must, "The answer to an action has the content type text/xml.",
      source: response,
      steps:
        "Calls a getter and X_NoSuchAction. Passes if both answers have the media type text/xml, with or without a charset."
    ) { context async throws(Finding) in
      let getter = try HTTPChecks.anyGetter(context)
      for request in [getter, getter.calling("X_NoSuchAction")] {
        let type = try await context.answer(to: request).response.mediaType
        try context.expect(type == "text/xml", "text/xml", got: type ?? "none")
      }
    },
    Check(
      "uda/3.2.2/ext", .control, .practice, "The answer to an action has an empty EXT header.", source: response,
      steps: "Calls a getter. Passes if the answer has a header EXT without a value."
    ) { context async throws(Finding) in
      let answer = try await context.answer(to: HTTPChecks.anyGetter(context))
      let ext = answer.response.header("ext")
      try context.expect(ext == "", "an empty EXT", got: ext ?? "none")
    },
    Check(
      "uda/3.2.1/argument-order", .control, .practice,
      "Arguments in another order are never mixed up: the call succeeds or is refused.",
      source: "castaway, docs/dlna-conformance.md", needs: [rendering],
      steps:
        "Calls GetVolume with InstanceID before Channel, and with Channel before InstanceID. Passes if both return the same volume, or if the second is refused with 402."
    ) { context async throws(Finding) in
      let usual = try await context.call(
        "RenderingControl", "GetVolume", [("InstanceID", "0"), ("Channel", "Master")])
      let answer = try await context.answer(
        "RenderingControl", "GetVolume", [("Channel", "Master"), ("InstanceID", "0")])
      if let code = answer.faultCode, code == 402 { return }
      let value = answer.results?.first { $0.name == "CurrentVolume" }?.value
      try context.expect(
        value == usual["CurrentVolume"], "the CurrentVolume \(usual["CurrentVolume"] ?? "")",
        got: value ?? answer.summary)
    },
  ]
}
