/// A run as JSON; docs/conformance-schema.json describes it.
public struct JSONReport: Encodable, Sendable {
  static let format = "swiftlet-control check 1"

  struct Summary: Encodable {
    var passed, failed, skipped, inconclusive: Int
    /// Failures among `failed` that were expected.
    var known: Int
    var unstable: Int
    /// Whether the device fails the run.
    var isFailed: Bool
  }

  struct Message: Encodable {
    var direction: WireMessage.Direction
    var peer: String
    /// Seconds since the start of the check.
    var start, end: Double
    /// In bytes.
    var length: Int
    var text: String

    init(_ message: WireMessage) {
      direction = message.direction
      peer = message.peer
      start = message.time.inMilliseconds
      end = message.end.inMilliseconds
      length = message.length
      text = message.direction == .closed ? "" : message.text
    }
  }

  struct Exchange: Encodable {
    var first: [Message]
    var leftOut: Int
    var last: [Message]

    init?(_ exchange: WireExchange) {
      guard !exchange.first.isEmpty else { return nil }
      first = exchange.first.map(Message.init)
      leftOut = exchange.leftOut
      last = exchange.last.map(Message.init)
    }
  }

  struct Result: Encodable {
    var id: String
    var device: String?
    var area: Area
    var level: Level
    var requirement, source, steps: String
    var verdict: Outcome
    var expected, got, reason: String?
    /// Whether a failure was expected.
    var known: Bool?
    var seconds: Double
    /// The verdicts of all runs, if there were several.
    var verdicts: [Outcome]?
    var notRestored: [String]?
    var measurements: [Measurement]?
    var table: ResultTable?
    var exchange: Exchange?
    /// The consequences for users, by the controllers' ids.
    var notices: [String: String]?
  }

  var format: String
  var tool: String
  var date: String
  var seconds: Double
  var options: [String]
  var isInterrupted: Bool
  /// Whether checks could not be judged for reasons that have nothing to do with them.
  var isIncomplete: Bool
  var incidents: [String]
  var target: TargetSummary
  var companions: [TargetSummary]?
  var summary: Summary
  var results: [Result]

  public init(_ run: CheckRun) {
    format = Self.format
    tool = run.tool
    date = run.date
    seconds = run.duration.inMilliseconds
    options = run.options
    isInterrupted = run.isInterrupted
    isIncomplete = run.isIncomplete
    incidents = run.incidents
    target = run.target
    companions = run.companions.isEmpty ? nil : run.companions
    let tally = Tally(run.results)
    summary = Summary(
      passed: tally[.pass], failed: tally[.fail], skipped: tally[.skip], inconclusive: tally[.inconclusive],
      known: run.failures.filter(run.isKnown).count, unstable: run.unstable.count, isFailed: run.isFailed)
    results = run.results.map { Result($0, run) }
  }
}

extension JSONReport.Result {
  fileprivate init(_ result: CheckResult, _ run: CheckRun) {
    id = result.check.id
    device = result.device.isEmpty ? nil : result.device
    area = result.check.area
    level = result.check.level
    requirement = result.check.requirement
    source = result.check.source
    steps = result.check.steps
    verdict = result.outcome
    seconds = result.duration.inMilliseconds
    switch result.verdict {
    case .pass: break
    case .fail(let expected, let got):
      self.expected = expected
      self.got = got
      known = run.isKnown(result)
      exchange = JSONReport.Exchange(result.exchange)
      let effects = run.profiles.compactMap { profile in
        profile.effect(of: result.check).map { (profile.id, $0.notice) }
      }
      if !effects.isEmpty { notices = Dictionary(effects) { first, _ in first } }
    case .skip(let reason), .inconclusive(let reason): self.reason = reason
    }
    if !result.outcomes.isEmpty { verdicts = result.outcomes }
    if !result.lost.isEmpty { notRestored = result.lost.map(\.rawValue) }
    if !result.measurements.isEmpty { measurements = result.measurements }
    table = result.table
  }
}

extension Duration {
  /// In seconds, rounded to milliseconds.
  fileprivate var inMilliseconds: Double { (inSeconds * 1000).rounded() / 1000 }
}
