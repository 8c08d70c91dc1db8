import Playback
import PlaybackModel
import Providers

/// What a command is told, in its environment.
struct HookFacts: Sendable {
  private let values: KeyValuePairs<String, String>

  /// One value can be no longer: all of them together have to fit what the kernel takes.
  private static let limit = 4096

  /// - Parameters:
  ///   - state: nil for what the player says itself.
  ///   - speaker: its name.
  init(_ event: HookEvent, of player: isolated Player, state: TransportState? = nil, speaker: String) {
    let deck = player.deck()
    let nowPlaying = NowPlaying(deck)
    values = [
      "EVENT": event.rawValue, "SPEAKER": speaker, "STATE": (state ?? deck.state).word, "SOURCE": player.source.word,
      "STANDBY": player.isStandby ? "1" : "0", "VOLUME": "\(player.volume)", "MUTE": player.isMuted ? "1" : "0",
      "URI": deck.trackURI ?? "", "TITLE": nowPlaying.title ?? "", "ARTIST": nowPlaying.artist ?? "",
      "ALBUM": nowPlaying.album ?? "", "DURATION": deck.duration.map { "\($0.components.seconds)" } ?? "",
    ]
  }

  /// The environment with the facts in it.
  func added(to environment: [String: String]) -> [String: String] {
    values.reduce(into: environment) { environment, fact in
      let text = fact.value.unicodeScalars.prefix(Self.limit).filter { $0 != "\0" }
      environment[Self.prefix + fact.key] = String(String.UnicodeScalarView(text))
    }
  }

  private static let prefix = "SWIFTLET_"

  /// In the environment of a command; those of the configuration have other names.
  static let variables = [
    "EVENT", "SPEAKER", "STATE", "SOURCE", "STANDBY", "VOLUME", "MUTE", "URI", "TITLE", "ARTIST", "ALBUM", "DURATION",
  ].map { prefix + $0 }
}

extension TransportState {
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
  var word: String {
    switch self {
    case .playlist: "playlist"
    case .radio: "radio"
    case .upnpAV: "upnp"
    }
  }
}
