import Page

/// What the page tells about the speaker. On the event loop.
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
  var troubles: [TroubleFacts] { reporter.troubles.map { TroubleFacts(time: $0.time, text: $0.text) } }

  /// Applies a reloaded configuration.
  func apply(_ configuration: Configuration) {
    name = configuration.speakerName
    room = configuration.room ?? configuration.speakerName
  }
}
