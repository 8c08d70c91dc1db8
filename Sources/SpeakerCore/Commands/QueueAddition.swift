import Playback
import PlaybackModel

/// Where tracks are added to the queue.
package enum QueuePlace: String, Sendable, Decodable, CaseIterable {
  /// After the current track. The first added track plays at once.
  case now
  /// After the current track.
  case next
  case end
  /// Replaces everything in the queue. The first added track plays at once.
  case replace

  /// The kind of a command that adds tracks here.
  package var kind: CommandKind { self == .end ? .append : .control }
}

/// A change of the queue that `QueueCommand.undo` can undo.
package enum QueueChange: Sendable, Equatable {
  case removed([DeletedTrack])
  case replaced(ReplacedTracks)

  /// Whether there is nothing to undo.
  package var isEmpty: Bool {
    switch self {
    case .removed(let tracks): tracks.isEmpty
    case .replaced(let replaced): replaced.tracks.isEmpty
    }
  }
}

/// Adds the tracks of one command to the queue, in one or more steps, so that the first ones play while the others are
/// read.
///
/// The tracks stay together in the queue, whatever others add meanwhile. On the player's executor.
package struct QueueAddition {
  private let playlist: PlaylistSource
  private let place: QueuePlace
  private let shuffles: Bool?
  /// The ids of the added tracks.
  package private(set) var ids: [UInt32] = []
  private var former: ReplacedTracks?
  private var lastID: UInt32?

  /// - Parameter shuffles: the value of Shuffle for tracks that replace the queue; nil to keep it.
  package init(_ playlist: PlaylistSource, _ place: QueuePlace, shuffles: Bool? = nil) {
    self.playlist = playlist
    self.place = place
    self.shuffles = shuffles
  }

  /// The tracks that the added ones have replaced; nil if none.
  package var replaced: ReplacedTracks? {
    var replaced = former
    replaced?.added = ids
    return replaced
  }

  /// - Returns: the number of added tracks, and the reason if not all were added. `idNotFound` means that the preceding
  ///   track was deleted, so the rest is not wanted either.
  package mutating func add(_ tracks: [PlaylistTrack]) -> (added: Int, failure: PlaylistError?) {
    let added: [UInt32]
    do throws(PlaylistError) {
      added = ids.isEmpty ? try begin(tracks) : try playlist.insert(tracks, after: predecessor)
    } catch {
      return (0, error)
    }
    ids += added
    lastID = added.last ?? lastID
    return (added.count, added.count < tracks.count ? .full : nil)
  }

  private mutating func begin(_ tracks: [PlaylistTrack]) throws(PlaylistError) -> [UInt32] {
    switch place {
    case .end: return try playlist.insert(tracks, after: predecessor)
    case .next: return try playlist.insert(tracks, after: predecessor, isNext: true)
    case .now:
      let ids = try playlist.insert(tracks, after: predecessor, isNext: true)
      if let first = ids.first { try playlist.seek(toID: first) }
      return ids
    case .replace:
      let replaced = try playlist.replaceAll(with: tracks, shuffles: shuffles)
      former = replaced
      return replaced.added
    }
  }

  /// Adds the following tracks at the front of the queue.
  package mutating func continueAtFront() { lastID = 0 }

  private var predecessor: UInt32 {
    if let lastID { return lastID }
    return switch place {
    case .now, .next: playlist.list.currentID
    case .end: playlist.list.ids.last ?? 0
    case .replace: 0
    }
  }
}
