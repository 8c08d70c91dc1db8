import PlaybackModel

extension TransportState {
  /// The state's name in hooks, status, remotes and the page's API.
  package var word: String {
    switch self {
    case .noMedia, .stopped: "stopped"
    case .transitioning: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    }
  }
}

extension Source {
  /// The source's name in hooks, status and remotes.
  package var word: String {
    switch self {
    case .playlist: "playlist"
    case .radio: "radio"
    case .upnpAV: "upnp"
    }
  }

  /// Nil for an unknown word.
  package init?(word: String) {
    guard let source = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = source
  }
}
