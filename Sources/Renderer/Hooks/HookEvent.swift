/// What a command can be run on.
enum HookEvent: String, CaseIterable {
  /// Sound is on its way: something starts, or goes on after a pause.
  case play
  case pause
  case stop
  /// Another track is heard, or a live stream tells another title.
  case track
  /// Volume or mute is another.
  case volume
  /// Standby begins or ends.
  case standby
}
