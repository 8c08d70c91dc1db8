import ControlPoint
import UPnP

/// All OpenHome services: getters, faults and versions. Credentials.
enum OpenHomeServiceChecks {
  static let all: [Check] = device + general + credentials

  private static func services(_ context: CheckContext) throws(Finding) -> [Target.Service] {
    let services = context.target.services.filter { $0.description.urn?.domain == "av-openhome-org" }
    guard !services.isEmpty else { throw .skip("the device has no OpenHome services") }
    return services
  }

  /// Actions with results and without arguments.
  private static func getters(_ service: Target.Service) -> [ServiceDescription.Action] {
    service.scpd?.actions.filter { $0.inputs.isEmpty && !$0.outputs.isEmpty } ?? []
  }

  // MARK: The device

  private static let device: [Check] = [
    Check(
      "oh/service/search", .openHome, .practice, "A search for version 1 of Product is answered.",
      source: "\(OpenHomeWiki.product): control points begin with this search",
      needs: [.service("Product"), .searchable],
      steps: "Searches for urn:av-openhome-org:service:Product:1 by multicast."
    ) { context async throws(Finding) in
      let answers = try await context.answers(
        toSearch: CheckContext.search("urn:av-openhome-org:service:Product:1"))
      try context.expect(!answers.isEmpty, "an answer", got: "none")
    },
    Check(
      "oh/service/service-ids", .openHome, .practice,
      "The serviceId of an OpenHome service is urn:av-openhome-org:serviceId: and its name.",
      source: "bazwilliams/openhomedevice: device.py finds services by these ids", needs: [.service("Product")],
      steps: "Reads the description."
    ) { context throws(Finding) in
      let problems = try services(context).filter {
        $0.description.id != "urn:av-openhome-org:serviceId:\($0.name)"
      }
      try context.expectNone(problems.map { "\($0.description.id) of \($0.name)" }, "the usual ids")
    },
    Check(
      "oh/service/actions", .openHome, .practice, "OpenHome services declare all actions of their version 1.",
      source: "SCPDs in openhome/ohNetGenerated and openhome/ohNet", needs: [.service("Product")],
      steps: "Reads the SCPDs."
    ) { context throws(Finding) in
      let problems = OpenHomeActions.all.flatMap { name, actions -> [String] in
        guard let scpd = context.target.service(name)?.scpd else { return [] }
        return actions.split(separator: " ").filter { scpd.action(String($0)) == nil }.map { "no \(name).\($0)" }
      }
      try context.expectNone(problems, "all actions")
    },
  ]

  // MARK: Getters

