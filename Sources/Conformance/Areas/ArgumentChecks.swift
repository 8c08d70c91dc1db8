import ControlPoint
import UPnP

/// Arguments and envelopes in the forms that XML allows, and wrong arguments (UDA §3.2).
enum ArgumentChecks {
  private static let transport = Prerequisite.action("AVTransport", "GetTransportInfo")
  private static let codes = "the table of error codes in UDA 1.0 §3.2.2"

  static let all: [Check] = forms + refusals + values

  // MARK: Forms

  /// Calls GetTransportInfo with its argument written in another way.
  private static func form(
    _ id: String, _ level: Level, _ requirement: String, source: String, _ what: String,
    _ change: @escaping @Sendable (String) -> String
  ) -> Check {
    Check(
      "uda/3.2.1/\(id)", .control, level, requirement, source: source, needs: [transport],
      steps: "Calls GetTransportInfo with \(what). Passes if the call succeeds."
    ) { context async throws(Finding) in
      var request = try context.request(
        context.service("AVTransport"), "GetTransportInfo", [("InstanceID", "0")])
      request.envelope = change(request.usualEnvelope)
      let answer = try await context.answer(to: request)
      try context.expect(answer.results != nil, "success of GetTransportInfo", got: answer.summary)
    }
  }

  private static let forms: [Check] = [
    form("cdata", .must, "A value may be a CDATA section.", source: "XML 1.0 §2.7", "the InstanceID as CDATA") {
      $0.replacing(">0<", with: "><![CDATA[0]]><")
    },
    form(
      "character-reference", .must, "A value may have character references.", source: "XML 1.0 §4.1",
      "the InstanceID &#48;"
    ) { $0.replacing(">0<", with: ">&#x30;<") },
    form(
      "default-namespace", .practice, "The element of the action may use the default namespace.",
      source: "Namespaces in XML 1.0 §6.2", "an element of the action without a prefix"
    ) { text in
      text.replacing("<u:", with: "<").replacing("</u:", with: "</").replacing("xmlns:u=", with: "xmlns=")
    },
    form(
      "single-quotes", .must, "Attributes may be in single quotes.", source: "XML 1.0 §3.1",
      "attributes in single quotes"
    ) { $0.replacing("\"", with: "'") },
    form(
      "no-declaration", .must, "The XML declaration may be missing.", source: "XML 1.0 §2.8", "no XML declaration"
    ) { text in
      text.firstRange(of: "?>").map { String(text[$0.upperBound...].drop { $0 == "\n" }) } ?? text
    },
    form(
      "processing-instruction", .must, "The envelope may have processing instructions.", source: "XML 1.0 §2.6",
      "a processing instruction in the envelope"
    ) { $0.replacing("<s:Body>", with: "<?hint nothing?><s:Body>") },
    form(
      "soap-header", .practice, "A SOAP header that needs not be understood is ignored.", source: "SOAP 1.1 §4.2",
      "an unknown entry in a SOAP header"
    ) { text in
      text.replacing(
        "<s:Body>", with: "<s:Header><h:Trace xmlns:h=\"urn:example\">1</h:Trace></s:Header><s:Body>")
    },
  ]

  // MARK: Refusals

  /// Calls GetTransportInfo with wrong arguments.
  private static func refusal(
    _ id: String, _ requirement: String, _ codes: Set<Int>, _ arguments: [(name: String, value: String)],
    what: String
  ) -> Check {
    let list = codes.sorted().map(String.init).joined(separator: ", ")
    return Check(
      "uda/3.2.2/\(id)", .control, .practice, requirement, source: Self.codes, needs: [transport],
      steps: "Calls GetTransportInfo with \(what). Passes if it is refused with one of \(list)."
    ) { context async throws(Finding) in
      let answer = try await context.answer("AVTransport", "GetTransportInfo", arguments)
      try context.expectFault(codes, answer, to: what)
    }
  }

