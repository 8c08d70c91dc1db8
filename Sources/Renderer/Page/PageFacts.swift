import Page

/// The facts about the speaker that the page shows. Used on the event loop.
final class PageFacts: SpeakerFacts {
  private let reporter: StatusReporter
  var name: String
  var room: String
  var networks: [NetworkFacts] = []

  init(_ configuration: Configuration, reporter: StatusReporter) {
    self.reporter = reporter
    name = configuration.speakerName
    room = configuration.room ?? configuration.speakerName
  }

  var version: String { Version.number }
  var uptime: Double { reporter.uptime }
  var problems: [LoggedProblem] {
    reporter.problems.map { LoggedProblem(time: $0.time, text: LogLine.withoutSecrets($0.text)) }
  }
  var log: [LogFacts] {
    reporter.recentLog.map {
      LogFacts(time: LogLine.stamp($0.time), level: $0.line.level.rawValue, text: $0.line.withoutSecrets)
    }
  }

  /// Applies a reloaded configuration.
  func apply(_ configuration: Configuration) {
    name = configuration.speakerName
    room = configuration.room ?? configuration.speakerName
  }
}
