import PlaybackModel
import SQLite

/// The tables of the state folder's database: settings by section, and the tracks of the playlist.
///
///     setting   section, position, name, value      one row for each line of a `StateText`
///     track     id, rank, uri, metadata             in the order of rank
///
/// A commit survives a power cut: the journal is a WAL with `synchronous=FULL`. The connection locks the database
/// exclusively, so that SQLite needs no shared memory file: mapping one on a full disk can end the program with SIGBUS.
final class StateDatabase {
  /// `PRAGMA user_version` of the schema.
  static let version: Int64 = 1

  /// Limits the file to 256 MiB, twice the largest playlist, in pages of 4 KiB.
  static let maximumPages: Int64 = 65_536

  private let database: Database

  /// Opens or creates the database and checks that it is intact.
  init(path: String, maximumPages: Int64 = maximumPages) throws(DatabaseError) {
    database = try Database(path: path)
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA synchronous = FULL")
    // The state is read once and then only written: a large cache would waste memory.
    try database.run("PRAGMA cache_size = -256")
    // In pages of 4 KiB. SQLite's own 1000 pages let the WAL grow to 4 MB.
    try database.run("PRAGMA wal_autocheckpoint = 256")
    try database.run("PRAGMA journal_size_limit = 1048576")
    try database.run("PRAGMA max_page_count = \(maximumPages)")
    let problems = try database.rows("PRAGMA quick_check(1)") { $0.text(0) }
    guard problems == ["ok"] else { throw .damaged(problems.first ?? "no answer to quick_check") }
    if try userVersion() == 0 { try createTables() }
  }

