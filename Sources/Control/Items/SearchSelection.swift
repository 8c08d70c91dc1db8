import ControlPoint

/// Chooses what to play from the tracks that a search found.
struct SearchSelection {
  /// Limit, so that a vague search does not play a whole collection.
  static let maximumTracks = 200

  private let text: String
  private(set) var tracks: [MediaObject] = []
  /// Whether there were more tracks than are kept.
  private(set) var isCut = false

  init(_ text: String) { self.text = text.lowercased() }

  mutating func add(_ track: MediaObject) {
    if tracks.count < Self.maximumTracks { tracks.append(track) } else { isCut = true }
  }

  /// The track with exactly that title, otherwise the album of that title, otherwise all tracks of that artist, otherwise
  /// all.
  var chosen: [MediaObject] {
    if let track = tracks.first(where: { matches($0.title) }) { return [track] }
    let album = tracks.filter { matches($0.album) }
    if let first = album.first {
      // Another server may have the same album, or another album may have the same title.
      return album.filter { $0.artist == first.artist && $0.parentID == first.parentID }
        .enumerated().sorted {
          ($0.element.originalTrackNumber ?? 0, $0.offset) < ($1.element.originalTrackNumber ?? 0, $1.offset)
        }.map(\.element)
    }
    let artist = tracks.filter { matches($0.artist) }
    return artist.isEmpty ? tracks : artist
  }

  private func matches(_ other: String?) -> Bool { other?.lowercased() == text }
}
