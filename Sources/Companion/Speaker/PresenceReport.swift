/// The people who are watched, and whether they are present.
package struct PresenceReport: Sendable, Equatable, Codable {
  package enum State: String, Sendable, Codable {
    case present, absent
    /// Not decided yet.
    case unknown
  }

  package struct Person: Sendable, Equatable, Codable {
    package var name: String
    package var state: State
    /// Whether the last sighting was in range.
    package var isNear: Bool

    package init(name: String, state: State, isNear: Bool) {
      self.name = name
      self.state = state
      self.isNear = isNear
    }

    private enum CodingKeys: String, CodingKey {
      case name, state
      case isNear = "near"
    }
  }

  /// All people, in the order of the configuration.
  package var people: [Person]
  /// Whether scans are possible now. Otherwise nobody arrives or leaves.
  package var isWatching: Bool
  /// Whether presence has paused the speaker and will resume it.
  package var hasPaused: Bool
  /// Why BlueZ does not scan, in a sentence.
  package var problem: String?

  package init(people: [Person], isWatching: Bool, hasPaused: Bool, problem: String? = nil) {
    self.people = people
    self.isWatching = isWatching
    self.hasPaused = hasPaused
    self.problem = problem
  }

  /// The names of the present people, separated by commas, for the environment of hooks.
  package var presentNames: String {
    people.filter { $0.state == .present }.map(\.name).joined(separator: ",")
  }

  private enum CodingKeys: String, CodingKey {
    case people, problem
    case isWatching = "watching"
    case hasPaused = "paused"
  }
}
