@testable import Conformance

/// Runs for the tests of reports.
enum ReportSamples {
  /// Texts that a device can send to break a report.
  static let hostileTexts = [
    "<script>alert(1)</script>", "\"quoted\" & 'single'", "line\nbreak\r\nand \u{0} \u{1B}[31m control",
    "\u{202E}reversed\u{2066}", "]]>", "<!-- --> <![CDATA[x]]>", String(repeating: "long ", count: 2048),
    "not ok 7 # SKIP", "\u{FFFE}\u{2028}", "\\u{202E} & &amp; %3Cscript%3E", "...", "---",
  ]

  static func check(_ id: String, _ area: Area = .http, _ level: Level = .must) -> Check {
    Check(id, area, level, "The requirement of \(id).", source: "UDA 1.1 §2.1", steps: "It tests.") { _ in }
  }

  static func result(
    _ id: String, _ verdict: CheckResult.Verdict, _ area: Area = .http, _ level: Level = .must
  ) -> CheckResult {
    CheckResult(check: check(id, area, level), verdict: verdict, duration: .milliseconds(1234), lost: [])
  }

  static func run(_ results: [CheckResult], known: Set<String> = [], isStrict: Bool = false) -> CheckRun {
    CheckRun(
      target: TargetSummary(
        name: "Kitchen", model: "Swiftlet", firmware: "Linux/6.1 UPnP/1.1 Swiftlet/0.1",
        udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d77", location: "http://192.168.1.7:49494/description.xml"),
      tool: "swiftlet-control 0.1.0", date: "2026-11-23T01:02:03Z", duration: .seconds(5), options: ["--slow"],
      isStrict: isStrict, results: results, known: known, profiles: [])
  }

  /// A result of each kind.
  static let mixed = run(
    [
      result("uda/1/pass", .pass, .discovery), result("uda/1/skip", .skip("it has no icons"), .discovery),
      result("uda/2/fail", .fail(expected: "status 200", got: "500")),
      result("uda/2/should", .fail(expected: "a", got: "b"), .http, .should),
      result("uda/2/known", .fail(expected: "c", got: "d")), result("uda/2/unclear", .inconclusive("no answer")),
    ], known: ["uda/2/known"])

  /// A run in which the device chose every text.
  static func hostile(_ text: String) -> CheckRun {
    var failed = result("uda/2/fail", .fail(expected: text, got: text))
    failed.measurements = [Measurement(name: text, value: text)]
    failed.table = ResultTable(title: text, columns: [text, text], rows: [[text, text]])
    failed.exchange = WireExchange(first: [
      WireMessage(.sent, peer: text, bytes: Array("GET \(text) HTTP/1.1\r\nA: \(text)\r\n\r\n\(text)".utf8)),
      WireMessage(.received, peer: text, bytes: Array(text.utf8)),
    ])
    var run = run([
      failed, result("uda/2/skip", .skip(text)), result("uda/2/unclear", .inconclusive(text)),
    ])
    run.target.name = text
    run.target.manufacturer = text
    run.target.model = text
    run.target.modelNumber = text
    run.target.firmware = text
    run.target.deviceType = text
    run.target.location = text
    run.target.services = [text]
    run.options = [text]
    return run
  }
}
