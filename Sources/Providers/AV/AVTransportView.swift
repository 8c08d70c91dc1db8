import Playback

/// The player as AVTransport shows it, read in one go: variables, answers and events all come from here.
struct AVTransportView: Sendable {
  let situation: TransportTable.Situation
  let status: AVTransport1.TransportStatus
  let item: MediaItem?
  let next: MediaItem?
  /// The title that a live stream tells with its sound.
  let liveTitle: String?
  let playMode: AVTransport1.CurrentPlayMode
  /// More than one for a play list, once it has been read.
  let trackCount: UInt32
  /// From 1; 0 without media.
  let track: UInt32
  let trackURI: String
  let trackDuration: String
  let position: String

  init(_ player: isolated Player) {
    situation = TransportTable.Situation(player)
    status = player.error == nil ? .ok : .errorOccurred
    item = player.item
    next = player.next
    liveTitle = player.title
    playMode = player.repeatsOne ? .repeatOne : .normal
    trackCount = UInt32(player.trackCount)
    track = UInt32(player.trackNumber)
    trackURI = player.trackURI ?? ""
    trackDuration = Self.duration(player)
    position = UPnPTime.text(player.position)
  }

  var state: AVTransport1.TransportState { situation.state }
  var actions: String { TransportTable.offered(in: situation).map(\.rawValue).joined(separator: ",") }
  var uri: String { item?.uri ?? "" }
  var metadata: String { item?.metadata ?? "" }
  var nextURI: String { next?.uri ?? "" }
  var nextMetadata: String { next?.metadata ?? "" }
  /// Nobody knows how long all tracks of a list are.
  var mediaDuration: String { trackCount > 1 ? UPnPTime.notImplemented : trackDuration }
  /// The current track as an item of its own: what was said of a list does not speak of its tracks.
  var trackItem: MediaItem? { trackCount > 1 ? MediaItem(uri: trackURI) : item }
  var medium: AVTransport1.PlaybackStorageMedium { item == nil ? .none : .network }

  /// `NOT_IMPLEMENTED` for what has no end, since that will never be known; zero for what has not told yet.
  private static func duration(_ player: isolated Player) -> String {
    if let duration = player.duration { return UPnPTime.text(duration) }
    return player.streamInfo?.isLive == true ? UPnPTime.notImplemented : UPnPTime.zero
  }
}

extension TransportTable.Situation {
  init(_ player: isolated Player) {
    self.init(
      state: Self.state(player.state), canPause: player.canPause, canSeek: player.canSeek,
      hasNext: player.canSkipToNext,
      hasPrevious: player.canSkipToPrevious)
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
