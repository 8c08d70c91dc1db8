import ControlPoint
import UPnP

/// SCPDs, and whether services behave as their SCPDs declare (UDA §2.5).
enum ServiceDescriptionChecks {
  private static let template = "UDA 1.0 §2.3"

  static let all: [Check] = documents + honesty

  /// Fails with the problems of all SCPDs.
  private static func document(
    _ id: String, _ level: Level, _ requirement: String, source: String, expected: String,
    _ problems: @escaping @Sendable (ServiceDescription) -> [String]
  ) -> Check {
    Check(
      "uda/2.5/\(id)", .scpd, level, requirement, source: source,
      steps: "Reads the SCPD of every service. Passes with \(expected)."
    ) { context throws(Finding) in
      let found = context.target.services.flatMap { service in
        (service.scpd.map(problems) ?? []).map { "\(service.name): \($0)" }
      }
      try context.expectNone(found, expected)
    }
  }

  private static let documents: [Check] = [
    Check(
      "uda/2.5/readable", .scpd, .practice, "The SCPD of every service can be read.",
      source: "StevenLooman/async_upnp_client drops devices whose SCPD cannot be read",
      steps: "Reads the SCPD of every service. Passes if each has status 200 and can be parsed."
    ) { context throws(Finding) in
      let problems = context.target.services.compactMap { service in service.problem.map { "\(service.name): \($0)" } }
      try context.expectNone(problems, "a readable SCPD for each service")
    },
    Check(
      "uda/2.5/well-formed", .scpd, .must, "SCPDs are well-formed XML.", source: "XML 1.0 §2.1",
      steps: "Reads the SCPD of every service. Passes if the XML parser needs no repairs."
    ) {
      context throws(Finding) in
      let problems = context.target.services.flatMap { service in service.repairs.map { "\(service.name): \($0)" } }
      try context.expectNone(problems, "well-formed XML")
    },
    Check(
      "uda/2.5/namespace", .scpd, .must,
      "The document element is <scpd> in the namespace urn:schemas-upnp-org:service-1-0.", source: template,
      steps: "Reads the SCPD of every service. Passes if each document element has this name and namespace."
    ) { context throws(Finding) in
      let wrong = context.target.services.filter { service in
        service.root.map { $0.name != "scpd" || $0.namespace != "urn:schemas-upnp-org:service-1-0" } ?? false
      }
      try context.expectNone(
        wrong.map { "\($0.name): <\($0.root?.name ?? "") xmlns=\"\($0.root?.namespace ?? "")\">" },
        "<scpd xmlns=\"urn:schemas-upnp-org:service-1-0\">")
    },
    document(
      "related-variable", .must, "Every argument refers to a state variable of the SCPD.", source: template,
      expected: "a state variable for each argument"
    ) { scpd in
      scpd.actions.flatMap { action in
        action.arguments.filter { scpd.variable(of: $0) == nil }.map { "\(action.name).\($0.name)" }
      }
    },
    document(
      "unique-names", .practice, "The names of actions, of arguments of an action, and of state variables differ.",
      source: template, expected: "different names"
    ) { scpd in
      let lists =
        [scpd.actions.map(\.name), scpd.variables.map(\.name)] + scpd.actions.map { $0.arguments.map(\.name) }
      return lists.flatMap { names in Set(names.filter { name in names.count { $0 == name } > 1 }).sorted() }
    },
    document(
      "argument-order", .must, "The input arguments of an action precede its output arguments.", source: template,
      expected: "inputs before outputs"
    ) { scpd in
      scpd.actions.filter { action in
        action.arguments.firstIndex { !$0.isInput }.map { action.arguments[$0...].contains(where: \.isInput) } ?? false
      }.map(\.name)
    },
    document(
      "data-type", .must, "Every state variable has one of the data types of UPnP.", source: template,
      expected: "a data type of UPnP"
    ) { scpd in
      scpd.variables.filter { !dataTypes.contains($0.dataType) }.map { "\($0.name) has \"\($0.dataType)\"" }
    },
    document(
      "range", .practice, "The minimum of an allowedValueRange is less than its maximum.", source: template,
      expected: "a minimum below the maximum"
    ) { scpd in
      scpd.variables.filter { variable in
        guard let range = variable.range else { return false }
        guard let minimum = Double(range.minimum), let maximum = Double(range.maximum) else { return true }
        return minimum >= maximum
      }.map { "\($0.name) has \($0.range?.minimum ?? "") to \($0.range?.maximum ?? "")" }
    },
    document(
      "default", .must, "A defaultValue is among the allowed values or in the allowed range.", source: template,
      expected: "a defaultValue that is allowed"
    ) { scpd in
      scpd.variables.filter { variable in
        variable.defaultValue.map { !isAllowed($0, variable) } ?? false
      }.map { "\($0.name) has \"\($0.defaultValue ?? "")\"" }
    },
    document(
      "allowed-values", .practice, "The values of an allowedValueList differ and are not empty.", source: template,
      expected: "different values"
    ) { scpd in
      scpd.variables.filter { variable in
        variable.allowedValues.contains("") || Set(variable.allowedValues).count < variable.allowedValues.count
      }.map(\.name)
    },
  ]

