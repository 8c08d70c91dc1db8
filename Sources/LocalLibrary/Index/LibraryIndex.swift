import MediaFiles
import SQLite

/// The side of the index that writes. It belongs to the thread of the scanner.
///
/// Changes collect in a transaction. `commit` makes the lists match the changed tracks and publishes all at once.
final class LibraryIndex {
  /// What the index knows of a file.
  struct KnownFile {
    var id: Int64
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var volume: Int64
    var isPresent: Bool
  }

  struct Folder {
    var id: Int64
    /// 0 for the folders of the configuration.
    var parent: Int64
    var volume: Int64
    /// Absolute.
    var path: String
    /// The name of the picture in the folder.
    var cover: String?
    /// The folder with the cover of the tracks.
    var art: Int64?
  }

  let database: Database
  var changes = LibraryChanges()
  private var isInTransaction = false
  /// Changes since the last commit.
  private(set) var pending = 0
  /// Tracks, with those on absent disks.
  private(set) var trackCount: Int
  private(set) var systemUpdateID: UInt32

  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    trackCount = try database.rows("SELECT count(*) FROM track") { Int($0.integer(0)) }.first ?? 0
    let stored = try database.rows("SELECT value FROM setting WHERE name = 'update'") { $0.integer(0) }.first ?? 0
    systemUpdateID = UInt32(truncatingIfNeeded: stored)
  }

  /// Begins the transaction of a change.
  func change() throws(DatabaseError) {
    pending += 1
    guard !isInTransaction else { return }
    try database.run("BEGIN IMMEDIATE")
    isInTransaction = true
  }

  /// Publishes the changes.
  /// - Returns: nil if nothing changed.
  func commit() throws(DatabaseError) -> LibraryChange? {
    guard isInTransaction else { return nil }
    do throws(DatabaseError) {
      let next = systemUpdateID &+ 1
      let change = try refresh(version: next)
      if change != nil {
        try database.run("INSERT OR REPLACE INTO setting VALUES ('update', ?)", .integer(Int64(next)))
      }
      try database.run("COMMIT")
      if change != nil { systemUpdateID = next }
      (isInTransaction, pending, changes) = (false, 0, LibraryChanges())
      return change
    } catch {
      rollBack()
      throw error
    }
  }

  /// Discards the changes since the last commit, after an error.
  func rollBack() {
    try? database.run("ROLLBACK")
    (isInTransaction, pending, changes) = (false, 0, LibraryChanges())
    trackCount = (try? database.rows("SELECT count(*) FROM track") { Int($0.integer(0)) }.first ?? 0) ?? 0
  }

  // MARK: Folders

  /// The folders directly in a folder.
  func subfolders(of id: Int64) throws(DatabaseError) -> [(id: Int64, path: String, volume: Int64)] {
    try database.rows("SELECT id, path, volume FROM folder WHERE parent = ?", .integer(id)) {
      ($0.integer(0), $0.text(1), $0.integer(2))
    }
  }

  func folder(_ id: Int64) throws(DatabaseError) -> Folder? {
    try database.rows("SELECT parent, volume, path, cover, art FROM folder WHERE id = ?", .integer(id)) { row in
      Folder(
        id: id, parent: row.integer(0), volume: row.integer(1), path: row.text(2),
        cover: row.isNull(3) ? nil : row.text(3), art: row.isNull(4) ? nil : row.integer(4))
    }.first
  }

  func put(_ folder: Folder) throws(DatabaseError) {
    let old = try self.folder(folder.id)
    if let old, old.parent == folder.parent, old.volume == folder.volume, old.cover == folder.cover,
      old.art == folder.art
    {
      return
    }
    try change()
    let name = FileType.name(folder.path)
    try database.run(
      """
      INSERT INTO folder (id, parent, volume, name, path, folded, sort, cover, art) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        parent = excluded.parent, volume = excluded.volume, cover = excluded.cover, art = excluded.art
      """,
      .integer(folder.id), .integer(folder.parent), .integer(folder.volume), .text(name), .text(folder.path),
      .text(SortText.folded(name)), .text(SortText.key(name)), .init(folder.cover), .init(folder.art.map { Int($0) }))
    changes.folders.insert(folder.id)
    if let old, old.cover != folder.cover || old.art != folder.art {
      changes.albums.formUnion(
        try database.rows("SELECT DISTINCT album FROM track WHERE folder = ?", .integer(folder.id)) { $0.integer(0) })
    }
  }

  // MARK: Files

  func tracks(in folder: Int64) throws(DatabaseError) -> [String: KnownFile] { try files(in: folder, "track") }

  func playlists(in folder: Int64) throws(DatabaseError) -> [String: KnownFile] { try files(in: folder, "playlist") }

  private func files(in folder: Int64, _ table: String) throws(DatabaseError) -> [String: KnownFile] {
    let files = try database.rows(
      "SELECT name, id, size, modified, volume, present FROM \(table) WHERE folder = ?", .integer(folder)
    ) {
      (
        $0.text(0),
        KnownFile(
          id: $0.integer(1), size: $0.integer(2), modified: $0.integer(3), volume: $0.integer(4),
          isPresent: $0.integer(5) != 0)
      )
    }
    return Dictionary(files) { $1 }
  }

  func put(_ track: ScannedTrack) throws(DatabaseError) {
    try change()
    let old = try database.rows("SELECT added FROM track WHERE id = ?", .integer(track.id)) { $0.integer(0) }.first
    if old != nil { try unlink(.id(track.id)) } else { trackCount += 1 }
    try database.run(ScannedTrack.insertion, values: track.values(added: old))
    try database.run(
      "INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?, ?, ?, ?)", values: [.integer(track.id)] + track.words)
    try database.run(
      "INSERT INTO search (rowid, title, artist, album, album_artist, composer, genre) VALUES (?, ?, ?, ?, ?, ?, ?)",
      values: [.integer(track.id)] + track.words)
    for heading in track.headings {
      try database.run(
        "INSERT INTO heading (id, list, name, folded, sort) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        .integer(heading.id), .text(heading.list.rawValue), .text(heading.name), .text(heading.folded),
        .text(heading.sort))
      try database.run(
        "INSERT OR IGNORE INTO member VALUES (?, ?, ?)", .integer(heading.id), .integer(track.album?.id ?? 0),
        .integer(track.id))
      changes.headings.insert(heading.id)
    }
    if let album = track.album { changes.albums.insert(album.id) }
    changes.folders.insert(track.folder)
  }

  /// Shows or hides tracks.
  func setPresent(_ isPresent: Bool, _ tracks: TrackCondition) throws(DatabaseError) {
    try change()
    try note(tracks)
    try database.run("UPDATE track SET present = \(isPresent ? 1 : 0) WHERE \(tracks.sql)", values: tracks.values)
  }

  func remove(_ tracks: TrackCondition) throws(DatabaseError) {
    try change()
    let count = try database.rows("SELECT count(*) FROM track WHERE \(tracks.sql)", values: tracks.values) {
      Int($0.integer(0))
    }
    guard let count = count.first, count > 0 else { return }
    try unlink(tracks)
    let ids = "(SELECT id FROM track WHERE \(tracks.sql))"
    try database.run("DELETE FROM words WHERE id IN \(ids)", values: tracks.values)
    try database.run("DELETE FROM track WHERE \(tracks.sql)", values: tracks.values)
    trackCount -= count
  }

  /// Removes tracks from headings and the full-text index.
  private func unlink(_ tracks: TrackCondition) throws(DatabaseError) {
    try note(tracks)
    let ids = "(SELECT id FROM track WHERE \(tracks.sql))"
    try database.run(
      """
      INSERT INTO search (search, rowid, title, artist, album, album_artist, composer, genre)
      SELECT 'delete', id, title, artist, album, album_artist, composer, genre FROM words WHERE id IN \(ids)
      """, values: tracks.values)
    try database.run("DELETE FROM member WHERE track IN \(ids)", values: tracks.values)
  }

  /// Notes which lists depend on tracks.
  private func note(_ tracks: TrackCondition) throws(DatabaseError) {
    let rows = try database.rows(
      "SELECT DISTINCT album, folder FROM track WHERE \(tracks.sql)", values: tracks.values
    ) { ($0.integer(0), $0.integer(1)) }
    for (album, folder) in rows {
      changes.albums.insert(album)
      changes.folders.insert(folder)
    }
    changes.headings.formUnion(
      try database.rows(
        "SELECT DISTINCT heading FROM member WHERE track IN (SELECT id FROM track WHERE \(tracks.sql))",
        values: tracks.values
      ) { $0.integer(0) })
  }
}