  private static let general: [Check] = [
    Check(
      "oh/service/getters", .openHome, .practice, "Every getter that an SCPD declares succeeds.",
      source:
        "SCPDs in openhome/ohNetGenerated; home-assistant/core#181238: one getter that failed made the device unavailable",
      steps: "Calls all actions that have results and no arguments."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in try services(context) {
        for action in getters(service) {
          let answer = try await context.answer(to: context.request(service, action.name))
          if answer.results == nil { problems.append("\(answer.summary) for \(service.name).\(action.name)") }
        }
      }
      try context.expectNone(problems, "success of all getters")
    },
    Check(
      "oh/service/values", .openHome, .practice, "Getters return all results of the SCPD, with values of their types.",
      source: "SCPDs in openhome/ohNetGenerated",
      steps:
        "Calls all actions that have results and no arguments. Numbers are numbers, booleans are booleans, and the order is that of the SCPD."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in try services(context) {
        guard let scpd = service.scpd else { continue }
        for action in getters(service) {
          guard let results = try await context.answer(to: context.request(service, action.name)).results else {
            continue
          }
          if results.map(\.name) != action.outputs.map(\.name) {
            problems.append("\(service.name).\(action.name) returned \(results.map(\.name).joined(separator: ", "))")
          }
          for (name, value) in results {
            guard let output = action.outputs.first(where: { $0.name == name }),
              let variable = scpd.variable(of: output), !ServiceDescriptionChecks.isAllowed(value, variable)
            else { continue }
            problems.append("\(service.name).\(action.name) returned \(name) \"\(value.prefix(40))\"")
          }
        }
      }
      try context.expectNone(problems, "all results, with values of the declared types")
    },
    Check(
      "oh/service/older-version", .openHome, .practice, "A service answers a request for its version 1.",
      source: "UDA 1.0 §2.1: later versions are compatible with earlier ones; control points send version 1",
      needs: [.laterVersion],
      steps: "Calls the first getter of each service of a later version with version 1 in SOAPACTION and body."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in try services(context) {
        guard let urn = service.description.urn, urn.version > 1, let getter = getters(service).first else { continue }
        var request = try context.request(service, getter.name)
        request.type = URN(domain: urn.domain, kind: urn.kind, name: urn.name, version: 1).description
        request.soapAction = "\"\(request.type)#\(getter.name)\""
        let answer = try await context.answer(to: request)
        if answer.results == nil { problems.append("\(answer.summary) for \(urn.name):1#\(getter.name)") }
      }
      try context.expectNone(problems, "success with version 1")
    },
    Check(
      "oh/service/wrong-type", .openHome, .practice, "A text is refused where a number is expected.",
      source: "the table of error codes in UDA 1.0 §3.2.2", needs: [.action("Product", "Source")],
      steps: "Calls Product's Source with the index \"first\". Passes with 402, 600, 601 or 801."
    ) { context async throws(Finding) in
      let answer = try await context.answer("Product", "Source", [("Index", "first")])
      try context.expectFault([402, 600, 601, 801], answer, to: "the index \"first\"")
    },
  ]

  // MARK: Credentials

  private static let service = "Credentials"
  private static let wiki = OpenHomeWiki.credentials

  private static let credentials: [Check] = [
    Check(
      "oh/credentials/ids", .openHome, .must, "Each id of GetIds can be read with Get.", source: wiki,
      needs: [.action(service, "GetIds"), .action(service, "Get")], steps: "Calls GetIds, and Get for each id."
    ) { context async throws(Finding) in
      let ids = try await context.result("Ids", of: "GetIds", service).split(separator: " ")
      for id in ids { try await context.call(service, "Get", [("Id", String(id))]) }
    },
    Check(
      "oh/credentials/unknown-id", .openHome, .must, "Get refuses an unknown id with 800.", source: wiki,
      needs: [.action(service, "Get")], steps: "Calls Get with the id no-such-service.invalid."
    ) { context async throws(Finding) in
      let answer = try await context.answer(service, "Get", [("Id", "no-such-service.invalid")])
      try context.expectFault([800], answer, to: "an unknown id")
    },
    Check(
      "oh/credentials/public-key", .openHome, .practice, "PublicKey is empty or an RSA key in PEM.",
      source: "\(wiki); openhome/ohPipeline: OpenHome/Av/Credentials.cpp", needs: [.action(service, "GetPublicKey")],
      steps: "Calls GetPublicKey."
    ) { context async throws(Finding) in
      let key = try await context.result("PublicKey", of: "GetPublicKey", service)
      try context.expect(
        key.isEmpty || key.hasPrefix("-----BEGIN ") && key.contains("PUBLIC KEY-----"), "a PEM public key",
        got: "\"\(key.prefix(40))\"")
    },
  ]
}

/// The wiki that documents OpenHome's services.
enum OpenHomeWiki {
  static let product = "OpenHome wiki, Av:Developer:ProductService"
  static let volume = "OpenHome wiki, Av:Developer:VolumeService"
  static let transport = "OpenHome wiki, Av:Developer:TransportService"
  static let pins = "OpenHome wiki, Av:Developer:PinsService"
  static let credentials = "OpenHome wiki, Av:Developer:CredentialsService"
}
