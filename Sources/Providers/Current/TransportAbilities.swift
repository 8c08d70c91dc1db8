import Playback
import PlaybackModel

/// Which transport commands have an effect on a source.
package struct TransportAbilities: Encodable, Sendable, Equatable {
  package var play: Bool
  package var pause: Bool
  package var seek: Bool
  package var next: Bool
  package var previous: Bool

  package init(play: Bool, pause: Bool, seek: Bool, next: Bool, previous: Bool) {
    self.play = play
    self.pause = pause
    self.seek = seek
    self.next = next
    self.previous = previous
  }

  /// Call it on the player's executor.
  /// - Parameter source: nil for the current one.
  package init(_ player: Player, _ playlist: PlaylistSource, _ radio: RadioSource, of source: Source? = nil) {
    let source = source ?? player.immediately { $0.source }
    let deck = player.immediately { $0.deck(source) }
    let hasItem = deck.item != nil
    play = hasItem
    // Pausing a live stream stops it.
    pause = hasItem
    seek = hasItem && deck.canSeek
    switch source {
    case .playlist:
      next = playlist.list.successorID != nil
      previous = playlist.list.count > 0
    case .radio:
      next = radio.nextPresetID != nil || deck.canSkipToNext
      previous = radio.previousPresetID != nil || deck.canSkipToPrevious
    case .upnpAV:
      next = deck.canSkipToNext
      previous = deck.canSkipToPrevious
    }
  }
}
