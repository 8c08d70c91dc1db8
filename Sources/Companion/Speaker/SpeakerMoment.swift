import Playback
import PlaybackModel
import Providers
import UPnP

/// A snapshot of the speaker for the companions.
package struct SpeakerMoment: Sendable, Equatable {
  /// The speaker's name, as controllers show it.
  package var name = ""
  /// The configured room; nil without one.
  package var room: String?
  package var state = TransportState.noMedia
  package var source = Source.playlist
  package var isStandby = false
  /// 0…100.
  package var volume = 0
  /// The highest volume that can be set.
  package var volumeLimit = 100
  package var isVolumeFixed = false
  package var isMuted = false
  /// The titles of the radio's presets.
  package var presets: [String] = []
  /// The number of the preset that is the current channel, from 1; nil without one and on other sources.
  package var preset: Int?
  /// The titles of the pins; nil for an empty place.
  package var pins: [String?] = []
  package var repeats = false
  package var shuffles = false
  /// Changes whenever a track becomes current, even if it is the same one again; 0 without a track.
  package var trackID = 0
  package var trackURI: String?
  package var title: String?
  package var artist: String?
  package var album: String?
  /// The address of a picture, as the metadata names it.
  package var art: String?
  package var duration: Duration?
  /// The audible position when this value was made. While the state is `playing` it advances.
  package var position = Duration.zero
  /// When this value was made.
  package var time = ContinuousClock.now
  package var isLive = false
  /// Why playback stopped.
  package var failure: String?
  /// The last track that was skipped because it failed, and why.
  package var skipped: String?
  package var abilities = TransportAbilities(play: false, pause: false, seek: false, next: false, previous: false)

  package init() {}

  /// Takes a snapshot. Must be called on the player's executor.
  init(
    name: String, room: String?, _ player: Player, _ playlist: PlaylistSource, _ radio: RadioSource, _ pins: PinBoard,
    _ remote: SpeakerRemote
  ) {
    (self.name, self.room) = (name, room)
    let deck = player.immediately { player in
      state = player.deck().state
      source = player.source
      isStandby = player.isStandby
      volume = player.volume
      volumeLimit = player.volumeLimit
      isVolumeFixed = player.isVolumeFixed
      isMuted = player.isMuted
      return player.deck()
    }
    presets = radio.presets.ids.map { radio.presets[$0]?.title ?? "" }
    preset = source == .radio ? radio.presets.ids.firstIndex(of: radio.presetID).map { $0 + 1 } : nil
    self.pins = pins.pins.ids.map { pins.pins[$0]?.title }
    (repeats, shuffles) = (playlist.list.repeats, playlist.list.shuffles)
    let now = NowPlaying(deck)
    (title, artist, album) = (now.title, now.artist, now.album)
    art = DIDLLite.texts(of: ["albumArtURI"], in: deck.item?.metadata ?? "")["albumArtURI"]
    (trackID, trackURI) = (deck.trackID, deck.trackURI)
    (duration, position, isLive) = (deck.duration, deck.position, deck.streamInfo?.isLive ?? false)
    (failure, skipped) = (deck.failure?.text, deck.skipped?.text)
    time = .now
    abilities = remote.abilities
  }

  /// The audible position at a later time.
  package func position(at now: ContinuousClock.Instant) -> Duration {
    state == .playing ? position + (now - time) : position
  }
}
