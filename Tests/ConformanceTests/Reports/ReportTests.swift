import ControlPoint
import FoundationEssentials
import Testing

@testable import Conformance

@Suite struct ReportTests {
  private static func json(_ report: JSONReport) throws -> String {
    String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
  }

  private static func text(_ run: CheckRun, _ format: ReportFormat) throws -> String {
    try format.render(run, json: json)
  }

  // MARK: Content

  @Test func onlyWhatCountsFailsARun() {
    #expect(ReportSamples.mixed.isFailed)
    #expect(ReportSamples.mixed.failures.map(\.check.id) == ["uda/2/fail", "uda/2/should", "uda/2/known"])
    let should = ReportSamples.result("a", .fail(expected: "", got: ""), .http, .should)
    #expect(!ReportSamples.run([should]).isFailed)
    #expect(ReportSamples.run([should], isStrict: true).isFailed)
    #expect(!ReportSamples.run([should], known: ["a"], isStrict: true).isFailed)
    #expect(ReportSamples.run([ReportSamples.result("a", .skip("no"))]).isUntested)
  }

  @Test func aTextReportHasEveryVerdict() throws {
    let text = TextReport.lines(ReportSamples.mixed, isVerbose: false).map(\.text).joined(separator: "\n")
    for line in [
      "Discovery: 1 passed, 1 skipped", "  skip  uda/1/skip: it has no icons", "  FAIL  uda/2/fail  MUST",
      "        Expected status 200; got 500.", "  known uda/2/known  MUST", "  ?     uda/2/unclear: no answer",
      "All: 1 passed, 3 failed, 1 skipped, 1 inconclusive in 5.000 s",
    ] {
      #expect(text.contains("\n\(line)"), "\(line)")
    }
    #expect(!text.contains("uda/1/pass"))
    #expect(try Self.text(ReportSamples.mixed, .text).contains("  pass  uda/1/pass  1.234 s"))
  }

  @Test func junitCountsWhatFailsTheRun() throws {
    let root = try XMLDocument.read(Array(try Self.text(ReportSamples.mixed, .junit).utf8)).root
    #expect(root.attributes["tests"] == "6")
    #expect(root.attributes["failures"] == "1")
    let suites = root.all("testsuite")
    #expect(suites.map { $0.attributes["name"] } == ["Discovery", "HTTP"])
    #expect(suites.map { $0.attributes["skipped"] } == ["1", "3"])
    #expect(suites.last?.attributes["timestamp"] == "2026-11-23T01:02:03")
    let cases = suites.flatMap { $0.all("testcase") }
    #expect(cases.filter { $0["failure"] != nil }.map { $0.attributes["name"] } == ["uda/2/fail"])
    #expect(cases.last?["skipped"]?.attributes["message"] == "inconclusive: no answer")
  }

