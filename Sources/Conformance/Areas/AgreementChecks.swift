import ControlPoint
import UPnP

/// Documents, answers and events have to agree with what their headers and the SCPDs say.
enum AgreementChecks {
  static let all: [Check] = characterSets + declarations

  // MARK: Character sets

  /// - Parameter documents: the names of documents with their CONTENT-TYPE and body.
  private static func characterSet(
    _ id: String, _ area: Area, _ what: String, needs: [Prerequisite] = [], steps: String,
    _ documents:
      @escaping @Sendable (CheckContext) async throws(Finding) -> [(name: String, type: String, body: [UInt8])]
  ) -> Check {
    Check(
      "uda/\(id)/charset", area, .practice, "The charset in CONTENT-TYPE of \(what) is the encoding of the XML.",
      source: "RFC 7303 §3.2 (the charset wins over the XML declaration, so parsers disagree)", needs: needs,
      steps: "\(steps). Passes if charset and XML declaration name one encoding, and the bytes are valid in it."
    ) { context async throws(Finding) in
      let problems = try await documents(context).compactMap { document in
        CharacterSet(type: document.type, body: document.body).problem.map { "\(document.name): \($0)" }
      }
      try context.expectNone(problems, "one encoding")
    }
  }

  private static let characterSets: [Check] = [
    characterSet("2.11", .description, "documents", steps: "Reads the description and the SCPDs") { context in
      [("the description", context.target.document.header("content-type") ?? "", context.target.document.body)]
        + context.target.services.compactMap { service in
          service.document.map { ("the SCPD of \(service.name)", $0.header("content-type") ?? "", $0.body) }
        }
    },
    characterSet("3.2.2", .control, "answers", steps: "Calls a getter of every service") {
      context async throws(Finding) in
      var documents: [(name: String, type: String, body: [UInt8])] = []
      var services: Set<String> = []
      for request in try context.getters() where services.insert(request.type).inserted {
        let response = try await context.exchange(request.http)
        documents.append((request.action, response.header("content-type") ?? "", response.body))
      }
      return documents
    },
    characterSet("4.3", .eventing, "events", needs: [.events], steps: "Reads the first event of every service") {
      context async throws(Finding) in
      var documents: [(name: String, type: String, body: [UInt8])] = []
      for service in context.eventedServices {
        let event = try await context.withSubscription(to: service) { subscription throws(Finding) in
          try await context.initialEvent(subscription)
        }
        documents.append(("the event of \(service.name)", event.header("content-type"), event.body))
      }
      return documents
    },
  ]

  // MARK: Declarations

