import Playback
import PlaybackModel
import UPnP

/// What Info and Songcast tell about the current track.
package struct PlayingTexts: Equatable {
  /// The changes of the player that may change the texts.
  package static let changes: PlayerChanges = [.item, .duration, .streamInfo, .title, .source]

  /// See `Deck.trackID`.
  package private(set) var trackID = 0
  /// Empty without a track.
  package private(set) var uri = ""
  /// DIDL-Lite of the track.
  package private(set) var metadata = ""
  /// DIDL-Lite of what a station plays now, or of the track in a playlist document; empty if there is none.
  package private(set) var metatext = ""

  package init() {}

  package init(_ deck: Deck, _ trackMetadata: inout TrackMetadata) {
    trackID = deck.trackID
    uri = deck.trackURI ?? ""
    // The metadata of a play list does not describe its tracks.
    let item = deck.trackCount > 1 ? deck.trackURI.map { MediaItem(uri: $0) } : deck.shownItem
    metadata = trackMetadata.text(for: item, liveTitle: nil, tags: deck.tags.isLive ? TrackTags() : deck.tags)
    metatext = Self.metatext(deck)
  }

  static func metatext(_ deck: Deck) -> String {
    if let metatext = deck.metatext { return metatext }
    let tags = deck.tags.isLive ? deck.tags : TrackTags()
    return deck.title.map { DIDLLite.item(title: $0, artist: tags.artist, album: tags.album) } ?? ""
  }
}
