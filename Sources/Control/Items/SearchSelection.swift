import ControlPoint

/// Chooses what to play from the tracks that a search found.
struct SearchSelection {
  /// Limit for partial matches, so that a vague search does not play a whole collection.
  static let maximumTracks = 200
  /// Limit for the tracks of one album or artist.
  static let maximumExactTracks = 2000

  private let text: String
  private var title: MediaObject?
  private var album = BoundedTracks(limit: maximumExactTracks)
  private var artist = BoundedTracks(limit: maximumExactTracks)
  private var partial = BoundedTracks(limit: maximumTracks)

  init(_ text: String) { self.text = FoldedText.folded(text) }

  /// Adds a track of a server. Exact matches do not count towards the limit for partial ones.
  mutating func add(_ track: MediaObject) {
    if matches(track.title) {
      title = title ?? track
    } else if matches(track.album) || matches(track.artist) {
      if matches(track.album) { album.add(track) }
      if matches(track.artist) { artist.add(track) }
    } else {
      partial.add(track)
    }
  }

  /// Adds the tracks of another server. It may have the same album, and its ids may be the same.
  mutating func add(_ server: SearchSelection) {
    title = title ?? server.title
    if album.tracks.isEmpty { album = server.album }
    artist.add(server.artist)
    partial.add(server.partial)
  }

  /// The track with exactly that title, otherwise the album of that title, otherwise all tracks of that artist, otherwise
  /// all.
  var chosen: [MediaObject] {
    if let title { return [title] }
    guard let first = album.tracks.first else { return best.tracks }
    // Another album may have the same title. The tracks of a compilation have different artists.
    return AlbumOrder.sorted(album.tracks.filter { $0.parentID == first.parentID })
  }

  /// The limit, if `chosen` leaves out tracks because of it.
  var exceededLimit: Int? { title == nil && best.isCut ? best.limit : nil }

  private var best: BoundedTracks {
    [album, artist].first { !$0.tracks.isEmpty } ?? partial
  }

  private func matches(_ other: String?) -> Bool { other.map { FoldedText.folded($0) } == text }
}

/// The first tracks up to a limit.
private struct BoundedTracks {
  let limit: Int
  private(set) var tracks: [MediaObject] = []
  /// Whether there were more tracks than are kept.
  private(set) var isCut = false

  init(limit: Int) { self.limit = limit }

  mutating func add(_ track: MediaObject) {
    if tracks.count < limit { tracks.append(track) } else { isCut = true }
  }

  mutating func add(_ other: BoundedTracks) {
    for track in other.tracks { add(track) }
    isCut = isCut || other.isCut
  }
}
