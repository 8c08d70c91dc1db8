import ControlPoint

/// Chooses what to play from the tracks that a search found on several servers.
struct SearchSelection {
  /// Limit for partial matches, so that a vague search does not play a whole collection.
  static let maximumTracks = 200
  /// Limit for the tracks of one album or artist.
  static let maximumExactTracks = 2000

  private let text: String
  private var title = BoundedTracks(limit: maximumTracks)
  private var album = BoundedTracks(limit: maximumExactTracks)
  private var artist = BoundedTracks(limit: maximumExactTracks)
  private var partial = BoundedTracks(limit: maximumTracks)
  init(_ text: String) { self.text = FoldedText.folded(text) }

  /// Adds a track of a server. Exact matches do not count towards the limit for partial ones.
  mutating func add(_ track: MediaObject) {
    if matches(track.title) {
      title.add(track)
    } else if matches(track.album) || matches(track.artist) {
      if matches(track.album) { album.add(track) }
      if matches(track.artist) { artist.add(track) }
    } else {
      partial.add(track)
    }
  }

  /// Adds the tracks of another server. It may have the same tracks, and its ids may be the same.
  mutating func add(_ server: SearchSelection) {
    title.merge(server.title)
    if server.album.isBetter(than: album) { album = server.album }
    artist.merge(server.artist)
    partial.merge(server.partial)
  }

  /// The containers of tracks with the same number on the same album, whose titles may tell the order of the discs.
  var discContainers: [String] {
    Array(Set(Discs.containers(of: album.tracks) + Discs.containers(of: artist.tracks)).sorted().prefix(20))
  }

  /// Numbers the discs by the titles of their containers.
  mutating func setTitles(_ titles: [String: String]) {
    album.tracks = Discs.numbered(album.tracks, titles)
    artist.tracks = Discs.numbered(artist.tracks, titles)
  }

  /// The track with exactly that title, otherwise the album of that title, otherwise all tracks of that artist, otherwise
  /// all. Albums by disc and track.
  var chosen: [MediaObject] {
    if let title = title.tracks.first { return [title] }
    return albums.first ?? AlbumOrder.sorted(best.tracks)
  }

  /// The tracks or albums with the same title as the chosen one, by their first track.
  var others: [MediaObject] {
    title.tracks.isEmpty ? albums.dropFirst().compactMap(\.first) : Array(title.tracks.dropFirst())
  }

  /// The limit, if `chosen` leaves out tracks because of it.
  var exceededLimit: Int? { title.tracks.isEmpty && best.isCut ? best.limit : nil }

  private var best: BoundedTracks {
    [album, artist].first { !$0.tracks.isEmpty } ?? partial
  }

  /// The albums of the title, each in its order.
  private var albums: [[MediaObject]] { AlbumsOfOneTitle.split(album.tracks) }

  private func matches(_ other: String?) -> Bool { other.map { FoldedText.folded($0) } == text }
}

/// Tells apart albums that have the same title, each in its order.
enum AlbumsOfOneTitle {
  /// Tracks belong together that are in the same container, such as a compilation, or by the same artist, such as the discs
  /// of an album in folders of their own.
  static func split(_ tracks: [MediaObject]) -> [[MediaObject]] {
    var albums: [(keys: Set<String>, tracks: [MediaObject])] = []
    for track in tracks {
      let keys: Set = ["in \(track.parentID)", "by \(FoldedText.folded(track.artist ?? ""))"]
      var joined = (keys: keys, tracks: [MediaObject]())
      var place: Int?
      for index in albums.indices.reversed() where !albums[index].keys.isDisjoint(with: keys) {
        joined.keys.formUnion(albums[index].keys)
        joined.tracks = albums[index].tracks + joined.tracks
        albums.remove(at: index)
        place = index
      }
      joined.tracks.append(track)
      albums.insert(joined, at: place ?? albums.count)
    }
    return albums.map { sorted($0.tracks) }
  }

  /// Without disc numbers, the containers are the discs, in their order.
  private static func sorted(_ tracks: [MediaObject]) -> [MediaObject] {
    guard tracks.contains(where: { $0.originalDiscNumber == nil }) else { return AlbumOrder.sorted(tracks) }
    var order: [String] = []
    for track in tracks where !order.contains(track.parentID) { order.append(track.parentID) }
    return order.flatMap { parent in AlbumOrder.sorted(tracks.filter { $0.parentID == parent }) }
  }
}

/// The first tracks up to a limit, each once.
private struct BoundedTracks {
  /// What makes a track the same on two servers.
  private struct Identity: Hashable {
    let title, artist, album: String

    init(_ track: MediaObject) {
      title = FoldedText.folded(track.title)
      artist = FoldedText.folded(track.artist ?? "")
      album = FoldedText.folded(track.album ?? "")
    }
  }

  let limit: Int
  fileprivate(set) var tracks: [MediaObject] = []
  /// Whether there were more tracks than are kept.
  private(set) var isCut = false
  /// The original objects and their files. Servers list them in several views.
  private var seen: Set<String> = []
  private var counts: [Identity: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Adds a track of the same server.
  mutating func add(_ track: MediaObject) {
    let keys = ["id \(track.refID ?? track.id)"] + track.resources.prefix(1).map { "at \($0.uri)" }
    let isNew = !keys.contains { seen.contains($0) }
    guard isNew else { return }
    guard tracks.count < limit else {
      isCut = true
      return
    }
    seen.formUnion(keys)
    counts[Identity(track), default: 0] += 1
    tracks.append(track)
  }

  /// Whether these are more tracks, or as many whose discs are known.
  func isBetter(than other: BoundedTracks) -> Bool {
    func rank(_ list: BoundedTracks) -> (Int, Int) {
      (list.tracks.count, list.tracks.count { $0.originalDiscNumber != nil })
    }
    return rank(self) > rank(other)
  }

  /// Adds the tracks of another server that are not here yet. An album may have several tracks of one title.
  mutating func merge(_ other: BoundedTracks) {
    var before = counts
    let places = Dictionary(tracks.enumerated().map { (Identity($0.element), $0.offset) }) { first, _ in first }
    for track in other.tracks {
      let identity = Identity(track)
      if let count = before[identity], count > 0 {
        before[identity] = count - 1
        // Gerbera sends no discs.
        if let place = places[identity], tracks[place].originalDiscNumber == nil {
          tracks[place].originalDiscNumber = track.originalDiscNumber
        }
      } else if tracks.count < limit {
        tracks.append(track)
        counts[identity, default: 0] += 1
      } else {
        isCut = true
      }
    }
    isCut = isCut || other.isCut
  }
}
