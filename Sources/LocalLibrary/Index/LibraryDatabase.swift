import Glibc
import SQLite

/// The index's database: a copy of what is in the files, which can be made again at any time.
///
/// Ids are `LibraryID`s. A row with `present = 0` belongs to a file on an absent disk. Texts with several values have
/// `SortText.separator` between them. `folded` columns are for searching, `sort` columns for sorting.
enum LibraryDatabase {
  /// `PRAGMA user_version` of the schema. A database with another one is made again.
  private static let version: Int64 = 1
  /// 2 GiB in pages of 4 KiB; 500,000 tracks need about 800 MB.
  private static let maximumPages = 524_288

  /// Opens the database for the thread that writes. One that is damaged, or of another version, is replaced.
  static func openWriter(path: String) throws(DatabaseError) -> Database {
    do throws(DatabaseError) {
      return try open(path)
    } catch {
      guard error.isCorruption else { throw error }
      remove(path)
      return try open(path)
    }
  }

  private static func open(_ path: String) throws(DatabaseError) -> Database {
    var database = try Database(path: path)
    let found = try database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
    if found != version, found != 0 {
      remove(path)
      database = try Database(path: path)
    }
    try database.run("PRAGMA journal_mode = WAL")
    // A power cut may lose the last commits, which the next scan makes again.
    try database.run("PRAGMA synchronous = NORMAL")
    try database.run("PRAGMA cache_size = -4096")
    try database.run("PRAGMA journal_size_limit = 1048576")
    try database.run("PRAGMA max_page_count = \(maximumPages)")
    if found != version {
      try database.transaction { () throws(DatabaseError) in
        for statement in schema { try database.run(statement) }
        try database.run("PRAGMA user_version = \(version)")
      }
    }
    return database
  }

  /// Opens the database for the thread that reads.
  static func openReader(path: String) throws(DatabaseError) -> Database {
    let database = try Database(path: path, isReadOnly: true)
    try database.run("PRAGMA cache_size = -4096")
    return database
  }

  static func remove(_ path: String) {
    for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
  }

  private static let schema = [
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    // `art` is the folder with the cover of this folder's tracks: itself or the one above. `children` counts what a list shows.
    """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, volume INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL,
      folded TEXT NOT NULL, sort TEXT NOT NULL, cover TEXT, art INTEGER, children INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE UNIQUE INDEX folder_by_path ON folder (path)",
    "CREATE INDEX folder_by_parent ON folder (parent, sort)",
    """
    CREATE TABLE track (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, volume INTEGER NOT NULL, present INTEGER NOT NULL,
      name TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, added INTEGER NOT NULL, type TEXT NOT NULL,
      title TEXT NOT NULL, sort TEXT NOT NULL, name_sort TEXT NOT NULL, artist TEXT NOT NULL, album_artist TEXT NOT NULL,
      composer TEXT NOT NULL, genre TEXT NOT NULL, album INTEGER NOT NULL, album_title TEXT, album_sort TEXT, date TEXT,
      number INTEGER, disc INTEGER, duration INTEGER, bit_rate INTEGER, sample_rate INTEGER, channels INTEGER, bits INTEGER,
      picture INTEGER NOT NULL
    )
    """,
    "CREATE INDEX track_by_folder ON track (folder)",
    "CREATE INDEX track_by_album ON track (album, disc, number)",
    "CREATE INDEX track_by_title ON track (sort, id) WHERE present",
    // The folded texts of a track, and the full-text index of them, which finds parts of words.
    """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT NOT NULL, album_artist TEXT NOT NULL,
      composer TEXT NOT NULL, genre TEXT NOT NULL
    )
    """,
    """
    CREATE VIRTUAL TABLE search USING fts5 (
      title, artist, album, album_artist, composer, genre, content = 'words', content_rowid = 'id',
      tokenize = 'trigram case_sensitive 1'
    )
    """,
    """
    CREATE TABLE album (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, folded TEXT NOT NULL, sort TEXT NOT NULL, artist TEXT NOT NULL,
      artist_folded TEXT NOT NULL, artist_sort TEXT NOT NULL, genre TEXT NOT NULL, genre_folded TEXT NOT NULL, date TEXT,
      cover TEXT, tracks INTEGER NOT NULL, added INTEGER NOT NULL, version INTEGER NOT NULL
    )
    """,
    "CREATE INDEX album_by_title ON album (sort, artist_sort, id) WHERE tracks > 0",
    "CREATE INDEX album_by_age ON album (added, id) WHERE tracks > 0",
    // Artists, album artists, composers, genres and years. `list` is a raw value of LibraryContainerID.List.
    """
    CREATE TABLE heading (
      id INTEGER PRIMARY KEY, list TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, sort TEXT NOT NULL,
      albums INTEGER NOT NULL DEFAULT 0, loose INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX heading_by_name ON heading (list, sort, id) WHERE albums + loose > 0",
    // The tracks of a heading. `album` is 0 for a track without an album.
    """
    CREATE TABLE member (
      heading INTEGER NOT NULL, album INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (heading, album, track)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX member_by_track ON member (track)",
    """
    CREATE TABLE playlist (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, volume INTEGER NOT NULL, present INTEGER NOT NULL,
      name TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, title TEXT NOT NULL, folded TEXT NOT NULL,
      sort TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX playlist_by_folder ON playlist (folder)",
    // A track, or a URL and its title. The track may not exist.
    """
    CREATE TABLE playlist_entry (
      playlist INTEGER NOT NULL, position INTEGER NOT NULL, track INTEGER, url TEXT, title TEXT,
      PRIMARY KEY (playlist, position)
    ) WITHOUT ROWID
    """,
  ]
}
