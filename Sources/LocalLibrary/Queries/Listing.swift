import SQLite
import UPnP

/// Rows of one kind in an order: a part of a container's children or of a search's results.
struct Listing {
  enum Kind: Hashable {
    /// - parent: nil for the folder of each track.
    case tracks(parent: LibraryContainerID?)
    /// Albums in a list, such as `.list(.albums)`, or of an entry, such as an artist.
    case albums(in: LibraryContainerID)
    case headings(LibraryContainerID.List)
    case folders
    case playlists
  }

  var kind: Kind
  var condition: SQL
  /// SQL of the order without sort keys.
  var order: String
  /// The most rows.
  var maximum: Int?

  /// The table with its alias, which conditions use.
  static func table(_ kind: Kind) -> String {
    switch kind {
    case .tracks: "track t"
    case .albums: "album a"
    case .headings: "heading h"
    case .folders: "folder f"
    case .playlists: "playlist p"
    }
  }

  private var alias: String { String(Self.table(kind).suffix(1)) }

  /// What exists now: not on an absent disk, and not empty.
  private var existence: String {
    switch kind {
    case .tracks: "t.present"
    case .albums: "a.tracks > 0"
    case .headings(let list): "h.list = '\(list.rawValue)' AND h.albums + h.loose > 0"
    case .folders: "f.children > 0"
    case .playlists: "p.present"
    }
  }

  func count(_ database: Database) throws(DatabaseError) -> Int {
    let sql = "SELECT count(*) FROM \(tables(condition.text)) WHERE \(existence) AND (\(condition.text))"
    let count = try database.rows(sql, values: condition.values) { Int($0.integer(0)) }.first ?? 0
    return min(count, maximum ?? .max)
  }

  /// The ids in a part of the list, and the number of rows in all of it.
  func part(
    _ database: Database, _ range: Range<Int>, sort: [SortKey]
  ) throws(DatabaseError) -> (ids: [Int64], total: Int) {
    // Other conditions follow an index in the order of the list, and stop early.
    guard condition.usesFullText, maximum == nil, !range.isEmpty else {
      let total = try count(database)
      let range = range.clamped(to: 0..<total)
      return (range.isEmpty ? [] : try rows(database, "0", range, sort: sort).map(\.id), total)
    }
    let rows = try rows(database, "count(*) OVER ()", range, sort: sort)
    guard let total = rows.first?.total else { return ([], try count(database)) }
    return (rows.map(\.id), total)
  }

  private func rows(
    _ database: Database, _ total: String, _ range: Range<Int>, sort: [SortKey]
  ) throws(DatabaseError) -> [(id: Int64, total: Int)] {
    let order = (sort.compactMap(order(by:)) + [self.order]).joined(separator: ", ")
    let sql = """
      SELECT \(alias).id, \(total) FROM \(tables(condition.text + order)) WHERE \(existence) AND (\(condition.text))
      ORDER BY \(order) LIMIT ? OFFSET ?
      """
    return try database.rows(
      sql, values: condition.values + [.integer(Int64(range.count)), .integer(Int64(range.lowerBound))]
    ) { ($0.integer(0), Int($0.integer(1))) }
  }

  /// With the folded texts of tracks, if the SQL uses them.
  private func tables(_ sql: String) -> String {
    let table = Self.table(kind)
    return table == "track t" && sql.contains("w.") ? "track t JOIN words w ON w.id = t.id" : table
  }

  private func order(by key: SortKey) -> String? {
    guard let property = LibraryProperty(rawValue: key.property) else { return nil }
    let column: String? =
      switch (kind, property) {
      case (.tracks, .title): "t.sort"
      case (.tracks, .creator), (.tracks, .artist): "w.artist"
      case (.tracks, .albumArtist): "w.album_artist"
      case (.tracks, .author): "w.composer"
      case (.tracks, .album): "w.album"
      case (.tracks, .genre): "w.genre"
      case (.tracks, .date): "t.date"
      case (.tracks, .trackNumber): "t.number"
      case (.tracks, .discNumber): "t.disc"
      case (.tracks, .duration): "t.duration"
      case (.tracks, .size): "t.size"
      case (.tracks, .bitRate): "t.bit_rate"
      case (.albums, .title), (.albums, .album): "a.sort"
      case (.albums, .creator), (.albums, .artist), (.albums, .albumArtist): "a.artist_sort"
      case (.albums, .genre): "a.genre_folded"
      case (.albums, .date): "a.date"
      case (.headings, .title), (.folders, .title), (.playlists, .title): "\(alias).sort"
      default: nil
      }
    return column.map { $0 + (key.isDescending ? " DESC" : "") }
  }
}

/// A condition and the values of its parameters.
struct SQL: Equatable {
  var text: String
  var values: [Database.Value] = []

  static let always = SQL(text: "1")

  var usesFullText: Bool { text.contains(" MATCH ") }

  static func & (a: SQL, b: SQL) -> SQL {
    if a == .always { return b }
    return b == .always ? a : SQL(text: "(\(a.text)) AND (\(b.text))", values: a.values + b.values)
  }
}
