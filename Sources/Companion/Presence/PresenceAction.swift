/// The action when somebody returns to an empty home.
package enum PresenceAction: Sendable, Equatable {
  /// Plays, if presence has paused the speaker and nobody has touched it since.
  case resume
  case action(CompanionAction)

  /// The word for `resume` in the configuration.
  package static let resumeWord = "resume"
}