  private static let dataTypes: Set = [
    "ui1", "ui2", "ui4", "ui8", "i1", "i2", "i4", "i8", "int", "r4", "r8", "number", "fixed.14.4", "float", "char",
    "string", "date", "dateTime", "dateTime.tz", "time", "time.tz", "boolean", "bin.base64", "bin.hex", "uri", "uuid",
  ]

  // MARK: Honesty

  /// Compares the output arguments of each getter with the SCPD.
  private static func outputs(
    _ id: String, _ level: Level, _ requirement: String, passes: String,
    _ isRight: @escaping @Sendable (_ returned: [String], _ declared: [String]) -> Bool
  ) -> Check {
    Check(
      "uda/2.5/\(id)", .scpd, level, requirement, source: "UDA 1.0 §3.2.2",
      steps: """
        Calls every declared getter that needs no more than an InstanceID, ConnectionID or Channel. \
        Passes if each success has \(passes).
        """
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in context.target.services {
        for action in service.scpd?.actions ?? [] {
          guard let arguments = Getter.arguments(of: action) else { continue }
          let answer = try await context.answer(to: context.request(service, action.name, arguments))
          guard let names = answer.results?.map(\.name), !isRight(names, action.outputs.map(\.name)) else { continue }
          problems.append("\(action.name) returned \(names.isEmpty ? "nothing" : names.joined(separator: ", "))")
        }
      }
      try context.expectNone(problems, "the output arguments of the SCPD")
    }
  }

  private static let honesty: [Check] = [
    Check(
      "uda/2.5/required-actions", .scpd, .must,
      "SCPDs declare the actions that the service templates require, with their arguments in order.",
      source:
        "the tables of required actions in AVTransport:1, RenderingControl:1 and ConnectionManager:1 §2.4, ContentDirectory:1 §2.7",
      steps:
        "Reads the SCPDs of AVTransport, RenderingControl, ConnectionManager and ContentDirectory. Passes if each required action is there with the template's arguments in their order."
    ) { context throws(Finding) in
      var problems: [String] = []
      for (service, actions) in requiredActions {
        guard let scpd = context.target.service(service)?.scpd else { continue }
        for (name, arguments) in actions {
          guard let action = scpd.action(name) else {
            problems.append("no \(service).\(name)")
            continue
          }
          let names = action.arguments.map(\.name)
          if names != arguments { problems.append("\(name)(\(names.joined(separator: ", ")))") }
        }
      }
      try context.expectNone(problems, "the required actions with the template's arguments")
    },
    Check(
      "uda/2.5/declared-works", .scpd, .practice,
      "An action that the SCPD declares is not answered with 401 or 602. Getters are called.",
      source: "hzeller/gmrender-resurrect#139",
      steps:
        "Calls every declared getter that needs no more than an InstanceID, ConnectionID or Channel. Passes if no answer is 401 or 602."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in context.target.services {
        for action in service.scpd?.actions ?? [] {
          guard let arguments = Getter.arguments(of: action) else { continue }
          let answer = try await context.answer(to: context.request(service, action.name, arguments))
          if let code = answer.faultCode, code == 401 || code == 602 {
            problems.append("error \(code) for \(service.name).\(action.name)")
          }
        }
      }
      try context.expectNone(problems, "other answers to declared actions")
    },
    outputs(
      "outputs", .must, "A successful answer has the output arguments of the SCPD, and no others.",
      passes: "exactly the declared output arguments, in any order"
    ) { $0.sorted() == $1.sorted() },
    outputs(
      "output-order", .practice, "The output arguments of an answer are in the order of the SCPD.",
      passes: "the declared order"
    ) { $0.sorted() != $1.sorted() || $0 == $1 },
    Check(
      "uda/2.5/output-values", .scpd, .practice,
      "Output arguments have a value of their data type, within the declared list or range.",
      source: "Intel Device Validator (Ylianst/Developer-Tools-for-UPnP-Technologies, Tools/DeviceValidator)",
      steps:
        "Calls every declared getter that needs no more than an InstanceID, ConnectionID or Channel. Passes if integers, booleans and strings are in their type, range and list."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for service in context.target.services {
        guard let scpd = service.scpd else { continue }
        for action in scpd.actions {
          guard let arguments = Getter.arguments(of: action) else { continue }
          let answer = try await context.answer(to: context.request(service, action.name, arguments))
          for (name, value) in answer.results ?? [] {
            guard let argument = action.outputs.first(where: { $0.name == name }),
              let variable = scpd.variable(of: argument), !isAllowed(value, variable)
            else { continue }
            problems.append("\(action.name) returned \(name) \"\(value.prefix(40))\"")
          }
        }
      }
      try context.expectNone(problems, "values of the declared types")
    },
  ]

