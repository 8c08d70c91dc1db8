/// All of the playlist that outlives the program. Changed by `PlaylistChange` alone, so that what is read from the disk
/// is what was there.
package struct PlaylistContents: Sendable, Equatable {
  /// In the order of the list.
  package private(set) var ids: [UInt32] = []
  package private(set) var tracks: [UInt32: PlaylistTrack] = [:]
  /// The highest id that was ever given; ids are never used again, since controllers remember tracks by them.
  package private(set) var lastID: UInt32 = 0
  /// 0 in an empty list.
  package private(set) var currentID: UInt32 = 0
  package private(set) var repeats = false
  package private(set) var shuffles = false
  /// Of all addresses and metadata.
  package private(set) var bytes = 0

  package init() {}

  /// Where a track stands; nil for an id that is not there.
  func index(of id: UInt32) -> Int? {
    // Most lists grow at their end.
    if ids.last == id { return ids.count - 1 }
    return tracks[id] == nil ? nil : ids.firstIndex(of: id)
  }

  /// - Returns: false if the change makes no sense here; then nothing has changed.
  package mutating func apply(_ change: PlaylistChange) -> Bool {
    switch change {
    case .insert(let id, let after, let track):
      guard id > 0, tracks[id] == nil, ids.count < Playlist.maximumCount else { return false }
      var index = 0
      if after > 0 {
        guard let predecessor = self.index(of: after) else { return false }
        index = predecessor + 1
      }
      ids.insert(id, at: index)
      tracks[id] = track
      bytes += track.bytes
      lastID = max(lastID, id)
    case .delete(let id):
      guard let index = index(of: id), let track = tracks.removeValue(forKey: id) else { return false }
      ids.remove(at: index)
      bytes -= track.bytes
      if id == currentID { currentID = 0 }
    case .deleteAll:
      ids = []
      tracks = [:]
      bytes = 0
      currentID = 0
    case .current(let id):
      guard id == 0 || tracks[id] != nil else { return false }
      currentID = id
    case .lastID(let id):
      guard id >= lastID else { return false }
      lastID = id
    case .repeats(let repeats): self.repeats = repeats
    case .shuffles(let shuffles): self.shuffles = shuffles
    }
    return true
  }
}
