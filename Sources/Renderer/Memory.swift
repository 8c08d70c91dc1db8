import Playback
import Providers
import ServiceLifecycle

/// What the program keeps over restarts, apart from who it is: read at the start, before the event loop runs, and kept
/// from then on whenever it changes.
struct Memory: Service {
  private static let speaker = "speaker"

  let keeper: StateKeeper
  private let speakerState: SpeakerState?
  private let playlistStore: PlaylistStore

  /// - Parameter startupVolume: in place of the one that was kept.
  init(keeper: StateKeeper, startupVolume: Int?) {
    self.keeper = keeper
    speakerState = keeper.load(Self.speaker).flatMap { text in
      var state = SpeakerState(text)
      if state == nil { keeper.setAside(Self.speaker) }
      if let startupVolume { state?.volume = startupVolume }
      return state
    }
    playlistStore = PlaylistStore(keeper)
  }

  /// Gives the player what it had, and keeps what it has from now on. On the player's executor, before anybody else
  /// looks at the player.
  func attach(to player: Player) {
    player.immediately { player in
      if let speakerState { player.restore(speakerState) }
      _ = player.observe { [keeper] changes in
        guard !changes.isDisjoint(with: .ofSpeaker) else { return }
        keeper.keep(player.immediately { $0.speakerState.text }, as: Self.speaker)
      }
    }
  }

  /// The playlist that was kept, and is from now on. On the player's executor.
  func playlist(on player: Player) -> PlaylistSource {
    PlaylistSource(
      player: player, list: playlistStore.takePlaylist(), store: playlistStore, duration: \.duration)
  }

  func run() async {
    try? await gracefulShutdown()
    await keeper.shutdown()
  }
}
