import PlaybackModel

/// Why a command had no effect.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  case player(PlayerError)
  /// There is no next or previous track.
  case noNeighbour
  /// The radio's channel is no preset, so no preset comes before or after it.
  case noPreset
  /// The preset or pin does not exist, or is empty.
  case nothingThere
  /// The server of the music failed, for this reason, in a sentence.
  case server(String)
  case fixedVolume
  /// Another track plays than the one that the command names.
  case anotherTrack
  case playlistFull
  /// The sender exceeds the rate limit.
  case tooManyCommands
  /// The party lock is on, and the sender is a guest.
  case locked
  /// The page only shows the speaker.
  case readOnly

  init(_ fault: PinFault) {
    if case .failed(let reason) = fault { self = .server(reason) } else { self = .nothingThere }
  }

  package var description: String {
    switch self {
    case .player(.transitionNotAvailable): "This is not possible now."
    case .player(.noContents): "There is nothing to play."
    case .player(.seekNotAvailable): "Seeking is not possible in this stream."
    case .player(.illegalSeekTarget): "The position is not in the track."
    case .noNeighbour: "There is nothing to skip to."
    case .noPreset: "This station is not one of the presets, so there is none to skip to."
    case .nothingThere: "There is nothing there to play."
    case .server(let reason): reason
    case .fixedVolume: "The volume of this speaker is fixed."
    case .anotherTrack: "Another track plays now."
    case .playlistFull: "The playlist is full."
    case .tooManyCommands: "There are too many commands at once."
    case .locked: "The speaker is locked: guests may add music to the end of the queue and lower the volume."
    case .readOnly: "The page of this speaker is read-only."
    }
  }
}
