import PlaybackModel

/// The sources of the player as the API names them.
package enum SourceID: String, CaseIterable, Codable, Sendable {
  case playlist, radio, upnp

  package init(_ source: Source) {
    switch source {
    case .playlist: self = .playlist
    case .radio: self = .radio
    case .upnpAV: self = .upnp
    }
  }

  package var source: Source {
    switch self {
    case .playlist: .playlist
    case .radio: .radio
    case .upnp: .upnpAV
    }
  }

  /// The name that OpenHome controllers show.
  package var name: String {
    switch self {
    case .playlist: "Playlist"
    case .radio: "Radio"
    case .upnp: "UPnP AV"
    }
  }
}
