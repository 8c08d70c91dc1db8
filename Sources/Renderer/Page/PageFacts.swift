import Page
import SpeakerCore

/// The facts about the program that the page shows. Used on the event loop.
final class PageFacts: SpeakerFacts {
  private let reporter: StatusReporter
  var networks: [NetworkFacts] = []

  init(reporter: StatusReporter) { self.reporter = reporter }

  var version: String { Version.number }
  var uptime: Double { reporter.uptime }
  var problems: [LoggedProblem] {
    reporter.problems.map { LoggedProblem(time: $0.time, text: LogLine.withoutSecrets($0.text)) }
  }
  var library: LibraryReport? { reporter.libraryReport }
  func rescanLibrary() -> Bool { reporter.rescanLibrary() }
  var programs: [ProgramReport] {
    reporter.programReports.map { report in
      var report = report
      report.lines = report.lines.map(LogLine.withoutSecrets)
      return report
    }
  }
  var log: [LogFacts] {
    reporter.recentLog.map {
      LogFacts(time: LogLine.stamp($0.time), level: $0.line.level.rawValue, text: $0.line.withoutSecrets)
    }
  }
}