/// What must be made to match the tracks at the next commit.
struct LibraryChanges {
  var albums: Set<Int64> = []
  var headings: Set<Int64> = []
  var folders: Set<Int64> = []
  var playlists: Set<Int64> = []
}

/// Which tracks to change.
struct TrackCondition {
  var sql: String
  var values: [Database.Value]

  static func id(_ id: Int64) -> TrackCondition { TrackCondition(sql: "id = ?", values: [.integer(id)]) }

  /// The tracks in a folder and all folders in it.
  static func below(_ path: String) -> TrackCondition {
    TrackCondition(
      sql: "folder IN (SELECT id FROM folder WHERE \(SubtreeSQL.condition))", values: SubtreeSQL.values(path))
  }

  /// On this disk.
  func on(_ volume: Int64) -> TrackCondition {
    TrackCondition(sql: sql + " AND volume = ?", values: values + [.integer(volume)])
  }

  /// On other disks.
  func notOn(_ volume: Int64) -> TrackCondition {
    TrackCondition(sql: sql + " AND volume != ?", values: values + [.integer(volume)])
  }
}

/// A folder and all folders in it, by the index of paths.
enum SubtreeSQL {
  static let condition = "(path = ? OR (path > ? AND path < ?))"

  static func values(_ path: String) -> [Database.Value] {
    // "0" follows "/".
    [.text(path), .text(path + "/"), .text(path + "0")]
  }
}
