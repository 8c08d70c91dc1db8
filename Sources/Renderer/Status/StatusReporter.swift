import Companion
import Glibc
import Page
import Playback
import PlaybackModel
import Providers
import Synchronization

/// Collects the status from the parts of the speaker.
final class StatusReporter: Sendable {
  private let player: Player
  private let log: LogOutput
  /// nil if no companion is on.
  private let companions: CompanionBoard?
  private let start = ContinuousClock.now
  private let interfaces: Mutex<[StatusReport.Interface]> = Mutex([])
  private let name: Mutex<String>

  /// - Parameter name: the speaker's name.
  init(name: String, player: Player, log: LogOutput, companions: CompanionBoard?) {
    self.name = Mutex(name)
    self.player = player
    self.log = log
    self.companions = companions
  }

  /// Replaces the network interfaces.
  func networkChanged(_ interfaces: [StatusReport.Interface]) { self.interfaces.withLock { $0 = interfaces } }

  /// The address of the speaker's page on the first network; nil without a page or a network.
  var page: String? { interfaces.withLock { $0.compactMap(\.page).first } }

  /// Replaces the speaker's name.
  func rename(_ name: String) { self.name.withLock { $0 = name } }

  /// Seconds since the start.
  var uptime: Double { (ContinuousClock.now - start).inSeconds }

  /// The last lines of the log, the newest last.
  var recentLog: [LogOutput.Recent] { log.recent }

  /// The last warnings and errors of the log, the newest last.
  var problems: [StatusReport.LoggedProblem] {
    log.problems.map { StatusReport.LoggedProblem(time: LogLine.stamp($0.time), text: $0.text) }
  }

  /// The present status. Must be called on the player's executor.
  func report() -> StatusReport {
    player.immediately { player in
      let deck = player.deck()
      return StatusReport(
        name: name.withLock(\.self), version: Version.number, uptime: uptime,
        state: deck.state.word, source: player.source.word, standby: player.isStandby, volume: player.volume,
        muted: player.isMuted, track: StatusReport.Track(deck), error: deck.failure?.text,
        skipped: deck.skipped?.text, failedTracks: player.failedTracks,
        output: player.output?.description, outputFormat: player.outputFormat.map(StatusReport.OutputFormat.init),
        bitPerfect: player.signalPath?.isBitPerfect, reasons: player.signalPath?.reasons.map(\.rawValue),
        buffer: player.bufferLevel.inSeconds, xruns: player.xruns, interfaces: interfaces.withLock { $0 },
        troubles: problems, companions: companions?.report)
    }
  }
}

extension StatusReport.OutputFormat {
  init(_ format: OutputFormat) {
    self.init(sampleRate: format.sampleRate, bitDepth: format.bitDepth, channels: format.channels)
  }
}

extension StatusReport.Track {
  /// nil without a track.
  init?(_ deck: Deck) {
    guard let uri = deck.trackURI else { return nil }
    let (nowPlaying, stream) = (NowPlaying(deck), deck.streamInfo)
    self.init(
      uri: uri, title: nowPlaying.title, artist: nowPlaying.artist, album: nowPlaying.album,
      position: deck.position.inSeconds, duration: deck.duration?.inSeconds, codec: stream?.codecName,
      sampleRate: stream?.sampleRate, bitDepth: stream?.bitDepth, channels: stream?.channels, bitRate: stream?.bitRate)
  }
}
