import NIOCore
import PlaybackModel
import SpeakerCore
import UPnP

/// A program of the configuration with its present process. Used on the event loop.
final class ProgramSlot {
  /// Lines of output that are kept.
  private static let mostLines = 10
  /// Characters of a line that are kept.
  private static let longestLine = 300
  /// A phone may send the progress just before the titles.
  private static let progressTime = Duration.seconds(2)

  typealias Track = (title: String?, artist: String?, album: String?, artURL: String?)

  let program: ProgramDescription
  var machine: ProgramMachine
  var process: ProgramProcess?
  /// Changes with each process.
  var generation = 0
  /// The player's, while it plays the source.
  var input: ClockedInput?
  var openedAt: ContinuousClock.Instant?
  var timer: Scheduled<Void>?
  private(set) var lines: [String] = []

  // What the program plays
  private(set) var track: Track?
  private(set) var picture: (number: Int, bytes: [UInt8]) = (0, [])
  var progress: (position: Duration, duration: Duration?, time: ContinuousClock.Instant)?
  /// Whether the track is about to be announced: its picture may come a little later.
  var isAnnouncing = false
  /// The volume of the sending device, as far as it is known.
  var volume: Int?

  /// What the program must still be told, while it is being told something.
  var waitingControls: [ProgramControl] = []
  var isBeingTold = false

  init(_ program: ProgramDescription) {
    self.program = program
    machine = ProgramMachine(isOnDemand: program.isOnDemand)
  }

  var name: ProgramName { program.name }

  func add(line: String) {
    lines.append(line.count > Self.longestLine ? line.prefix(Self.longestLine) + "…" : line)
    if lines.count > Self.mostLines { lines.removeFirst() }
  }

  /// Keeps the progress only of the same track, or if it has just been sent.
  func setTrack(_ new: Track) {
    if track.map({ $0 != new }) ?? true, let progress, .now - progress.time > Self.progressTime { self.progress = nil }
    track = new
  }

  func setPicture(_ bytes: [UInt8]) {
    if bytes != picture.bytes { picture = (picture.number + 1, bytes) }
  }

  /// DIDL-Lite of the track.
  /// - Parameter server: the address of the speaker's HTTP server.
  func metadata(server: String?) -> String {
    let own =
      picture.bytes.isEmpty ? nil : server.map { "\($0)\(ProgramPictures.folder)\(name.word)-\(picture.number)" }
    return DIDLLite.item(
      title: track?.title ?? name.text, uri: name.address, class: .audioBroadcast,
      artwork: track?.artURL ?? own ?? "", artist: track?.artist, album: track?.album)
  }

  var report: ProgramReport {
    let state: ProgramReport.State =
      switch machine.phase {
      case .off: .off
      case .running: .running
      case .pausing: .waiting
      case .failed: .failed
      }
    return ProgramReport(
      source: name.word, name: name.text, state: state, problem: machine.lastProblem, ends: machine.recentEnds,
      lines: lines)
  }

  /// Forgets what the process played.
  func forget() {
    (track, progress, volume, waitingControls) = (nil, nil, nil, [])
    setPicture([])
  }
}
