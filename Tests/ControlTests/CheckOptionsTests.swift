import ArgumentParser
import Conformance
import Testing

@testable import swiftlet_control

@Suite struct CheckOptionsTests {
  static let reports: [(argument: String, format: ReportFormat, file: String?)] = [
    ("page.html", .html, "page.html"), ("json=latest", .json, "latest"), ("junit=a=b.txt", .junit, "a=b.txt"),
    ("junit", .junit, nil), ("html=-", .html, nil), ("./a=b.xml", .junit, "./a=b.xml"), ("r.xml", .junit, "r.xml"),
  ]

  @Test(arguments: reports)
  func aReportIsAFormatAndAFile(argument: String, format: ReportFormat, file: String?) {
    let output = ReportOutput(argument: argument)
    #expect(output?.format == format)
    #expect(output?.file == file)
  }

  @Test(arguments: ["", "page", "page.pdf", "pdf=page", "tap", "r.tap"])
  func otherReportsAreRefused(argument: String) {
    #expect(ReportOutput(argument: argument) == nil)
  }

  @Test func wrongOptionsAreRefused() {
    #expect(throws: (any Error).self) { try CheckReporting.parse(["--report", "json", "--report", "html"]) }
    #expect(throws: (any Error).self) { try CheckReporting.parse(["--profile", "winamp"]) }
    #expect(throws: (any Error).self) { try CheckSelection.parse(["--repeat", "0"]) }
    #expect(throws: (any Error).self) { try CheckSelection.parse(["--limit", "0"]) }
    #expect(throws: (any Error).self) { try CheckSelection.parse(["--limit", "soon"]) }
  }

  @Test(arguments: [([], 300), (["--slow"], 3600), (["--limit", "2"], 120), (["--limit=90s"], 90)])
  func theLimitFollowsFromTheOptions(arguments: [String], seconds: Int) throws {
    #expect(try CheckSelection.parse(arguments).settings.limit == .seconds(seconds))
  }

  @Test func reportsListTheOptionsWithoutPaths() throws {
    let selection = try CheckSelection.parse(["--slow", "--only", "uda"])
    let reporting = try CheckReporting.parse(["--expect", "/home/bob/known.txt", "--report", "/home/bob/page.html"])
    #expect(selection.summary + reporting.summary == ["--slow", "--only uda", "--expect"])
    #expect(selection.settings.modes == [.standard, .slow])
  }

  @Test func areasHaveNamesWithoutBlanks() {
    #expect(Area(argument: "service-descriptions") == .scpd)
    #expect(Set(Area.allValueStrings).count == Area.allCases.count)
    #expect(Area.allValueStrings.allSatisfy { !$0.contains(" ") })
  }
}
