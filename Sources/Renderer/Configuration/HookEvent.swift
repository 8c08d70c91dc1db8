/// An event that can run a command.
enum HookEvent: String, CaseIterable {
  /// Sound starts or resumes. The track may still be loading.
  case play
  case pause
  case stop
  /// The track changes, or a live stream announces another title.
  case track
  /// Volume or mute changes.
  case volume
  /// Standby begins or ends.
  case standby
  /// An alarm rings, is snoozed, or ends.
  case alarm
}

/// A variable in a command's environment.
enum HookVariable: String, CaseIterable {
  case event, speaker, state, source, standby, volume, mute, uri, title, artist, album, duration
  // Only for commands that a button runs.
  case buttonDevice = "button_device"
  case buttonKey = "button_key"
  case buttonTrigger = "button_trigger"
  /// The present people. For every command, while presence is on.
  case presence
  // Only for commands that presence runs.
  case person
  case alarm
  case alarmName = "alarm_name"

  /// The name in the environment. No key of the configuration has the same.
  var variable: String { "SWIFTLET_" + rawValue.uppercased() }

  /// The named pipe for events, only for programs that are sources.
  static let eventPipe = "SWIFTLET_EVENTS"
}
