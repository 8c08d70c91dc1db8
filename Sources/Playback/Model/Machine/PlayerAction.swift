/// What follows from a step of the player's machines.
package enum PlayerAction: Equatable {
  case pipeline(PipelineCommand)
  /// At most one, the last: what observers are to be told.
  case notify(PlayerChanges)
}
