import Companion
import Glibc
import LocalLibrary
import NIOCore
import Page
import Playback
import PlaybackModel
import SpeakerCore
import Synchronization

/// Collects the status from the parts of the speaker.
final class StatusReporter: Sendable {
  private let feed: NIOLoopBound<StateFeed>
  private let log: LogOutput
  private let programs: NIOLoopBound<ProgramHost>
  /// nil if no companion is on.
  private let companions: CompanionBoard?
  /// nil without folders of music.
  private let library: MusicLibrary?
  private let start = ContinuousClock.now
  private let interfaces: Mutex<[StatusReport.Interface]> = Mutex([])

  init(
    feed: NIOLoopBound<StateFeed>, log: LogOutput, programs: NIOLoopBound<ProgramHost>, companions: CompanionBoard?,
    library: MusicLibrary?
  ) {
    self.feed = feed
    self.log = log
    self.programs = programs
    self.companions = companions
    self.library = library
  }

  /// Replaces the network interfaces.
  func networkChanged(_ interfaces: [StatusReport.Interface]) { self.interfaces.withLock { $0 = interfaces } }

  /// The address of the speaker's page on the first network; nil without a page or a network.
  var page: String? { interfaces.withLock { $0.compactMap(\.page).first } }

  /// Seconds since the start.
  var uptime: Double { (ContinuousClock.now - start).inSeconds }

  /// The last lines of the log, the newest last.
  var recentLog: [LogOutput.Recent] { log.recent }

  /// The last warnings and errors of the log, the newest last.
  var problems: [StatusReport.LoggedProblem] {
    log.problems.map { StatusReport.LoggedProblem(time: LogLine.stamp($0.time), text: $0.text) }
  }

  /// The programs of sources. Must be called on the player's executor.
  var programReports: [ProgramReport] { programs.value.reports }

  /// nil without folders of music.
  var libraryReport: LibraryReport? { library.map { LibraryReport($0.status, folders: $0.folders) } }

  /// Looks at all folders of music again.
  /// - Returns: false without any.
  func rescanLibrary() -> Bool {
    library?.rescan()
    return library != nil
  }

  /// The present status. Must be called on the player's executor.
  func report() -> StatusReport {
    let state = feed.value.state
    return StatusReport(
      name: state.name, version: Version.number, uptime: uptime, state: state.state.shortWord,
      source: state.source.word, standby: state.isStandby, volume: state.volume, muted: state.isMuted,
      track: StatusReport.Track(state), error: state.failure?.text, skipped: state.skipped?.text,
      failedTracks: state.failedTracks, output: state.output?.description,
      outputFormat: state.outputFormat.map(StatusReport.OutputFormat.init),
      bitPerfect: state.signalPath?.isBitPerfect, reasons: state.signalPath?.reasons.map(\.rawValue),
      buffer: state.buffer.inSeconds, delay: state.liveDelay?.inSeconds, xruns: state.xruns,
      lostPackets: state.lostPackets, alarms: state.alarms.entries.map(StatusReport.Alarm.init),
      alarm: state.alarms.word, sleep: state.sleep.map(StatusReport.Sleep.init), interfaces: interfaces.withLock { $0 },
      troubles: problems, sources: programReports.isEmpty ? nil : programReports, companions: companions?.report,
      library: libraryReport)
  }
}

extension StatusReport.OutputFormat {
  init(_ format: OutputFormat) {
    self.init(sampleRate: format.sampleRate, bitDepth: format.bitDepth, channels: format.channels)
  }
}

extension StatusReport.Alarm {
  init(_ entry: AlarmsState.Entry) {
    let alarm = entry.alarm
    self.init(
      id: alarm.id, name: alarm.name, time: alarm.time.description, days: alarm.days.words, enabled: alarm.isEnabled,
      next: entry.next)
  }
}

extension StatusReport.Sleep {
  init(_ state: SleepState) { self.init(end: state.end.description, rest: state.rest?.inSeconds) }
}

extension StatusReport.Track {
  /// nil without a track.
  init?(_ state: SpeakerState) {
    guard let uri = state.trackURI else { return nil }
    let stream = state.streamInfo
    self.init(
      uri: uri, title: state.title, artist: state.artist, album: state.album, position: state.position.inSeconds,
      duration: state.duration?.inSeconds, codec: stream?.codecName, sampleRate: stream?.sampleRate,
      bitDepth: stream?.bitDepth, channels: stream?.channels, bitRate: stream?.bitRate)
  }
}