  private static let declarations: [Check] = [
    Check(
      "uda/2.5/required-events", .scpd, .must,
      "SCPDs declare as evented what the service templates require, such as LastChange.",
      source: "AVTransport:1 §2.3, RenderingControl:1 §2.3, ConnectionManager:1 §2.3",
      steps:
        "Reads the SCPDs. Passes if LastChange, or the three variables of ConnectionManager, have sendEvents=\"yes\"."
    ) { context throws(Finding) in
      let missing = context.target.services.flatMap { service in
        (service.scpd == nil ? [] : service.requiredEvents).filter { !service.eventedVariables.contains($0) }
          .map { "\(service.name).\($0)" }
      }
      try context.expectNone(missing.map { "\($0) is not" }, "evented variables")
    },
    Check(
      "uda/3.2.2/namespaces", .control, .must, "Every answer is in the namespace of the service type of its request.",
      source: "UDA 1.0 §3.2.2",
      steps: "Calls every getter. Passes if each answer is in the namespace of the request, with the same version."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for request in try context.getters() {
        guard let element = try await context.answer(to: request).root?["Body"]?.children.first,
          element.name == "\(request.action)Response", element.namespace != request.type
        else { continue }
        problems.append("\(element.namespace) for \(request.action) of \(request.type)")
      }
      try context.expectNone(problems, "the namespace of the request")
    },
    Check(
      "uda/4.3/listed-values", .eventing, .practice, "Events have only values that the SCPD lists.",
      source: "UDA 1.0 §2.3: allowedValueList has the legal values", needs: [.events],
      steps: "Reads the first event of every service. Passes if each text is in the allowedValueList of its variable."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in context.eventedServices {
        let event = try await context.withSubscription(to: service) { subscription throws(Finding) in
          try await context.initialEvent(subscription)
        }
        for variable in try context.variables(event) {
          guard let declared = service.scpd?.variable(variable.name), !declared.lists(variable.value) else { continue }
          problems.append("\(service.name).\(variable.name) \"\(variable.value.prefix(40))\"")
        }
      }
      try context.expectNone(problems, "values of the allowedValueLists")
    },
    .playing(
      "avt/2.2/listed-states", "While it plays, the device reports only values that the SCPD lists.",
      area: .avTransport, source: "UDA 1.0 §2.3: allowedValueList has the legal values",
      steps: """
        Plays a tone, pauses it if Pause is offered, and stops it. Passes if TransportState, TransportStatus and \
        TransportPlaySpeed are in their allowedValueLists each time.
        """
    ) { transport async throws(Finding) in
      let context = transport.context
      let variables = ["TransportState", "TransportStatus", "TransportPlaySpeed"].compactMap { name in
        (try? context.service(TransportDriver.service))?.scpd?.variable(name)
      }
      let outputs = ["CurrentTransportState", "CurrentTransportStatus", "CurrentSpeed"]
      var problems: [String] = []
      func judge() async throws(Finding) {
        let values = try await transport.call("GetTransportInfo")
        for variable in variables {
          let output = outputs.first {
            $0.hasSuffix(variable.name.replacing("Transport", with: "").replacing("Play", with: ""))
          }
          guard let value = output.flatMap({ values[$0] }), !variable.lists(value) else { continue }
          problems.append("\(variable.name) \"\(value.prefix(40))\"")
        }
      }
      _ = try await transport.startTone()
      try await judge()
      if context.missing(.transport("Pause")) == nil {
        try await transport.pause()
        try await transport.wait(for: .paused)
        try await judge()
      }
      try await transport.stop()
      try await judge()
      try context.expectNone(problems, "values of the allowedValueLists")
    },
  ]
}

extension ServiceDescription.Variable {
  /// Whether a value is in the allowedValueList, or its entries are. Without a list, all are.
  fileprivate func lists(_ value: String) -> Bool {
    guard dataType == "string", !allowedValues.isEmpty, !allowedValues.contains(value) else { return true }
    let entries = CSVList.entries(value).map { String($0.trimmingBlanks) }
    return entries.count > 1 && entries.allSatisfy(allowedValues.contains)
  }
}

/// The encoding of an XML document, as its header and its XML declaration name it.
struct CharacterSet {
  private let header: String?
  private let declaration: String?
  private let isUTF8: Bool
  private let isASCII: Bool

  init(type: String, body: [UInt8]) {
    header = Self.value(of: "charset", in: type[...])
    let start = String(decoding: body.prefix(200), as: UTF8.self)
    declaration = start.hasPrefix("<?xml") ? Self.value(of: "encoding", in: start.prefix { $0 != ">" }) : nil
    isUTF8 = String(validating: body, as: UTF8.self) != nil
    isASCII = body.allSatisfy { $0 < 0x80 }
  }

  /// The value after `name=`, in lower case and without quotes.
  private static func value(of name: String, in text: Substring) -> String? {
    let lower = text.lowercased()
    guard let range = lower.firstRange(of: "\(name)=") else { return nil }
    let rest = lower[range.upperBound...]
    let quotes: Set<Character> = ["\"", "'"]
    let end = rest.first.map { quotes.contains($0) } == true ? rest.dropFirst().prefix { !quotes.contains($0) } : nil
    return String(end ?? rest.prefix { $0 != ";" && $0 != " " && $0 != "?" })
  }

  /// Nil if both agree with the bytes.
  var problem: String? {
    let declared = declaration ?? "utf-8"
    let charset = header ?? declared
    if charset != declared, !(isASCII && [charset, declared].allSatisfy { ["utf-8", "us-ascii"].contains($0) }) {
      return "the charset \(charset), and \(declared) in the XML"
    }
    return charset == "utf-8" && !isUTF8 ? "bytes that are no UTF-8" : nil
  }
}
