import DeviceStack
import Playback
import PlaybackModel
import Providers

/// Play, pause, stop, skip and seek of the current source, and its modes.
package final class TransportPart: PagePart {
  private let player: Player
  private let playlist: PlaylistSource
  private let remote: SpeakerRemote

  package init(player: Player, playlist: PlaylistSource, remote: SpeakerRemote) {
    self.player = player
    self.playlist = playlist
    self.remote = remote
  }

  private struct Play: Decodable { let source: SourceID? }
  private struct Seek: Decodable { let seconds: Double }
  private struct Modes: Decodable {
    let `repeat`: Bool?
    let shuffle: Bool?
  }

  package func add(to routes: PageRoutes) {
    routes.post("/api/play", Play.self) { [self] body, _ throws(Problem) in try play(body.source?.source) }
    routes.post("/api/pause") { [self] () throws(Problem) in
      try perform { remote throws(RemoteError) in try remote.pause() }
    }
    routes.post("/api/stop") { [remote] in
      remote.stop()
      return .done
    }
    routes.post("/api/toggle") { [self] () throws(Problem) in
      try perform { remote throws(RemoteError) in try remote.toggle() }
    }
    routes.post("/api/next") { [self] () throws(Problem) in
      try perform { remote throws(RemoteError) in try remote.skipToNext() }
    }
    routes.post("/api/previous") { [self] () throws(Problem) in
      try perform { remote throws(RemoteError) in try remote.skipToPrevious() }
    }
    routes.post("/api/seek", Seek.self) { [self] body, _ throws(Problem) in try seek(body.seconds) }
    routes.post("/api/modes", Modes.self) { [self] body, _ in
      if let repeats = body.repeat { playlist.setRepeats(repeats) }
      if let shuffles = body.shuffle { playlist.setShuffles(shuffles) }
      return .done
    }
  }

  /// - Parameter source: nil for the current one.
  private func play(_ source: Source?) throws(Problem) -> APIAnswer {
    do throws(PlayerError) {
      try player.immediately { player throws(PlayerError) in
        try player.transaction { player throws(PlayerError) in
          // A source that cannot play must not become current.
          guard player.deck(source).item != nil else { throw .noContents }
          if let source { player.selectSource(source) }
          try player.play(source)
        }
      }
    } catch {
      throw Problem(.player(error))
    }
    return .done
  }

  private func seek(_ seconds: Double) throws(Problem) -> APIAnswer {
    // The limit is longer than any track, and fits into `Duration`.
    guard (0...1e9).contains(seconds) else { throw Problem(.player(.illegalSeekTarget)) }
    return try perform { remote throws(RemoteError) in try remote.seek(to: .milliseconds(Int64(seconds * 1000))) }
  }

  private func perform(_ command: (SpeakerRemote) throws(RemoteError) -> Void) throws(Problem) -> APIAnswer {
    do throws(RemoteError) {
      try command(remote)
    } catch {
      throw Problem(error)
    }
    return .done
  }
}

extension Problem {
  package init(_ error: RemoteError) {
    switch error {
    case .player(.illegalSeekTarget): self = .wrong("seconds", "must be between 0 and the track's duration")
    case .server(let reason): self = .impossible(.serverFailed, reason, arguments: ["reason": reason])
    default: self = .impossible(Self.name(of: error), error.description)
    }
  }
  private static func name(of error: RemoteError) -> ProblemName {
    switch error {
    case .player(.transitionNotAvailable), .player(.illegalSeekTarget): .notNow
    case .player(.noContents), .nothingThere: .nothingToPlay
    case .player(.seekNotAvailable): .notSeekable
    case .noNeighbour: .noNeighbour
    case .noPreset: .noPreset
    case .server: .serverFailed
    case .fixedVolume: .fixedVolume
    case .anotherTrack: .anotherTrack
    case .playlistFull: .queueFull
    case .tooManyCommands: .tooManyRequests
    }
  }
}
