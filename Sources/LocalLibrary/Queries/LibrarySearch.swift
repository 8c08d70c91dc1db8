import SQLite
import UPnP

extension LibraryReader {
  func search(
    _ criteria: SearchCriteria, in id: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) throws(LibraryError) -> LibraryPage {
    var listings: [Listing] = []
    for kind in Self.kinds(in: id) {
      guard let condition = try SearchSQL(kind: kind).condition(criteria) else { continue }
      guard let scope = Self.scope(of: kind, in: id) else { continue }
      listings.append(Listing(kind: kind, condition: scope & condition, order: Self.order(kind)))
    }
    return try translated { () throws(DatabaseError) in
      guard let container = try container(id) else { return nil }
      return try page(
        listings, sort: sort, range: range.clamped(to: 0..<Int(Int32.max)), updateID: container.updateID)
    }
  }

  /// What can be found in a container. People are found once, as artists, unless the search is in another list of them.
  private static func kinds(in id: LibraryContainerID) -> [Listing.Kind] {
    let tracks = Listing.Kind.tracks(parent: nil)
    let albums = Listing.Kind.albums(in: .list(.albums))
    switch id {
    case .root: return [albums, .headings(.artists), .headings(.genres), .playlists, .folders, tracks]
    case .list(.folders), .entry(.folders, _): return [.folders, .playlists, tracks]
    case .list(.playlists): return [.playlists, tracks]
    case .list(let list) where list.hasAlbums: return [.headings(list), albums, tracks]
    case .list(.tracks), .entry(.albums, _), .entry(.recent, _), .entry(.playlists, _), .album: return [tracks]
    case .list, .entry: return [albums, tracks]
    }
  }

  /// The rows of a kind that are in a container; nil for none.
  private static func scope(of kind: Listing.Kind, in id: LibraryContainerID) -> SQL? {
    switch (kind, id) {
    case (_, .root), (.headings, _), (.playlists, .list), (.folders, .list), (.albums, .list): return .always
    case (.tracks, .list(.playlists)): return SQL(text: "t.id IN (SELECT track FROM playlist_entry)")
    case (.tracks, .list(.albums)), (.tracks, .list(.recent)): return SQL(text: "t.album != 0")
    case (.tracks, .list): return .always
    case (.tracks, .entry(.albums, let album)), (.tracks, .entry(.recent, let album)):
      return SQL(text: "t.album = ?", values: [.integer(album)])
    case (.tracks, .entry(.playlists, let list)):
      return SQL(text: "t.id IN (SELECT track FROM playlist_entry WHERE playlist = ?)", values: [.integer(list)])
    case (.tracks, .entry(.folders, let folder)): return SQL(text: "t.folder IN \(subtree)", values: [.integer(folder)])
    case (.playlists, .entry(.folders, let folder)):
      return SQL(text: "p.folder IN \(subtree)", values: [.integer(folder)])
    case (.folders, .entry(.folders, let folder)):
      return SQL(text: "f.id IN \(subtree) AND f.id != ?", values: [.integer(folder), .integer(folder)])
    case (.tracks, .entry(_, let heading)):
      return SQL(text: "t.id IN (SELECT track FROM member WHERE heading = ?)", values: [.integer(heading)])
    case (.albums, .entry(_, let heading)):
      return SQL(text: "a.id IN (SELECT album FROM member WHERE heading = ?)", values: [.integer(heading)])
    case (.tracks, .album(_, let heading, let album)):
      return SQL(
        text: "t.id IN (SELECT track FROM member WHERE heading = ? AND album = ?)",
        values: [.integer(heading), .integer(album)])
    default: return nil
    }
  }

  /// A folder and all folders in it.
  private static let subtree = """
    (WITH RECURSIVE below (id) AS (SELECT ? UNION SELECT folder.id FROM folder JOIN below ON folder.parent = below.id)
    SELECT id FROM below)
    """

  private static func order(_ kind: Listing.Kind) -> String {
    switch kind {
    case .tracks: "t.sort, t.id"
    case .albums: "a.sort, a.artist_sort, a.id"
    case .headings: "h.sort, h.id"
    case .folders: "f.sort, f.id"
    case .playlists: "p.sort, p.id"
    }
  }
}