  private static let refusals: [Check] = [
    refusal(
      "empty-number", "An empty number is refused.", [402, 600, 601, 718], [("InstanceID", "")],
      what: "an empty InstanceID"),
    refusal(
      "negative-number", "A negative value of an unsigned number is refused.", [402, 600, 601, 718],
      [("InstanceID", "-1")], what: "the InstanceID -1"),
    refusal(
      "number-overflow", "A number beyond its data type is refused, and not taken for another one.",
      [402, 600, 601, 718], [("InstanceID", "4294967296")], what: "the InstanceID 4294967296"),
    refusal(
      "fraction", "A fraction is no whole number.", [402, 600, 601, 718], [("InstanceID", "0.5")],
      what: "the InstanceID 0.5"),
    refusal(
      "other-argument", "An argument with another name does not replace a missing one.", [402, 600, 601],
      [("instanceid", "0")], what: "instanceid instead of InstanceID"),
    Check(
      "uda/3.2.2/every-missing-argument", .control, .practice,
      "Every getter with arguments is refused with 402 without them.", source: codes,
      steps: "Calls each getter that has input arguments without any. Passes if each is refused with 402."
    ) { context async throws(Finding) in
      let all = try context.getters().filter { !$0.arguments.isEmpty }
      guard !all.isEmpty else { throw .skip("no getter has input arguments") }
      var problems: [String] = []
      for var getter in all {
        getter.arguments = []
        let answer = try await context.answer(to: getter)
        if answer.faultCode != 402 { problems.append("\(answer.summary) for \(getter.action)") }
      }
      try context.expectNone(problems, "error 402 for each")
    },
    Check(
      "uda/3.2.2/extra-argument", .control, .practice, "An unknown argument is ignored or refused with 402.",
      source: codes, steps: "Calls a getter with one more argument. Passes if it succeeds or is refused with 402."
    ) { context async throws(Finding) in
      var getter = try HTTPChecks.anyGetter(context)
      getter.arguments.append(("X_Unknown", "1"))
      let answer = try await context.answer(to: getter)
      try context.expect(
        answer.results != nil || answer.faultCode == 402, "success or error 402", got: answer.summary)
    },
  ]

  // MARK: Values that change something

  private static let volume = Prerequisite.action("RenderingControl", "SetVolume")
  private static let mute = Prerequisite.action("RenderingControl", "SetMute")

  private static let values: [Check] = [
    Check(
      "uda/3.2.2/wrong-volume", .control, .practice, "A volume that is no number is refused, and changes nothing.",
      source: codes, needs: [volume, .action("RenderingControl", "GetVolume")], changes: [.volume],
      steps: "Sets the volume to texts, fractions and negative numbers. "
        + "Passes if each is refused and the volume stays."
    ) { context async throws(Finding) in
      let before = "\(try await context.quietVolumes().upperBound)"
      try await context.write(.volume, before)
      for value in ["loud", "", "-1", "1e1", "5.5", "0x5"] {
        let answer = try await context.answer(
          "RenderingControl", "SetVolume", [("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", value)])
        try context.expect(answer.faultCode != nil, "a refusal of the volume \"\(value)\"", got: answer.summary)
        let after = try await context.read(.volume)
        try context.expect(after == before, "the volume \(before) after \"\(value)\"", got: after)
      }
    },
    Check(
      "uda/3.2.2/wrong-boolean", .control, .practice, "A boolean other than 0, 1, true, false, yes and no is refused.",
      source: codes, needs: [mute], changes: [.mute],
      steps: "Calls SetMute with \"maybe\", \"2\" and an empty text. Passes if each is refused."
    ) { context async throws(Finding) in
      for value in ["maybe", "2", ""] {
        let answer = try await context.answer(
          "RenderingControl", "SetMute", [("InstanceID", "0"), ("Channel", "Master"), ("DesiredMute", value)])
        try context.expect(answer.faultCode != nil, "a refusal of \"\(value)\"", got: answer.summary)
      }
    },
    Check(
      "uda/3.2.2/duplicate-argument", .control, .practice, "An argument that comes twice is refused or taken once.",
      source: "CWE-235 (handling of extra parameters)", needs: [volume, .action("RenderingControl", "GetVolume")],
      changes: [.volume],
      steps: "Calls SetVolume with two different volumes. Passes if it is refused, or sets one of them."
    ) { context async throws(Finding) in
      let highest = try await context.quietVolumes(steps: 1).upperBound
      let answer = try await context.answer(
        "RenderingControl", "SetVolume",
        [
          ("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", "\(highest)"),
          ("DesiredVolume", "\(highest - 1)"),
        ])
      guard answer.results != nil else {
        return try context.expect(answer.faultCode != nil, "a refusal or success", got: answer.summary)
      }
      let volume = try await context.read(.volume)
      try context.expect(
        ["\(highest)", "\(highest - 1)"].contains(volume), "the volume \(highest) or \(highest - 1)", got: volume)
    },
  ]
}
