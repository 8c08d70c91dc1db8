import SQLite

extension LibraryContainerID {
  /// The number of recently added albums.
  private static let recentAlbums = 100

  /// The children, in their order; nil for the root and playlists, whose children are not rows of one kind.
  var listings: [Listing]? {
    switch self {
    case .root, .entry(.playlists, _), .entry(.tracks, _), .album(.albums, _, _), .album(.recent, _, _),
      .album(.tracks, _, _), .album(.playlists, _, _), .album(.folders, _, _):
      return nil
    case .list(let list): return [Self.listing(list)]
    case .entry(.albums, let album), .entry(.recent, let album):
      return [tracks(SQL(text: "t.album = ?", values: [.integer(album)]), order: Self.albumOrder)]
    case .entry(.folders, let folder):
      let values = [Database.Value.integer(folder)]
      return [
        Listing(kind: .folders, condition: SQL(text: "f.parent = ?", values: values), order: "f.sort, f.id"),
        Listing(kind: .playlists, condition: SQL(text: "p.folder = ?", values: values), order: "p.sort, p.id"),
        tracks(SQL(text: "t.folder = ?", values: values), order: "t.name_sort, t.id"),
      ]
    case .entry(let list, let heading):
      let values = [Database.Value.integer(heading)]
      return [
        Listing(
          kind: .albums(in: self),
          condition: SQL(text: "a.id IN (SELECT album FROM member WHERE heading = ?)", values: values),
          // The albums of people by age.
          order: list == .genres || list == .years ? "a.sort, a.artist_sort, a.id" : "a.date, a.sort, a.id"),
        tracks(
          SQL(text: "t.id IN (SELECT track FROM member WHERE heading = ? AND album = 0)", values: values),
          order: "t.sort, t.id"),
      ]
    case .album(_, let heading, let album):
      return [
        tracks(
          SQL(
            text: "t.id IN (SELECT track FROM member WHERE heading = ? AND album = ?)",
            values: [.integer(heading), .integer(album)]),
          order: Self.albumOrder)
      ]
    }
  }

  private func tracks(_ condition: SQL, order: String) -> Listing {
    Listing(kind: .tracks(parent: self), condition: condition, order: order)
  }

  private static let albumOrder = "t.disc, t.number, t.name_sort, t.id"

  private static func listing(_ list: List) -> Listing {
    switch list {
    case .albums:
      Listing(kind: .albums(in: .list(list)), condition: .always, order: "a.sort, a.artist_sort, a.id")
    case .recent:
      Listing(
        kind: .albums(in: .list(list)), condition: .always, order: "a.added DESC, a.id DESC", maximum: recentAlbums)
    case .tracks: Listing(kind: .tracks(parent: .list(list)), condition: .always, order: "t.sort, t.id")
    case .playlists: Listing(kind: .playlists, condition: .always, order: "p.sort, p.id")
    case .folders: Listing(kind: .folders, condition: SQL(text: "f.parent = 0"), order: "f.sort, f.id")
    case .artists, .albumArtists, .composers, .genres, .years:
      Listing(kind: .headings(list), condition: .always, order: "h.sort, h.id")
    }
  }
}

extension LibraryContainerID.List {
  /// The title in the root.
  var title: String {
    switch self {
    case .albums: "Albums"
    case .artists: "Artists"
    case .albumArtists: "Album artists"
    case .composers: "Composers"
    case .genres: "Genres"
    case .years: "Years"
    case .recent: "Recently added"
    case .tracks: "All tracks"
    case .playlists: "Playlists"
    case .folders: "Folders"
    }
  }
}
