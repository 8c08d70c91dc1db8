import Playback
import PlaybackModel

/// Where tracks are added to the queue.
enum QueuePlace: String, Sendable, Decodable, CaseIterable {
  /// After the current track. The first added track plays at once.
  case now
  /// After the current track.
  case next
  case end
  /// Replaces everything in the queue. The first added track plays at once.
  case replace
}

/// Adds the tracks of one request to the queue, in several steps, so that the first ones play while the others are read.
///
/// The tracks stay together in the queue, whatever others add meanwhile. Used on the event loop.
struct QueueAddition {
  private let playlist: PlaylistSource
  private let place: QueuePlace
  private var lastID: UInt32?

  enum Failure: Error {
    case full
    /// The preceding track was deleted, so the rest is not wanted either.
    case withdrawn
  }

  init(_ playlist: PlaylistSource, _ place: QueuePlace) {
    self.playlist = playlist
    self.place = place
  }

  /// - Returns: the number of added tracks, and the reason if not all were added.
  mutating func add(_ tracks: [PlaylistTrack]) -> (added: Int, failure: Failure?) {
    let isFirst = lastID == nil
    var added = 0
    if isFirst, place == .replace { playlist.deleteAll() }
    for track in tracks {
      do throws(PlaylistError) {
        let id = try playlist.insert(track, after: predecessor)
        added += 1
        if isFirst, added == 1, place == .now || place == .replace { try? playlist.seek(toID: id) }
        lastID = id
      } catch {
        return (added, error == .full ? .full : .withdrawn)
      }
    }
    return (added, nil)
  }

  private var predecessor: UInt32 {
    if let lastID { return lastID }
    return switch place {
    case .now, .next: playlist.list.currentID
    case .end: playlist.list.ids.last ?? 0
    case .replace: 0
    }
  }
}
