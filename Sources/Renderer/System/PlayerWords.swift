import Playback
import PlaybackModel

extension TransportState {
  /// For hooks and status.
  var word: String {
    switch self {
    case .noMedia, .stopped: "stopped"
    case .transitioning: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    }
  }
}

extension Source {
  /// For hooks and status.
  var word: String {
    switch self {
    case .playlist: "playlist"
    case .radio: "radio"
    case .upnpAV: "upnp"
    }
  }
}
