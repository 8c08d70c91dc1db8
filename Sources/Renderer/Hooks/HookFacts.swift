import Playback
import PlaybackModel
import Providers

/// Facts about the event and the player for the environment of a command.
struct HookFacts: Sendable {
  private let values: [HookVariable: String]

  /// Limit of one value, in characters: the kernel limits the size of all of them together.
  private static let limit = 4096

  /// - Parameters:
  ///   - state: replaces the player's state; nil to use that.
  ///   - speaker: the speaker's name.
  ///   - present: the names of the present people; nil while presence is off.
  init(
    _ event: HookEvent, of player: isolated Player, state: TransportState? = nil, speaker: String, present: String?
  ) {
    let deck = player.deck()
    let nowPlaying = NowPlaying(deck)
    var values: [HookVariable: String] = [
      .event: event.rawValue, .speaker: speaker, .state: (state ?? deck.state).word, .source: player.source.word,
      .standby: player.isStandby ? "1" : "0", .volume: "\(player.volume)", .mute: player.isMuted ? "1" : "0",
      .uri: deck.trackURI ?? "", .title: nowPlaying.title ?? "", .artist: nowPlaying.artist ?? "",
      .album: nowPlaying.album ?? "", .duration: deck.duration.map { "\($0.components.seconds)" } ?? "",
    ]
    values[.presence] = present
    self.values = values
  }

  /// The environment with the facts added.
  func added(to environment: [String: String]) -> [String: String] {
    values.reduce(into: environment) { environment, fact in
      let text = fact.value.unicodeScalars.prefix(Self.limit).filter { $0 != "\0" }
      environment[fact.key.variable] = String(String.UnicodeScalarView(text))
    }
  }
}
