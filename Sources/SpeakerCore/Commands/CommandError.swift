import PlaybackModel

/// Why a command had no effect.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  case player(PlayerError)
  /// There is no next or previous track.
  case noNeighbour
  /// The radio's channel is not a preset, so it has no neighbours.
  case noPreset
  /// The preset or pin does not exist, or is empty.
  case nothingThere
  case playlist(PlaylistError)
  case preset(PresetError)
  case pin(PinFault)
  /// The source Songcast has no sender.
  case noSender
  /// The address is not that of a Songcast sender.
  case badSender
  case fixedVolume
  /// Another track plays than the one that the command names.
  case anotherTrack
  /// The sender exceeds the rate limit.
  case tooManyCommands
  /// The party lock is on, and the sender is a guest.
  case locked
  /// The page only shows the speaker.
  case readOnly
  case equalizer(EqualizerError)
  case alarm(AlarmError)
  case announcement(AnnouncementError)
  /// The speaker has no program with this name.
  case noSuchSource

  /// Whether the sender's rights or the rate limit refuse the command.
  package var isRefusal: Bool { [.tooManyCommands, .locked, .readOnly].contains(self) }

  package var description: String {
    switch self {
    case .player(.transitionNotAvailable): "This is not possible now."
    case .player(.noContents): "There is nothing to play."
    case .player(.seekNotAvailable): "Seeking is not possible in this stream."
    case .player(.illegalSeekTarget): "The position is not in the track."
    case .noNeighbour: "There is nothing to skip to."
    case .noPreset: "This station is not one of the presets, so there is none to skip to."
    case .nothingThere: "There is nothing there to play."
    case .playlist(.full): "The queue is full."
    case .playlist(.idNotFound): "The queue does not have this track."
    case .preset(.unknown): "There is no such preset."
    case .preset(.readOnly): "This preset comes from the configuration file. Change it there."
    case .preset(.full): "There are \(RadioPresets.maximumCount) presets already."
    case .pin(.failed(let reason)): reason
    case .pin(.modeNotSupported), .pin(.uriNotSupported): "This speaker cannot play this kind of pin."
    case .pin(.textTooLong): "A text of the pin is too long."
    case .pin: "The pin has nothing to play."
    case .noSender: "No Songcast sender has been chosen. Choose one with an OpenHome app."
    case .badSender: "This is not the address of a Songcast sender."
    case .fixedVolume: "The volume of this speaker is fixed."
    case .anotherTrack: "Another track plays now."
    case .tooManyCommands: "There are too many commands at once."
    case .locked: "The speaker is locked: guests may add music to the end of the queue and lower the volume."
    case .readOnly: "The page of this speaker is read-only."
    case .equalizer(let error): error.description
    case .alarm(.unknown): "There is no such alarm."
    case .alarm(.full): "There are \(ClockAlarm.maximumCount) alarms already."
    case .alarm(.noSuchPreset): "There is no such preset."
    case .alarm(.emptyPin): "There is no pin in this place."
    case .alarm(.badAddress): "The address of a playlist begins with http:// or https://."
    case .alarm(.notRinging): "No alarm rings."
    case .alarm(.nothingPlays): "Nothing plays whose end the sleep timer could wait for. Give a time in minutes."
    case .alarm(.noEnd): "A live stream has no end. Give a time in minutes."
    case .announcement(let error): error.description
    case .noSuchSource: "This speaker has no such source."
    }
  }
}