  static func isAllowed(_ value: String, _ variable: ServiceDescription.Variable) -> Bool {
    switch variable.dataType {
    case "ui1", "ui2", "ui4", "ui8", "i1", "i2", "i4", "i8", "int":
      guard let number = Int(device: value) else { return false }
      guard let range = variable.range, let minimum = Int(device: range.minimum),
        let maximum = Int(device: range.maximum)
      else {
        return true
      }
      return (minimum...max(minimum, maximum)).contains(number)
    case "boolean": return ["0", "1", "true", "false", "yes", "no"].contains(value)
    // Vendors may add values (UDA 1.0 §2.3), and any may be NOT_IMPLEMENTED (AVTransport:1 §2.2).
    case "string":
      if variable.allowedValues.isEmpty || value == "NOT_IMPLEMENTED" { return true }
      // Some variables are lists of allowed values, such as PossiblePlaybackStorageMedia.
      return value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
        variable.allowedValues.contains(String(String(part).trimmingBlanks))
      }
    default: return true
    }
  }

  /// The required actions of the services of a renderer, with all arguments.
  static let requiredActions: [(service: String, actions: [(name: String, arguments: [String])])] = [
    (
      "AVTransport",
      [
        ("SetAVTransportURI", ["InstanceID", "CurrentURI", "CurrentURIMetaData"]),
        (
          "GetMediaInfo",
          [
            "InstanceID", "NrTracks", "MediaDuration", "CurrentURI", "CurrentURIMetaData", "NextURI",
            "NextURIMetaData", "PlayMedium", "RecordMedium", "WriteStatus",
          ]
        ),
        (
          "GetTransportInfo", ["InstanceID", "CurrentTransportState", "CurrentTransportStatus", "CurrentSpeed"]
        ),
        (
          "GetPositionInfo",
          [
            "InstanceID", "Track", "TrackDuration", "TrackMetaData", "TrackURI", "RelTime", "AbsTime", "RelCount",
            "AbsCount",
          ]
        ),
        ("GetDeviceCapabilities", ["InstanceID", "PlayMedia", "RecMedia", "RecQualityModes"]),
        ("GetTransportSettings", ["InstanceID", "PlayMode", "RecQualityMode"]),
        ("Stop", ["InstanceID"]), ("Play", ["InstanceID", "Speed"]), ("Seek", ["InstanceID", "Unit", "Target"]),
        ("Next", ["InstanceID"]), ("Previous", ["InstanceID"]),
      ]
    ),
    (
      "ContentDirectory",
      [
        ("GetSearchCapabilities", ["SearchCaps"]), ("GetSortCapabilities", ["SortCaps"]), ("GetSystemUpdateID", ["Id"]),
        (
          "Browse",
          [
            "ObjectID", "BrowseFlag", "Filter", "StartingIndex", "RequestedCount", "SortCriteria", "Result",
            "NumberReturned", "TotalMatches", "UpdateID",
          ]
        ),
      ]
    ),
    (
      "RenderingControl",
      [
        ("ListPresets", ["InstanceID", "CurrentPresetNameList"]), ("SelectPreset", ["InstanceID", "PresetName"]),
      ]
    ),
    (
      "ConnectionManager",
      [
        ("GetProtocolInfo", ["Source", "Sink"]), ("GetCurrentConnectionIDs", ["ConnectionIDs"]),
        (
          "GetCurrentConnectionInfo",
          [
            "ConnectionID", "RcsID", "AVTransportID", "ProtocolInfo", "PeerConnectionManager", "PeerConnectionID",
            "Direction", "Status",
          ]
        ),
      ]
    ),
  ]
}
