import SpeakerCore

/// Facts about the program, which the renderer provides. Used on the event loop.
package protocol SpeakerFacts: AnyObject {
  var version: String { get }
  /// Seconds since the start.
  var uptime: Double { get }
  /// The interfaces on which the speaker can be found.
  var networks: [NetworkFacts] { get }
  /// The last warnings and errors of the log, the newest last.
  var problems: [LoggedProblem] { get }
  /// The last lines of the log, the newest last. Without control characters, queries of addresses and credentials.
  var log: [LogFacts] { get }
  /// The programs that are sources.
  var programs: [ProgramReport] { get }
  /// nil without folders of music.
  var library: LibraryReport? { get }

  /// Looks at all folders of music again.
  /// - Returns: false without any.
  func rescanLibrary() -> Bool
}

/// An interface on which the speaker can be found.
package struct NetworkFacts: Encodable, Sendable, Equatable {
  package var name: String
  package var address: String
  /// The address of the page on this interface.
  package var url: String

  package init(name: String, address: String, url: String) {
    self.name = name
    self.address = address
    self.url = url
  }
}

/// A line of the log.
package struct LogFacts: Encodable, Sendable, Equatable {
  /// Local time, ISO 8601.
  package var time: String
  /// trace, debug, info, notice, warning, error or critical.
  package var level: String
  package var text: String

  package init(time: String, level: String, text: String) {
    self.time = time
    self.level = level
    self.text = text
  }
}

/// A warning or an error.
package struct LoggedProblem: Encodable, Sendable, Equatable {
  /// Local time, ISO 8601.
  package var time: String
  package var text: String

  package init(time: String, text: String) {
    self.time = time
    self.text = text
  }
}
