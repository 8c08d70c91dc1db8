/// The kinds of problems, which the page translates. The raw value is the last component of the problem's `type`. A test compares
/// them with the translations in `web/`.
package enum ProblemName: String, CaseIterable, Sendable {
  // Requests that the page does not send
  case unreadableBody = "unreadable-body"
  /// Argument `field`.
  case wrongValue = "wrong-value"
  case notJSON = "not-json"
  case unknownResource = "unknown-resource"
  case wrongMethod = "wrong-method"
  case otherSite = "other-site"
  case `internal` = "internal"
  // Access
  case readOnly = "read-only"
  case locked
  case wrongPIN = "wrong-pin"
  case tooManyPINs = "too-many-pins"
  case lockChanged = "lock-changed"
  case notLocked = "not-locked"
  case noPIN = "no-pin"
  case tooManyRequests = "too-many-requests"
  case tooManyPages = "too-many-pages"
  // Playback
  case notNow = "not-now"
  case nothingToPlay = "nothing-to-play"
  case notSeekable = "not-seekable"
  case noNeighbour = "no-neighbour"
  case noPreset = "no-preset"
  case noSender = "no-sender"
  case fixedVolume = "fixed-volume"
  case anotherTrack = "another-track"
  case queueFull = "queue-full"
  case unknownTrack = "unknown-track"
  case undoExpired = "undo-expired"
  case unknownList = "unknown-list"
  case emptyList = "empty-list"
  case listExists = "list-exists"
  case listsFull = "lists-full"
  // Presets and pins
  case unknownPreset = "unknown-preset"
  case presetInFile = "preset-in-file"
  /// Argument `count`.
  case presetsFull = "presets-full"
  case noStationToPin = "no-station-to-pin"
  case emptyPin = "empty-pin"
  case unsupportedPin = "unsupported-pin"
  // Media servers and other speakers
  case unknownServer = "unknown-server"
  case unknownObject = "unknown-object"
  case notSearchable = "not-searchable"
  case serverTimeout = "server-timeout"
  /// Argument `reason`, in English.
  case serverFailed = "server-failed"
  /// Argument `reason`, in English.
  case nothingPlayable = "nothing-playable"
  case busy
  case unknownSpeaker = "unknown-speaker"
  case speakerTimeout = "speaker-timeout"
  case noSuchControl = "no-such-control"
  /// Argument `reason`, in English.
  case speakerFailed = "speaker-failed"
  // Speakers that play together, all with the argument `name`
  case sameSpeaker = "same-speaker"
  case cannotJoin = "cannot-join"
  case cannotLead = "cannot-lead"
  case songcastOff = "songcast-off"
  case noNetwork = "no-network"
  case leadsGroup = "leads-group"
  case groupFull = "group-full"
  /// Argument `source`.
  case cannotMove = "cannot-move"
  /// Argument `title`.
  case notPlayableThere = "not-playable-there"
  // Pictures
  case pictureFailed = "picture-failed"
  // Settings
  case unknownSetting = "unknown-setting"
  case settingFixed = "setting-fixed"
  /// Arguments `key`, and `reason` in English.
  case wrongSetting = "wrong-setting"
  // Phones
  case unknownPhone = "unknown-phone"
  case unknownCompanion = "unknown-companion"
  /// Argument `count`.
  case tooManyPhones = "too-many-phones"
  // Equalizer
  /// Argument `reason`, in English.
  case wrongEqualizer = "wrong-equalizer"
  case unknownEqualizerPreset = "unknown-equalizer-preset"
  case equalizerPresetsFull = "equalizer-presets-full"
  // Alarms and the sleep timer
  case unknownAlarm = "unknown-alarm"
  /// Argument `count`.
  case alarmsFull = "alarms-full"
  case notRinging = "not-ringing"
  case nothingPlays = "nothing-plays"
  case noEnd = "no-end"
  // Announcements
  case announcementsFull = "announcements-full"
  case announcementWaiting = "announcement-waiting"
  case announcementTooLarge = "announcement-too-large"
  /// Argument `reason`, in English.
  case announcementFailed = "announcement-failed"
  // The directory of radio stations
  case directoryTimeout = "directory-timeout"
  /// Argument `reason`, in English.
  case directoryFailed = "directory-failed"
  case unknownStation = "unknown-station"
  // Sources
  case unknownSource = "unknown-source"
}
