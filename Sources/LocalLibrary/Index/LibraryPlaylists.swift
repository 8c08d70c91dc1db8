import SQLite

/// A playlist file with its entries.
struct ScannedPlaylist {
  enum Entry {
    /// The path of an audio file. It may be outside the library or not exist.
    case file(String)
    case link(String, title: String)
  }

  var folder: Int64
  var path: String
  var volume: Int64
  var name: String
  var size: Int64
  var modified: Int64
  var title: String
  var entries: [Entry]

  var id: Int64 { LibraryID.hash("playlist", "\(path)/\(name)") }
}

extension LibraryIndex {
  func put(_ playlist: ScannedPlaylist) throws(DatabaseError) {
    try change()
    try removePlaylist(playlist.id)
    try database.run(
      "INSERT INTO playlist VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 0)",
      .integer(playlist.id), .integer(playlist.folder), .integer(playlist.volume), .text(playlist.name),
      .integer(playlist.size), .integer(playlist.modified), .text(playlist.title),
      .text(SortText.folded(playlist.title)), .text(SortText.key(playlist.title)))
    for (position, entry) in playlist.entries.enumerated() {
      let row: [Database.Value] =
        switch entry {
        case .file(let path): [.integer(LibraryID.hash("file", path)), .null, .null]
        case .link(let url, let title): [.null, .text(url), .text(title)]
        }
      try database.run(
        "INSERT INTO playlist_entry VALUES (?, ?, ?, ?, ?)",
        values: [.integer(playlist.id), .integer(Int64(position))] + row)
    }
    changes.playlists.insert(playlist.id)
    changes.folders.insert(playlist.folder)
  }

  func setPresent(_ isPresent: Bool, playlist id: Int64, in folder: Int64) throws(DatabaseError) {
    try change()
    try database.run("UPDATE playlist SET present = \(isPresent ? 1 : 0) WHERE id = ?", .integer(id))
    changes.playlists.insert(id)
    changes.folders.insert(folder)
  }

  func remove(playlist id: Int64, in folder: Int64) throws(DatabaseError) {
    try change()
    try removePlaylist(id)
    changes.playlists.insert(id)
    changes.folders.insert(folder)
  }

  private func removePlaylist(_ id: Int64) throws(DatabaseError) {
    try database.run("DELETE FROM playlist_entry WHERE playlist = ?", .integer(id))
    try database.run("DELETE FROM playlist WHERE id = ?", .integer(id))
  }

  /// The number of entries in all playlists.
  func playlistEntryCount() throws(DatabaseError) -> Int {
    try database.rows("SELECT count(*) FROM playlist_entry") { Int($0.integer(0)) }.first ?? 0
  }

  // MARK: Vanished folders

  /// Removes what was in a vanished folder, except for files on disks that are absent: they are only hidden.
  /// - Parameter volume: the disk on which the folder has vanished; nil if no disk is known, so that all is hidden.
  func vanish(_ path: String, volume: Int64?) throws(DatabaseError) {
    try change()
    let below = TrackCondition.below(path)
    if let volume { try remove(below.on(volume)) }
    try setPresent(false, below.present())
    let lists = try database.rows(
      "SELECT id, folder, volume FROM playlist WHERE \(below.sql)", values: below.values
    ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
    for (id, folder, itsVolume) in lists {
      if itsVolume == volume {
        try remove(playlist: id, in: folder)
      } else {
        try setPresent(false, playlist: id, in: folder)
      }
    }
    guard let volume else { return }
    try removeEmptyFolders(path, volume: volume)
  }

  /// Removes all of a folder that does not belong to the library any more.
  func forget(_ path: String) throws(DatabaseError) {
    let volumes = try database.rows(
      "SELECT DISTINCT volume FROM track WHERE \(TrackCondition.below(path).sql)", values: SubtreeSQL.values(path)
    ) { $0.integer(0) }
    for volume in volumes { try vanish(path, volume: volume) }
    try change()
    for (id, folder) in try database.rows(
      "SELECT id, folder FROM playlist WHERE \(TrackCondition.below(path).sql)", values: SubtreeSQL.values(path),
      convert: { ($0.integer(0), $0.integer(1)) })
    { try remove(playlist: id, in: folder) }
    try database.run("DELETE FROM folder WHERE \(SubtreeSQL.condition)", values: SubtreeSQL.values(path))
  }

  private func removeEmptyFolders(_ path: String, volume: Int64) throws(DatabaseError) {
    let parents = try database.rows(
      "SELECT parent FROM folder WHERE path = ? AND volume = ?", .text(path), .integer(volume)
    ) { $0.integer(0) }
    changes.folders.formUnion(parents)
    try database.run(
      """
      DELETE FROM folder WHERE \(SubtreeSQL.condition) AND volume = ?
      AND NOT EXISTS (SELECT 1 FROM track WHERE track.folder = folder.id)
      AND NOT EXISTS (SELECT 1 FROM playlist WHERE playlist.folder = folder.id)
      """, values: SubtreeSQL.values(path) + [.integer(volume)])
  }
}

extension TrackCondition {
  func present() -> TrackCondition { TrackCondition(sql: sql + " AND present", values: values) }
}
