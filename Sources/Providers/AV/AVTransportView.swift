import Playback
import PlaybackModel
import UPnP

/// A snapshot of the source that AVTransport shows, in its terms, for variables, answers and events.
struct AVTransportView: Sendable {
  let situation: TransportTable.Situation
  let status: AVTransport1.TransportStatus
  let item: MediaItem?
  private let shownItem: MediaItem?
  /// The item that an AV controller staged; nil while another source is shown.
  let next: MediaItem?
  let medium: AVTransport1.PlaybackStorageMedium
  /// The title from a live stream or a play list.
  let liveTitle: String?
  /// The stream's own tags.
  let tags: TrackTags
  let playMode: AVTransport1.CurrentPlayMode
  /// The number of tracks; more than 1 for a play list that has been read.
  let trackCount: UInt32
  /// The number of the current track, from 1; 0 without media.
  let track: UInt32
  let trackURI: String
  let trackDuration: String
  let position: String

  /// - Parameter abilities: of the source.
  init(_ deck: Deck, of source: Source, _ abilities: TransportAbilities) {
    situation = TransportTable.Situation(deck.state, of: source, abilities)
    status = deck.error == nil ? .ok : .errorOccurred
    item = deck.item
    shownItem = deck.shownItem
    next = source == .upnpAV ? deck.next : nil
    medium = deck.item == nil ? .none : .network
    liveTitle = deck.title
    tags = deck.tags
    playMode = deck.repeatsOne ? .repeatOne : .normal
    trackCount = UInt32(deck.trackCount)
    track = UInt32(deck.trackNumber)
    trackURI = deck.trackURI ?? ""
    trackDuration = Self.duration(deck)
    position = UPnPTime.text(deck.position)
  }

  var state: AVTransport1.TransportState { situation.state }
  var actions: String { TransportTable.offered(in: situation).map(\.rawValue).joined(separator: ",") }
  var uri: String { item?.uri ?? "" }
  var metadata: String { item?.metadata ?? "" }
  var nextURI: String { next?.uri ?? "" }
  var nextMetadata: String { next?.metadata ?? "" }
  /// The total duration of a play list is unknown.
  var mediaDuration: String { trackCount > 1 ? UPnPTime.notImplemented : trackDuration }
  /// The current track as an item. The metadata of a play list does not describe its tracks.
  var trackItem: MediaItem? { trackCount > 1 ? MediaItem(uri: trackURI) : shownItem }

  /// `NOT_IMPLEMENTED` for a live stream; zero while the duration is unknown.
  private static func duration(_ deck: Deck) -> String {
    if let duration = deck.duration { return UPnPTime.text(duration) }
    return deck.isLive ? UPnPTime.notImplemented : UPnPTime.zero
  }
}

extension TransportTable.Situation {
  init(_ state: TransportState, of source: Source, _ abilities: TransportAbilities) {
    self.init(state: Self.state(state), can: abilities)
    // A controller may resume the live stream that it has set itself.
    if source == .upnpAV { can.pauseStops = false }
  }

  private static func state(_ state: TransportState) -> AVTransport1.TransportState {
    switch state {
    case .noMedia: .noMediaPresent
    case .stopped: .stopped
    case .transitioning: .transitioning
    case .playing: .playing
    case .paused: .pausedPlayback
    }
  }
}
