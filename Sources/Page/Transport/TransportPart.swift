import DeviceStack
import Playback
import PlaybackModel

/// Play, pause, stop, skip and seek of the current source, and its modes.
package final class TransportPart: PagePart {
  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource

  package init(player: Player, playlist: PlaylistSource, radio: RadioSource) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
  }

  private struct Play: Decodable { let source: SourceID? }
  private struct Seek: Decodable { let seconds: Double }
  private struct Modes: Decodable {
    let `repeat`: Bool?
    let shuffle: Bool?
  }

  package func add(to routes: PageRoutes) {
    routes.post("/api/play", Play.self) { [self] body, _ throws(Problem) in try play(body.source?.source) }
    routes.post("/api/pause") { [self] () throws(Problem) in try pause() }
    routes.post("/api/stop") { [self] in
      player.immediately { $0.stop() }
      return .done
    }
    routes.post("/api/toggle") { [self] () throws(Problem) in
      let state = player.immediately { $0.deck().state }
      return state == .playing || state == .transitioning ? try pause() : try play(nil)
    }
    routes.post("/api/next") { [self] () throws(Problem) in try next() }
    routes.post("/api/previous") { [self] () throws(Problem) in try previous() }
    routes.post("/api/seek", Seek.self) { [self] body, _ throws(Problem) in try seek(body.seconds) }
    routes.post("/api/modes", Modes.self) { [self] body, _ in
      if let repeats = body.repeat { playlist.setRepeats(repeats) }
      if let shuffles = body.shuffle { playlist.setShuffles(shuffles) }
      return .done
    }
  }

  private var abilities: TransportAbilities { TransportAbilities(player, playlist, radio) }

  /// - Parameter source: nil for the current one.
  private func play(_ source: Source?) throws(Problem) -> APIAnswer {
    try perform { player throws(PlayerError) in
      try player.transaction { player throws(PlayerError) in
        // A source that cannot play must not become current.
        guard player.deck(source).item != nil else { throw .noContents }
        if let source { player.selectSource(source) }
        try player.play(source)
      }
    }
  }

  private func pause() throws(Problem) -> APIAnswer {
    try perform { player throws(PlayerError) in try player.pauseOrStop() }
  }

  private func seek(_ seconds: Double) throws(Problem) -> APIAnswer {
    // Longer than any track, and within Duration.
    guard (0...1e9).contains(seconds) else { throw .wrong("seconds", "must be between 0 and the track's duration") }
    return try perform { player throws(PlayerError) in try player.seek(to: .milliseconds(Int64(seconds * 1000))) }
  }

  private func next() throws(Problem) -> APIAnswer {
    guard abilities.next else { throw .impossible("There is nothing to skip to.") }
    switch player.immediately({ $0.source }) {
    case .playlist: playlist.next()
    case .radio:
      guard let preset = radio.nextPresetID else { fallthrough }
      try? radio.play(preset)
    case .upnpAV: return try perform { player throws(PlayerError) in try player.skipToNext() }
    }
    return .done
  }

  private func previous() throws(Problem) -> APIAnswer {
    guard abilities.previous else { throw .impossible("There is nothing to go back to.") }
    switch player.immediately({ $0.source }) {
    case .playlist: playlist.previous()
    case .radio:
      guard let preset = radio.previousPresetID else { fallthrough }
      try? radio.play(preset)
    case .upnpAV: return try perform { player throws(PlayerError) in try player.skipToPrevious() }
    }
    return .done
  }

  private func perform(_ command: (isolated Player) throws(PlayerError) -> Void) throws(Problem) -> APIAnswer {
    do throws(PlayerError) {
      try player.immediately(command)
    } catch {
      throw Problem(error)
    }
    return .done
  }
}

extension Problem {
  package init(_ error: PlayerError) {
    switch error {
    case .transitionNotAvailable: self = .impossible("This is not possible now.")
    case .noContents: self = .impossible("There is nothing to play.")
    case .seekNotAvailable: self = .impossible("This stream cannot be sought.")
    case .illegalSeekTarget: self = .wrong("seconds", "must be between 0 and the track's duration")
    }
  }
}
