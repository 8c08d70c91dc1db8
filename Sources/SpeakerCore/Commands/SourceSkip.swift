import Playback
import PlaybackModel

/// Next and Previous of a source. On the player's executor.
///
/// The playlist decides about its ends: Next after the last track stops it. `TransportAbilities` tells whether there is
/// a track to skip to.
struct SourceSkip {
  enum Direction {
    case next, previous
  }

  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let programs: ProgramSources

  init(player: Player, playlist: PlaylistSource, radio: RadioSource, programs: ProgramSources) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.programs = programs
  }

  /// - Parameter source: nil for the current one.
  func abilities(of source: Source? = nil) -> TransportAbilities {
    let source = source ?? player.immediately { $0.source }
    return switch source {
    case .playlist: playlist.abilities
    case .radio: radio.abilities
    case .upnpAV, .receiver: player.immediately { $0.deck(source) }.abilities
    case .program(let name): programs.abilities(of: name)
    }
  }

  /// Skips to a track of the playlist, a preset of the radio, or a track or item of another channel or source. A program
  /// skips by itself.
  /// - Parameter source: nil for the current one.
  func skip(_ direction: Direction, of source: Source? = nil) throws(PlayerError) {
    let source = source ?? player.immediately { $0.source }
    switch source {
    case .playlist: skipInPlaylist(direction)
    case .radio:
      if let preset = neighbour(direction) { return play(preset) }
      try skipItem(direction, of: source)
    case .upnpAV, .receiver: try skipItem(direction, of: source)
    case .program(let name): programs.control(direction == .next ? .next : .previous, name)
    }
  }

  private func skipInPlaylist(_ direction: Direction) {
    switch direction {
    case .next: playlist.next()
    case .previous: playlist.previous()
    }
  }

  private func skipItem(_ direction: Direction, of source: Source) throws(PlayerError) {
    try player.immediately { player throws(PlayerError) in
      switch direction {
      case .next: try player.skipToNext(source)
      case .previous: try player.skipToPrevious(source)
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
