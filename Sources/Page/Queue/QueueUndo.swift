import DeviceStack
import NIOCore
import Playback
import PlaybackModel

/// Changes of the queue that can be undone: the last three, for two minutes. Pure.
struct QueueUndo {
  enum Change: Equatable {
    case removed([DeletedTrack])
    case replaced(ReplacedTracks)

    /// Whether there is nothing to put back.
    var isEmpty: Bool {
      switch self {
      case .removed(let tracks): tracks.isEmpty
      case .replaced(let replaced): replaced.tracks.isEmpty
      }
    }
  }

  private static let maximum = 3
  private static let time = TimeAmount.minutes(2)

  private var entries: [(token: String, change: Change, end: NIODeadline)] = []
  private var last = 0
  /// Differs in every run, so that tokens of an earlier run are unknown.
  private let run: UInt32

  init(run: UInt32 = .random(in: 0...UInt32.max)) { self.run = run }

  /// - Returns: the token for `take`.
  mutating func keep(_ change: Change, now: NIODeadline) -> String {
    drop(now: now)
    if entries.count == Self.maximum { entries.removeFirst() }
    last += 1
    let token = "\(run)-\(last)"
    entries.append((token, change, now + Self.time))
    return token
  }

  /// Keeps a change that goes on, from now on. Ignored if the token is unknown, used or too old.
  mutating func update(_ token: String, to change: Change, now: NIODeadline) {
    guard take(token, now: now) != nil else { return }
    entries.append((token, change, now + Self.time))
  }

  /// Takes a change; nil if the token is unknown, used or too old.
  mutating func take(_ token: String, now: NIODeadline) -> Change? {
    drop(now: now)
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).change }
  }

  /// When the oldest change can be forgotten; nil if there is none.
  var nextEnd: NIODeadline? { entries.first?.end }

  /// Forgets changes that are too old, with their memory.
  mutating func drop(now: NIODeadline) { entries.removeAll { $0.end <= now } }
}

/// Undoes changes of the queue by their tokens. Used on the event loop.
final class QueueHistory {
  private let playlist: PlaylistSource
  private let eventLoop: any EventLoop
  private var undo = QueueUndo()
  private let alarm: Alarm

  init(playlist: PlaylistSource, eventLoop: any EventLoop) {
    self.playlist = playlist
    self.eventLoop = eventLoop
    alarm = Alarm(eventLoop: eventLoop)
    alarm.onElapsed = { [weak self] in self?.forget() }
  }

  /// - Returns: the token for `undo`; nil if nothing was removed. Such a change does not push out the last ones.
  func keep(_ change: QueueUndo.Change) -> String? {
    let token = change.isEmpty ? nil : undo.keep(change, now: eventLoop.now)
    forget()
    return token
  }

  /// Updates a change that goes on.
  func update(_ token: String, to change: QueueUndo.Change) {
    undo.update(token, to: change, now: eventLoop.now)
    forget()
  }

  func undo(_ token: String) throws(Problem) {
    guard let change = undo.take(token, now: eventLoop.now) else {
      throw .unknown(.undoExpired, "This can no longer be undone.")
    }
    do throws(PlaylistError) {
      switch change {
      case .removed(let tracks): try playlist.restore(tracks)
      case .replaced(let replaced): try playlist.undo(replaced)
      }
    } catch {
      throw Problem(error)
    }
  }

  /// Frees the memory of changes that can no longer be undone.
  private func forget() {
    undo.drop(now: eventLoop.now)
    if let end = undo.nextEnd { alarm.arm(in: .nanoseconds((end - eventLoop.now).nanoseconds)) }
  }
}
