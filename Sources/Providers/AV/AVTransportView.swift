import Playback

/// The player as AVTransport shows it, read in one go: variables, answers and events all come from here.
struct AVTransportView: Sendable {
  var state: AVTransport1.TransportState
  var status: AVTransport1.TransportStatus
  var uri: String
  var metadata: String
  var nextURI: String
  var nextMetadata: String
  /// Of the current track; `NOT_IMPLEMENTED` where the track is endless or does not tell.
  var duration: String
  var position: String
  var trackMetadata: String
  var actions: String

  /// One track, or none.
  var trackCount: UInt32 { state == .noMediaPresent ? 0 : 1 }
  var medium: AVTransport1.PlaybackStorageMedium { state == .noMediaPresent ? .none : .network }

  init(_ player: isolated Player) {
    state = Self.state(player.state)
    status = player.error == nil ? .ok : .errorOccurred
    uri = player.item?.uri ?? ""
    metadata = player.item?.metadata ?? ""
    nextURI = player.next?.uri ?? ""
    nextMetadata = player.next?.metadata ?? ""
    duration =
      player.item == nil ? UPnPTime.zero : player.duration.map(UPnPTime.text) ?? UPnPTime.notImplemented
    position = UPnPTime.text(player.position)
    trackMetadata = player.item.map { Self.trackMetadata($0, liveTitle: player.title) } ?? ""
    actions = Self.actions(player)
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

  /// What the controller said of the item; a title from its URI where it said nothing, and the title that a live stream
  /// tells of itself in any case.
  private static func trackMetadata(_ item: MediaItem, liveTitle: String?) -> String {
    if let liveTitle { return DIDLLite.item(title: liveTitle, uri: item.uri) }
    if !item.metadata.isEmpty { return item.metadata }
    return DIDLLite.item(title: DIDLLite.title(ofURI: item.uri), uri: item.uri)
  }

  /// CurrentTransportActions (AVTransport:1 §2.2.26): exactly what would be accepted now. Home Assistant waits for
  /// `Play` to appear here.
  private static func actions(_ player: isolated Player) -> String {
    var actions: [String] = []
    switch player.state {
    case .noMedia: return ""
    case .stopped: actions = ["Play", "Stop"]
    case .transitioning, .playing: actions = ["Play", "Stop"] + (player.canPause ? ["Pause"] : [])
    case .paused: actions = ["Play", "Stop", "Pause"]
    }
    if player.canSeek { actions.append("Seek") }
    if player.next != nil { actions.append("Next") }
    return actions.joined(separator: ",")
  }
}
