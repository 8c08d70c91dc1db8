/// The state of a program that is a source, for users.
package struct ProgramReport: Codable, Sendable, Equatable {
  package enum State: String, Codable, Sendable {
    case off, running
    /// It has ended, and starts again soon.
    case waiting
    /// It has ended too often.
    case failed
  }

  /// The word of its source.
  package var source: String
  package var name: String
  package var state: State
  /// Why it ended the last time, without a subject.
  package var problem: String?
  /// Unexpected ends in the last ten minutes.
  package var ends: Int
  /// The last lines of its standard error.
  package var lines: [String]

  package init(source: String, name: String, state: State, problem: String?, ends: Int, lines: [String]) {
    (self.source, self.name, self.state) = (source, name, state)
    (self.problem, self.ends, self.lines) = (problem, ends, lines)
  }
}