  @Test func theExchangeIsInEveryReport() throws {
    var failed = ReportSamples.result("uda/2/fail", .fail(expected: "a", got: "b"))
    let answer = Array("HTTP/1.1 200 OK\r\n\r\n<a>&lt;</a>".utf8)
    failed.exchange = WireExchange(
      first: [
        WireMessage(.sent, peer: "TCP 192.0.2.7:80", bytes: Array("GET /x HTTP/1.1\r\n\r\n".utf8)),
        WireMessage(.received, peer: "TCP 192.0.2.7:80", time: .milliseconds(12), bytes: answer, length: 9000),
      ], leftOut: 3, last: [WireMessage(.closed, peer: "TCP 192.0.2.7:80", time: .milliseconds(20))])
    let run = ReportSamples.run([failed])
    let parts: [ReportFormat: [String]] = [
      .text: ["0.012 s  ← TCP 192.0.2.7:80  HTTP/1.1 200 OK  (9000 bytes)", "<a>&lt;</a>", "closed by the device"],
      .html: [
        "0.012 s received from TCP 192.0.2.7:80, 9000 bytes", "&lt;a&gt;&amp;lt;&lt;/a&gt;", "3 messages are left out",
      ],
      .junit: ["0.012 s", "&lt;a&gt;&amp;lt;&lt;/a&gt;", "3 more messages", "8970 more bytes"],
      .json: [#""start":0.012"#, #""length":9000"#, #""leftOut":3"#, #""direction":"closed""#],
    ]
    for (format, parts) in parts {
      let text = try Self.text(run, format)
      for part in parts { #expect(text.contains(part), "\(format): \(part)") }
    }
  }

  @Test func tablesMeasurementsAndControllersAreShown() throws {
    var passed = ReportSamples.result("avt/2.4/grid", .pass, .avTransport)
    passed.measurements = [Measurement(name: "time to the first byte", value: "12 ms")]
    passed.table = ResultTable(title: "States", columns: ["", "Play"], rows: [["STOPPED", "PLAYING"]])
    var run = ReportSamples.run([passed, ReportSamples.result("uda/2/fail", .fail(expected: "a", got: "b"))])
    run.profiles = [
      ControllerProfile("other", "Other", []),
      ControllerProfile("kodi", "Kodi", [.init(pattern: "uda/2", notice: "Nothing plays.", source: "xbmc/xbmc#1")]),
    ]
    for format in [ReportFormat.text, .html, .json] {
      let text = try Self.text(run, format)
      for part in ["time to the first byte", "12 ms", "States", "STOPPED", "PLAYING", "Nothing plays."] {
        #expect(text.contains(part), "\(format): \(part)")
      }
    }
    #expect(
      try Self.text(run, .html).contains(
        """
        <ul>
        <li><strong>Kodi</strong>: Nothing plays. <small>(<a href="https://github.com/xbmc/xbmc/issues/1">xbmc/xbmc#1</a>)\
        </small></li>
        </ul>
        """))
  }

  @Test func bothDevicesOfASpeakerAreNamed() throws {
    var failed = ReportSamples.result("uda/2/fail", .fail(expected: "a", got: "b"))
    failed.device = "Kitchen (OpenHome)"
    var run = ReportSamples.run([failed])
    run.companions = [
      TargetSummary(name: "Kitchen (OpenHome)", udn: "uuid:9b1d7f64-5a0c-4d1e-8a2b-3c54d07e1b92")
    ]
    for format in ReportFormat.allCases {
      #expect(try Self.text(run, format).contains("Kitchen (OpenHome)"), "\(format)")
    }
    for format in ReportFormat.allCases {
      let text = try Self.text(run.anonymous, format)
      #expect(!text.contains("Kitchen") && !text.contains("9b1d7f64"), "\(format)")
    }
  }

  @Test(arguments: [
    ("page.html", ReportFormat.html), ("a.b/r.JSON", .json), ("r.xml", .junit), ("r.txt", .text),
    ("page", nil), ("r.tap", nil), ("page.pdf", nil),
  ])
  func theFormatFollowsFromTheFile(file: String, format: ReportFormat?) {
    #expect(ReportFormat(file: file) == format)
  }

  // MARK: Hostile texts

  @Test(arguments: ReportSamples.hostileTexts)
  func hostileTextStaysText(text: String) throws {
    let run = ReportSamples.hostile(text)
    for format in ReportFormat.allCases {
      let report = try Self.text(run, format)
      let unsafe = report.unicodeScalars.filter { scalar in
        scalar != "\n" && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
          || scalar.properties.isNoncharacterCodePoint
      }
      // JSON escapes what its own rules demand.
      if format != .json { #expect(unsafe.isEmpty, "\(format)") }
      if format == .html || format == .junit { #expect(!report.contains("<script"), "\(format)") }
      #expect(report.utf8.count < 400_000, "\(format)")
    }
    // Each report keeps its structure.
    let junit = try XMLDocument.read(Array(try Self.text(run, .junit).utf8))
    #expect(junit.repairs.isEmpty)
    #expect(junit.root.all("testsuite").flatMap { $0.all("testcase") }.count == 3)
    let saved = try JSONDecoder().decode(SavedReport.self, from: Data(try Self.text(run, .json).utf8))
    #expect(saved.results.map(\.verdict) == [.fail, .skip, .inconclusive])
    let page = try Self.text(run, .html)
    #expect(page.split(separator: "<article").count == 2)
    #expect(page.split(separator: "</article>").count == 2)
  }

  @Test(arguments: [
    ("xbmc/xbmc#29130", #"<a href="https://github.com/xbmc/xbmc/issues/29130">xbmc/xbmc#29130</a>"#),
    ("UDA 1.0 §4; a/b#1, x", #"UDA 1.0 §4; <a href="https://github.com/a/b/issues/1">a/b#1</a>, x"#),
    ("CVE-2020-12695 (X)", #"<a href="https://nvd.nist.gov/vuln/detail/CVE-2020-12695">CVE-2020-12695</a> (X)"#),
    ("a/b/c#1 #2 a/b#x <b>", "a/b/c#1 #2 a/b#x &lt;b&gt;"),
  ])
  func sourcesHaveLinks(source: String, markup: String) {
    #expect(HTMLSource.links(source).source == markup)
  }

  @Test func binaryBodiesAreDescribed() {
    let message = WireMessage(
      .received, peer: "", bytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A])
    #expect(message.text == "HTTP/1.1 200 OK\n\n[binary data that begins with 89 50 4E 47 0D 0A 1A]")
  }

  @Test func invisibleMistakesOfMessagesAreVisible() {
    let bare = WireMessage(.received, peer: "", bytes: Array("HTTP/1.1 200 OK\nA: \u{1}\r\n\r\nx".utf8))
    #expect(bare.text == "HTTP/1.1 200 OK\\u{A}\nA: \\u{1}\n\nx")
    let cut = WireMessage(.received, peer: "", bytes: Array("A\r\n\r\nä".utf8.dropLast()), length: 10)
    #expect(cut.text == "A\n\n\n[4 more bytes]")
    #expect(WireMessage(.sent, peer: "", bytes: Array("A\r\nB: 1\r\n\r\n".utf8)).text == "A\nB: 1")
  }
}

@Suite struct RepetitionTests {
  @Test func theWorstOfSeveralRunsIsKept() {
    let runs: [[CheckResult.Verdict]] = [
      [.pass, .pass, .skip("a")], [.fail(expected: "a", got: "b"), .pass, .pass], [.pass, .pass, .inconclusive("c")],
    ]
    let results = CheckResult.merged(
      runs.map { verdicts in
        zip(["x", "y", "z"], verdicts).map { ReportSamples.result($0, $1) }
      })
    #expect(results.map(\.outcome) == [.fail, .pass, .inconclusive])
    #expect(results.map(\.isUnstable) == [true, false, true])
    #expect(results[0].outcomes == [.pass, .fail, .pass])
    #expect(ReportSamples.run(results).unstable.map(\.check.id) == ["x", "z"])
  }

  @Test func oneRunIsNotRepeated() {
    let results = CheckResult.merged([[ReportSamples.result("x", .pass)]])
    #expect(results.map(\.outcomes) == [[]])
  }
}

@Suite struct ReportDiffTests {
  private static func report(_ results: [(String, Outcome, String)]) -> SavedReport {
    SavedReport(
      date: "", target: .init(name: "", model: "", firmware: ""),
      results: results.map { SavedReport.Result(id: $0, verdict: $1, expected: "a", got: $2, reason: nil) })
  }

  @Test func changesAreGrouped() {
    let diff = ReportDiff(
      from: Self.report([
        ("same", .pass, ""), ("broken", .pass, ""), ("fixed", .fail, ""), ("gone", .pass, ""), ("other", .fail, "b"),
        ("skipped", .pass, ""), ("unskipped", .skip, ""),
      ]),
      to: Self.report([
        ("same", .pass, ""), ("broken", .fail, ""), ("fixed", .pass, ""), ("new", .pass, ""), ("new-fail", .fail, ""),
        ("other", .fail, "c"), ("skipped", .skip, ""), ("unskipped", .fail, ""),
      ]))
    #expect(diff.newFailures.map(\.id) == ["broken", "new-fail", "unskipped"])
    #expect(diff.fixed.map(\.id) == ["fixed"])
    #expect(diff.otherChanges.map(\.id) == ["other", "skipped"])
    #expect(diff.onlyBefore.map(\.id) == ["gone"])
    #expect(diff.onlyAfter.map(\.id) == ["new"])
    #expect(diff.lines.prefix(3) == ["New failures: 3", "  broken: pass → fail", "    Expected a; got ."])
  }

  @Test func equalReportsHaveNoDifferences() {
    let report = Self.report([("a", .pass, ""), ("b", .fail, "c")])
    #expect(ReportDiff(from: report, to: report).lines == ["No differences"])
  }
}

@Suite struct KnownFailuresTests {
  @Test func commentsAndBlanksAreIgnored() throws {
    let id = try #require(Check.all.first?.id)
    #expect(try KnownFailures.read("# of the kitchen\n\n  \(id)  # because\r\n") == [id])
  }

  @Test func unknownIDsAreNamed() {
    #expect(throws: KnownFailures.Unknown(ids: ["no/such"])) { try KnownFailures.read("no/such") }
  }
}