  /// Whether the first bytes of a file are those of an SQLite database with a WAL
  /// (https://www.sqlite.org/fileformat2.html §1.3).
  static func isHeader(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("SQLite format 3\0".utf8)) && bytes.count >= 20 && bytes[18] == 2 && bytes[19] == 2
  }

  /// Whether a later version of this program wrote the database.
  func isOfLaterVersion() throws(DatabaseError) -> Bool { try userVersion() > Self.version }

  private func userVersion() throws(DatabaseError) -> Int64 {
    try database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
  }

  private func createTables() throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        CREATE TABLE setting (
          section TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
          PRIMARY KEY (section, position)
        ) WITHOUT ROWID
        """)
      try database.run(
        """
        CREATE TABLE track (
          id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, uri TEXT NOT NULL, metadata TEXT NOT NULL
        )
        """)
      try database.run("CREATE INDEX track_by_rank ON track (rank)")
      try database.run("PRAGMA user_version = \(Self.version)")
    }
  }

  /// The value of a pragma, for tests: journal_mode and synchronous decide whether commits survive a power cut.
  func pragma(_ name: String) throws(DatabaseError) -> String? {
    try database.rows("PRAGMA \(name)") { $0.text(0) }.first
  }

  // MARK: Reading

  func settings() throws(DatabaseError) -> [String: StateText] {
    let rows = try database.rows("SELECT section, name, value FROM setting ORDER BY section, position") {
      (section: $0.text(0), name: $0.text(1), value: $0.text(2))
    }
    return rows.reduce(into: [:]) { $0[$1.section, default: StateText()].add($1.name, $1.value) }
  }

  /// The tracks with their ids, in the order of the list.
  func tracks() throws(DatabaseError) -> [(id: Int64, track: PlaylistTrack)] {
    try database.rows("SELECT id, uri, metadata FROM track ORDER BY rank, id") {
      ($0.integer(0), PlaylistTrack(uri: $0.text(1), metadata: $0.text(2)))
    }
  }

  // MARK: Writing

  func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try database.transaction(body)
  }

  /// Moves the WAL into the database and truncates it, which gives a full disk some room.
  func checkpoint() throws(DatabaseError) { try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }

  func replace(_ section: String, with text: StateText) throws(DatabaseError) {
    try database.run("DELETE FROM setting WHERE section = ?", .text(section))
    for (position, line) in text.lines.enumerated() {
      try database.run(
        "INSERT INTO setting VALUES (?, ?, ?, ?)", .text(section), .integer(Int64(position)), .text(line.key),
        .text(line.value))
    }
  }

  /// Applies a change to the tracks. Other changes of the playlist are settings.
  func apply(_ change: PlaylistChange) throws(DatabaseError) {
    switch change {
    case .insert(let id, let after, let track): try insert(id, track, after: after)
    case .delete(let id): try database.run("DELETE FROM track WHERE id = ?", .integer(Int64(id)))
    case .deleteAll: try database.run("DELETE FROM track")
    case .move(let ids, let after): try move(ids, after: after)
    case .current, .lastID, .repeats, .shuffles: break
    }
  }

  func replaceTracks(_ contents: PlaylistContents) throws(DatabaseError) {
    try database.run("DELETE FROM track")
    for (index, id) in contents.ids.enumerated() {
      guard let track = contents.tracks[id] else { continue }
      try insert(id, track, rank: Int64(index) * TrackRank.gap)
    }
  }

  private func insert(_ id: UInt32, _ track: PlaylistTrack, after: UInt32) throws(DatabaseError) {
    try insert(id, track, rank: try freeRank(after: after))
  }

  private func move(_ ids: [UInt32], after: UInt32) throws(DatabaseError) {
    var predecessor = after
    for id in ids {
      try database.run(
        "UPDATE track SET rank = ? WHERE id = ?", .integer(try freeRank(after: predecessor)), .integer(Int64(id)))
      predecessor = id
    }
  }

  /// A rank after a track; 0 is the front of the list. Renumbers all tracks if there is none.
  private func freeRank(after id: UInt32) throws(DatabaseError) -> Int64 {
    if let rank = try rank(after: id) { return rank }
    try renumber()
    guard let rank = try rank(after: id) else { throw .damaged("no place for a track after \(id)") }
    return rank
  }

  private func insert(_ id: UInt32, _ track: PlaylistTrack, rank: Int64) throws(DatabaseError) {
    try database.run(
      "INSERT OR REPLACE INTO track VALUES (?, ?, ?, ?)", .integer(Int64(id)), .integer(rank), .text(track.uri),
      .text(track.metadata))
  }

  /// A rank after a track; 0 is the front of the list.
  private func rank(after id: UInt32) throws(DatabaseError) -> Int64? {
    let lower = try database.rows("SELECT rank FROM track WHERE id = ?", .integer(Int64(id))) { $0.integer(0) }.first
    guard let lower else {
      guard id == 0 else { throw .damaged("there is no track \(id)") }
      let first = try database.rows("SELECT rank FROM track ORDER BY rank LIMIT 1") { $0.integer(0) }.first
      return TrackRank.between(nil, first)
    }
    let upper = try database.rows("SELECT rank FROM track WHERE rank > ? ORDER BY rank LIMIT 1", .integer(lower)) {
      $0.integer(0)
    }.first
    return TrackRank.between(lower, upper)
  }

  private func renumber() throws(DatabaseError) {
    let ids = try database.rows("SELECT id FROM track ORDER BY rank, id") { $0.integer(0) }
    for (index, id) in ids.enumerated() {
      try database.run(
        "UPDATE track SET rank = ? WHERE id = ?", .integer(Int64(index) * TrackRank.gap), .integer(id))
    }
  }
}

/// Orders tracks by a number with gaps, so that an insert writes a single row.
enum TrackRank {
  /// Distance between the ranks of appended tracks. Each insert at the same place halves it.
  static let gap: Int64 = 1 << 32

  /// A rank between two neighbours. A neighbour is nil at either end of the list.
  /// - Returns: nil if no number is left; then all tracks need new ranks.
  static func between(_ lower: Int64?, _ upper: Int64?) -> Int64? {
    switch (lower, upper) {
    case (nil, nil): return 0
    case (let lower?, nil): return lower > .max - gap ? nil : lower + gap
    case (nil, let upper?): return upper < .min + gap ? nil : upper - gap
    case (let lower?, let upper?):
      // The difference of two ranks of different signs may not fit an Int64.
      let rank = lower &+ Int64(bitPattern: (UInt64(bitPattern: upper) &- UInt64(bitPattern: lower)) / 2)
      return rank > lower && rank < upper ? rank : nil
    }
  }
}
