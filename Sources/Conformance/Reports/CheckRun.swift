import ControlPoint

/// A run of checks against a device: what every report shows.
public struct CheckRun: Sendable {
  public var target: TargetSummary
  /// The other tested devices of the same machine.
  public var companions: [TargetSummary]
  /// Name and version of the program.
  public var tool: String
  /// The start in UTC as ISO 8601.
  public var date: String
  public var duration: Duration
  /// The options of the run, such as `--read-only`.
  public var options: [String]
  /// Whether failures of recommendations count.
  public var isStrict: Bool
  /// How often each check ran.
  public var repetitions: Int
  public var isInterrupted: Bool
  /// The address of this tool on the device's network.
  public var tester: String
  /// What disturbed the run, as sentences.
  public var incidents: [String]
  /// In the order of the checks.
  public var results: [CheckResult]
  /// The ids of failures that do not count.
  public var known: Set<String>
  /// Controllers whose view of the failures is shown.
  public var profiles: [ControllerProfile]

  public init(
    target: TargetSummary, companions: [TargetSummary] = [], tool: String, date: String, duration: Duration,
    options: [String] = [],
    isStrict: Bool = false, repetitions: Int = 1, isInterrupted: Bool = false,
    tester: String = "", incidents: [String] = [], results: [CheckResult], known: Set<String> = [],
    profiles: [ControllerProfile] = []
  ) {
    self.target = target
    self.companions = companions
    self.tool = tool
    self.date = date
    self.duration = duration
    self.options = options
    self.isStrict = isStrict
    self.repetitions = repetitions
    self.isInterrupted = isInterrupted
    self.tester = tester
    self.incidents = incidents
    self.results = results
    self.known = known
    self.profiles = profiles
  }

  // MARK: Verdicts

  /// Whether no check passed or failed.
  public var isUntested: Bool { results.allSatisfy { $0.outcome == .skip || $0.outcome == .inconclusive } }

  /// Whether checks could not be judged for reasons that have nothing to do with them.
  public var isIncomplete: Bool { isInterrupted || results.contains { $0.disturbance != nil } }

  /// Whether the device fails the run.
  public var isFailed: Bool { results.contains(where: counts) }

  /// Whether a result is a failure that fails the run.
  func counts(_ result: CheckResult) -> Bool {
    result.outcome == .fail && !isKnown(result) && (isStrict || result.check.level != .should)
  }

  func isKnown(_ result: CheckResult) -> Bool { known.contains(result.check.id) }

  /// Failures, the most binding first, and known ones last.
  var failures: [CheckResult] {
    let failed = results.filter { $0.outcome == .fail }
    return [Level.must, .practice, .unverified, .should].flatMap { level in
      failed.filter { $0.check.level == level && !isKnown($0) }
    } + failed.filter(isKnown)
  }

  /// The consequences of a failure for users of the run's controllers.
  func effects(of result: CheckResult) -> [(profile: ControllerProfile, effect: ControllerProfile.Effect)] {
    profiles.compactMap { profile in profile.effect(of: result.check).map { (profile, $0) } }
  }

  /// Known failures that pass now.
  var fixed: [CheckResult] { results.filter { $0.outcome == .pass && isKnown($0) } }

  var unstable: [CheckResult] { results.filter(\.isUnstable) }

  /// Skipped checks by reason, in the order of their first check.
  static func skips(in results: [CheckResult]) -> [(reason: String, results: [CheckResult])] {
    var reasons: [(reason: String, results: [CheckResult])] = []
    for result in results {
      guard case .skip(let reason) = result.verdict else { continue }
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].results.append(result)
      } else {
        reasons.append((reason, [result]))
      }
    }
    return reasons
  }

  /// The areas that have results, and their results.
  var areas: [(area: Area, results: [CheckResult])] {
    Area.allCases.map { area in (area, results.filter { $0.check.area == area }) }.filter { !$0.1.isEmpty }
  }
}

/// The number of checks with each outcome.
struct Tally {
  private var counts: [Outcome: Int] = [:]

  init(_ results: [CheckResult]) {
    for result in results { counts[result.outcome, default: 0] += 1 }
  }

  subscript(outcome: Outcome) -> Int { counts[outcome, default: 0] }

  /// The counts as text, such as `12 passed, 1 failed`.
  var text: String {
    let parts = Outcome.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.participle)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension Outcome {
  var participle: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .skip: "skipped"
    case .inconclusive: "inconclusive"
    }
  }
}

/// The device of a run.
public struct TargetSummary: Sendable, Encodable, Hashable {
  public var name: String
  public var manufacturer: String
  public var model: String
  public var modelNumber: String
  public var serialNumber: String
  /// The SERVER header of its description: operating system, UPnP version and product.
  public var firmware: String
  public var udn: String
  public var deviceType: String
  /// The URL of the description.
  public var location: String
  /// Types and versions, such as `AVTransport:1`.
  public var services: [String]

  public init(_ target: Target) {
    let root = target.description.root
    name = root.friendlyName
    manufacturer = root.manufacturer
    model = root.modelName
    modelNumber = root.modelNumber
    serialNumber = root.serialNumber
    firmware = target.document.header("server") ?? ""
    udn = root.udn
    deviceType = root.type
    location = "\(target.description.location)"
    services = target.services.map { service in
      "\(service.name):\(service.description.urn.map { "\($0.version)" } ?? "?")"
    }
  }

  init(name: String, model: String = "", firmware: String = "", udn: String = "", location: String = "") {
    self.name = name
    manufacturer = ""
    self.model = model
    modelNumber = ""
    serialNumber = ""
    self.firmware = firmware
    self.udn = udn
    deviceType = ""
    self.location = location
    services = []
  }

  /// Manufacturer, model and its number.
  var product: String {
    // Many model names begin with the manufacturer's.
    let names = model.hasPrefix(manufacturer) ? [model, modelNumber] : [manufacturer, model, modelNumber]
    return names.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The host of the description's URL.
  var host: String { HTTPURL(location)?.host ?? "" }

  /// Name, model and firmware.
  public var title: String { [name, product, firmware].filter { !$0.isEmpty }.joined(separator: ", ") }
}
