import Playback
import PlaybackModel

/// Next and Previous of the current source, for OpenHome's Transport and for `SpeakerRemote`. On the player's executor.
///
/// The playlist itself decides what happens at its ends: Next after the last track stops it. `TransportAbilities` says
/// whether there is a track to skip to.
struct SourceSkip {
  enum Direction {
    case next, previous
  }

  let player: Player
  let playlist: PlaylistSource
  let radio: RadioSource

  /// Skips to a track of the playlist, a preset of the radio, or a track or item of another channel or source.
  func skip(_ direction: Direction) throws(PlayerError) {
    switch player.immediately({ $0.source }) {
    case .playlist: skipInPlaylist(direction)
    case .radio:
      if let preset = neighbour(direction) { return play(preset) }
      try skipItem(direction)
    case .upnpAV: try skipItem(direction)
    }
  }

  private func skipInPlaylist(_ direction: Direction) {
    switch direction {
    case .next: playlist.next()
    case .previous: playlist.previous()
    }
  }

  private func skipItem(_ direction: Direction) throws(PlayerError) {
    try player.immediately { player throws(PlayerError) in
      switch direction {
      case .next: try player.skipToNext()
      case .previous: try player.skipToPrevious()
      }
    }
  }

  /// The preset before or after the current one; nil at the ends, and if the channel is not a preset.
  private func neighbour(_ direction: Direction) -> UInt32? {
    switch direction {
    case .next: radio.nextPresetID
    case .previous: radio.previousPresetID
    }
  }

  /// A neighbour exists, so this cannot fail.
  private func play(_ preset: UInt32) { try? radio.play(preset) }
}
