/// A track of the playlist.
public struct PlaylistTrack: Sendable, Equatable {
  /// Byte for byte as the controller sent it.
  public let uri: String
  /// Usually DIDL-Lite, byte for byte as the controller sent it.
  public let metadata: String

  public init(uri: String, metadata: String) {
    self.init(packedURI: Self.packed(uri), metadata: Self.packed(metadata))
  }

  /// - Parameter packedURI: the address, without spare capacity. The metadata must have none either.
  package init(packedURI: String, metadata: String) {
    uri = packedURI
    self.metadata = metadata
  }

  /// Size of the address and the metadata.
  package var bytes: Int { uri.utf8.count + metadata.utf8.count }

  /// Copies the text without spare capacity. A string built by appending may reserve twice its size, and a playlist
  /// holds thousands of them.
  private static func packed(_ text: String) -> String {
    var text = text
    return text.withUTF8 { String(decoding: $0, as: UTF8.self) }
  }
}

/// A change of the playlist, as it is written to disk.
package enum PlaylistChange: Sendable, Equatable {
  /// Inserts a track after another one; `after: 0` means at the front.
  case insert(id: UInt32, after: UInt32, PlaylistTrack)
  case delete(id: UInt32)
  case deleteAll
  /// Moves tracks behind another one, in this order; `after: 0` means to the front.
  case move(ids: [UInt32], after: UInt32)
  /// Makes a track current; 0 for none.
  case current(UInt32)
  /// Ids up to this one are used or reserved.
  case lastID(UInt32)
  case repeats(Bool)
  case shuffles(Bool)
}

/// The part of the playlist that survives a restart. It changes only by `PlaylistChange`, so that applying the saved
/// changes restores it exactly.
package struct PlaylistContents: Sendable, Equatable {
  /// The ids of all tracks, in list order.
  package private(set) var ids: [UInt32] = []
  package private(set) var tracks: [UInt32: PlaylistTrack] = [:]
  /// The highest id ever used. Ids are never reused, since controllers cache tracks by id.
  package private(set) var lastID: UInt32 = 0
  /// Id of the current track; 0 in an empty list.
  package private(set) var currentID: UInt32 = 0
  package private(set) var repeats = false
  package private(set) var shuffles = false
  /// Total size of all addresses and metadata.
  package private(set) var bytes = 0

  package init() {}

  /// The index of a track; nil for an unknown id.
  func index(of id: UInt32) -> Int? {
    // Fast path: most tracks are appended.
    if ids.last == id { return ids.count - 1 }
    return tracks[id] == nil ? nil : ids.firstIndex(of: id)
  }

  /// - Returns: false for an invalid change, which is not applied.
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
    case .move(let moved, let after):
      let taken = Set(moved)
      guard taken.count == moved.count, moved.allSatisfy({ tracks[$0] != nil }), !taken.contains(after) else {
        return false
      }
      var rest = ids.filter { !taken.contains($0) }
      var index = 0
      if after > 0 {
        guard let predecessor = rest.firstIndex(of: after) else { return false }
        index = predecessor + 1
      }
      rest.insert(contentsOf: moved, at: index)
      ids = rest
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
