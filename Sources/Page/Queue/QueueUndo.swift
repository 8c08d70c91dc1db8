import NIOCore
import PlaybackModel

/// Removals from the queue that can be undone: the last three, for two minutes. Pure.
struct QueueUndo {
  private static let maximum = 3
  private static let time = TimeAmount.minutes(2)

  private var entries: [(token: String, tracks: [DeletedTrack], end: NIODeadline)] = []
  private var last = 0
  /// Differs in every run, so that tokens of an earlier run are unknown.
  private let run: UInt32

  init(run: UInt32 = .random(in: 0...UInt32.max)) { self.run = run }

  /// - Returns: the token for `take`.
  mutating func keep(_ tracks: [DeletedTrack], now: NIODeadline) -> String {
    drop(now: now)
    if entries.count == Self.maximum { entries.removeFirst() }
    last += 1
    let token = "\(run)-\(last)"
    entries.append((token, tracks, now + Self.time))
    return token
  }

  /// Takes the tracks of a removal; nil if the token is unknown, used or too old.
  mutating func take(_ token: String, now: NIODeadline) -> [DeletedTrack]? {
    drop(now: now)
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).tracks }
  }

  /// When the oldest removal can be forgotten; nil if there is none.
  var nextEnd: NIODeadline? { entries.first?.end }

  /// Forgets removals that are too old, with their memory.
  mutating func drop(now: NIODeadline) { entries.removeAll { $0.end <= now } }
}
