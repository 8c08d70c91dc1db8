/// A container of the library. Its text form is stable over restarts and new indexes, since ids are hashes of paths and names.
///
///     0                          the root
///     albums, artists, …         a list
///     albums/ID                  an album
///     artists/ID                 a person's albums, and tracks without an album
///     artists/ID/ALBUM           the person's tracks on an album
///     folders/ID                 a folder
///
/// Genres, years, composers and album artists are like artists.
package enum LibraryContainerID: Sendable, Hashable {
  /// The lists in the root.
  package enum List: String, Sendable, CaseIterable {
    case albums, artists, albumArtists, composers, genres, years, recent, tracks, playlists, folders
  }

  case root
  case list(List)
  /// An entry of a list: an album, a person, a folder…
  case entry(List, Int64)
  /// The tracks of an album that belong to a person, genre or year; an album within the recent ones.
  case album(List, Int64, album: Int64)

  /// Parses the text form.
  /// - Returns: nil if it is not one. The container may still not exist.
  package init?(_ text: String) {
    if text == "0" {
      self = .root
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let list = parts.first.flatMap({ List(rawValue: String($0)) }) else { return nil }
    let ids = parts.dropFirst().map { LibraryID.parse($0) }
    switch (ids.count, ids.first ?? nil, ids.last ?? nil) {
    case (0, _, _): self = .list(list)
    case (1, let id?, _) where list != .tracks: self = .entry(list, id)
    case (2, let id?, let album?) where list.hasAlbums: self = .album(list, id, album: album)
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .root: "0"
    case .list(let list): list.rawValue
    case .entry(let list, let id): "\(list.rawValue)/\(LibraryID.text(id))"
    case .album(let list, let id, let album): "\(list.rawValue)/\(LibraryID.text(id))/\(LibraryID.text(album))"
    }
  }
}

extension LibraryContainerID.List {
  /// Whether entries of the list contain albums.
  package var hasAlbums: Bool {
    switch self {
    case .artists, .albumArtists, .composers, .genres, .years: true
    case .albums, .recent, .tracks, .playlists, .folders: false
    }
  }
}
