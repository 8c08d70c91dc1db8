import SQLite

extension LibraryIndex {
  /// Changes name at most this many containers.
  private static let maximumNamedContainers = 100

  /// Makes albums, headings and folders match their tracks.
  /// - Returns: nil if nothing changed.
  func refresh(version: UInt32) throws(DatabaseError) -> LibraryChange? {
    guard
      !changes.albums.isEmpty || !changes.headings.isEmpty || !changes.folders.isEmpty || !changes.playlists.isEmpty
    else { return nil }
    changes.albums.remove(0)
    for id in changes.albums { try refreshAlbum(id, version: version) }
    for id in changes.headings { try refreshHeading(id) }
    try refreshFolders(version: version)
    for id in changes.playlists {
      try database.run("UPDATE playlist SET version = ? WHERE id = ?", .integer(Int64(version)), .integer(id))
    }
    return LibraryChange(systemUpdateID: version, containers: changedContainers(version))
  }

  private func changedContainers(_ version: UInt32) -> [LibraryContainerID: UInt32] {
    var ids: [LibraryContainerID] = [.root]
    if !changes.albums.isEmpty { ids += [.list(.albums), .list(.recent)] }
    if !changes.headings.isEmpty {
      ids += LibraryContainerID.List.allCases.filter(\.hasAlbums).map { .list($0) }
    }
    if !changes.folders.isEmpty { ids += [.list(.folders), .list(.tracks)] }
    if !changes.playlists.isEmpty { ids.append(.list(.playlists)) }
    if changes.albums.count + changes.folders.count + changes.playlists.count <= Self.maximumNamedContainers {
      ids += changes.albums.map { .entry(.albums, $0) } + changes.folders.map { .entry(.folders, $0) }
      ids += changes.playlists.map { .entry(.playlists, $0) }
    }
    return Dictionary(ids.map { ($0, version) }) { $1 }
  }

  // MARK: Albums

  private func refreshAlbum(_ id: Int64, version: UInt32) throws(DatabaseError) {
    var album = AlbumSummary()
    _ = try database.rows(
      """
      SELECT t.id, t.album_title, t.album_sort, t.artist, t.album_artist, t.genre, t.date, t.added, t.picture, f.art
      FROM track t JOIN folder f ON f.id = t.folder WHERE t.album = ? AND t.present
      ORDER BY t.disc, t.number, t.sort
      """, .integer(id)
    ) { album.add($0) }
    guard album.tracks > 0 else {
      let rows = try database.rows("SELECT 1 FROM track WHERE album = ? LIMIT 1", .integer(id)) { _ in true }
      try database.run(
        rows.isEmpty ? "DELETE FROM album WHERE id = ?" : "UPDATE album SET tracks = 0 WHERE id = ?", .integer(id))
      return
    }
    let artist = album.artist
    try database.run(
      "INSERT OR REPLACE INTO album VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(id), .text(album.title), .text(SortText.folded(album.title)),
      .text(SortText.key(album.sort.isEmpty ? album.title : album.sort)), .text(artist),
      .text(SortText.folded(SortText.values(artist))), .text(SortText.key(artist)), .text(album.genre),
      .text(SortText.folded(Array(album.genres.sorted()))), .init(album.date), .init(album.cover),
      .integer(Int64(album.tracks)), .integer(album.added), .integer(Int64(version)))
  }

  // MARK: Headings

  private func refreshHeading(_ id: Int64) throws(DatabaseError) {
    try database.run(
      """
      UPDATE heading SET (albums, loose) = (
        SELECT count(DISTINCT CASE WHEN m.album != 0 THEN m.album END), ifnull(sum(m.album = 0), 0)
        FROM member m JOIN track t ON t.id = m.track WHERE m.heading = heading.id AND t.present
      ) WHERE id = ?
      """, .integer(id))
    try database.run(
      """
      DELETE FROM heading WHERE id = ? AND albums + loose = 0
      AND NOT EXISTS (SELECT 1 FROM member WHERE member.heading = heading.id)
      """, .integer(id))
  }

  // MARK: Folders

  private func refreshFolders(version: UInt32) throws(DatabaseError) {
    var waiting = changes.folders
    while let id = waiting.popFirst() {
      let row = try database.rows(
        """
        SELECT parent, children,
          (SELECT count(*) FROM folder c WHERE c.parent = folder.id AND c.children > 0)
          + (SELECT count(*) FROM track WHERE folder = folder.id AND present)
          + (SELECT count(*) FROM playlist WHERE folder = folder.id AND present)
        FROM folder WHERE id = ?
        """, .integer(id)
      ) { (parent: $0.integer(0), old: $0.integer(1), new: $0.integer(2)) }.first
      guard let row else { continue }
      try database.run(
        "UPDATE folder SET children = ?, version = ? WHERE id = ?", .integer(row.new), .integer(Int64(version)),
        .integer(id))
      if (row.old > 0) != (row.new > 0), row.parent != 0 {
        changes.folders.insert(row.parent)
        waiting.insert(row.parent)
      }
    }
  }
}

/// What the tracks of an album have in common.
private struct AlbumSummary {
  var tracks = 0
  var title = ""
  var sort = ""
  var genres: Set<String> = []
  var date: String?
  var cover: String?
  var added: Int64 = 0
  private var artists: Set<String> = []
  private var albumArtist = ""
  private var embedded: Int64?
  private var genreTexts: Set<String> = []

  /// The album artists of the first track that has some; otherwise the artists of all tracks, or Various Artists.
  var artist: String {
    if !albumArtist.isEmpty { return albumArtist }
    return artists.count > 1 ? AlbumIdentity.variousArtists : artists.first ?? ""
  }

  /// The genre, if all tracks have the same.
  var genre: String { genreTexts.count == 1 ? genreTexts.first ?? "" : "" }

  mutating func add(_ row: Database.Row) {
    tracks += 1
    if tracks == 1 { title = row.text(1) }
    if sort.isEmpty { sort = row.text(2) }
    artists.insert(row.text(3))
    if albumArtist.isEmpty { albumArtist = row.text(4) }
    genreTexts.insert(row.text(5))
    genres.formUnion(SortText.values(row.text(5)))
    if date == nil, !row.isNull(6) { date = row.text(6) }
    added = max(added, row.integer(7))
    // A picture in the first file that has one goes before a file in the folder.
    if embedded == nil, row.integer(8) != 0 {
      embedded = row.integer(0)
      cover = LibraryCoverID.embedded(row.integer(0)).text
    }
    if cover == nil, !row.isNull(9) { cover = LibraryCoverID.folder(row.integer(9)).text }
  }
}
