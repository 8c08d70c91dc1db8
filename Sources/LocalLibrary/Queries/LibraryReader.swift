import SQLite
import UPnP

/// Answers queries. It belongs to the thread of queries.
struct LibraryReader {
  let database: Database
  let systemUpdateID: UInt32

  // MARK: Lists

  func children(
    of id: LibraryContainerID, sort: [SortKey], range: Range<Int>
  ) throws(LibraryError) -> LibraryPage {
    try translated { () throws(DatabaseError) in
      let container = try container(id)
      guard let container else { return nil }
      let range = range.clamped(to: 0..<Int(Int32.max))
      if id == .root {
        let lists = try lists()
        return LibraryPage(
          entries: lists[range.clamped(to: 0..<lists.count)].map { .container($0) }, total: lists.count,
          updateID: container.updateID)
      }
      if case .entry(.playlists, let playlist) = id {
        return LibraryPage(
          entries: try playlistEntries(playlist, range: range), total: container.childCount,
          updateID: container.updateID)
      }
      return try page(id.listings ?? [], sort: sort, range: range, updateID: container.updateID)
    }
  }

  /// A part of several lists in a row.
  func page(
    _ listings: [Listing], sort: [SortKey], range: Range<Int>, updateID: UInt32
  ) throws(DatabaseError) -> LibraryPage {
    var page = LibraryPage(entries: [], total: 0, updateID: updateID)
    for listing in listings {
      let first = page.total
      let wanted = max(range.lowerBound - first, 0)..<max(range.upperBound - first, 0)
      let part = try listing.part(database, wanted, sort: sort)
      page.total += part.total
      for id in part.ids {
        if let entry = try entry(id, listing.kind) { page.entries.append(entry) }
      }
    }
    return page
  }

  private func lists() throws(DatabaseError) -> [LibraryContainer] {
    var lists: [LibraryContainer] = []
    for list in LibraryContainerID.List.allCases {
      if let container = try container(.list(list)), container.childCount > 0 { lists.append(container) }
    }
    return lists
  }

  private func playlistEntries(_ id: Int64, range: Range<Int>) throws(DatabaseError) -> [LibraryEntry] {
    let rows = try database.rows(
      "SELECT e.track, e.url, e.title, e.position \(Self.playlistEntries) ORDER BY e.position LIMIT ? OFFSET ?",
      .integer(id), .integer(Int64(range.count)), .integer(Int64(range.lowerBound))
    ) { (track: $0.integer(0), url: $0.text(1), title: $0.text(2), position: Int($0.integer(3))) }
    var entries: [LibraryEntry] = []
    for row in rows {
      if row.track == 0 {
        entries.append(.link(row.url, title: row.title, position: row.position, parent: .entry(.playlists, id)))
      } else if let entry = try entry(row.track, .tracks(parent: .entry(.playlists, id))) {
        entries.append(entry)
      }
    }
    return entries
  }

  /// The entries of a playlist that exist.
  private static let playlistEntries = """
    FROM playlist_entry e LEFT JOIN track t ON t.id = e.track AND t.present
    WHERE e.playlist = ? AND (t.id IS NOT NULL OR e.url IS NOT NULL)
    """

  // MARK: Objects

  func entry(_ id: Int64, _ kind: Listing.Kind) throws(DatabaseError) -> LibraryEntry? {
    let container: LibraryContainer?
    switch kind {
    case .tracks(let parent):
      return try database.rows(TrackRow.query, .integer(id)) { TrackRow.track($0) }.first.map { track in
        .track(track, parent: parent ?? .entry(.folders, track.folder))
      }
    case .albums(in: .entry(let list, let heading)):
      container = try self.container(.album(list, heading, album: id))
    case .albums(in: .list(.recent)): container = try self.container(.entry(.recent, id))
    case .albums: container = try self.container(.entry(.albums, id))
    case .headings(let list): container = try self.container(.entry(list, id))
    case .folders: container = try self.container(.entry(.folders, id))
    case .playlists: container = try self.container(.entry(.playlists, id))
    }
    return container.map { .container($0) }
  }

  func track(_ id: Int64) throws(DatabaseError) -> LibraryTrack? {
    try database.rows(TrackRow.query, .integer(id)) { TrackRow.track($0) }.first
  }

  /// - Returns: nil if it does not exist, or only on an absent disk.
  func container(_ id: LibraryContainerID) throws(DatabaseError) -> LibraryContainer? {
    switch id {
    case .root:
      let count = try LibraryContainerID.List.allCases.count { list throws(DatabaseError) in
        try container(.list(list))?.childCount ?? 0 > 0
      }
      return LibraryContainer(
        id: .root, parent: nil, title: "Music", childCount: count, updateID: systemUpdateID)
    case .list(let list):
      var count = 0
      for listing in id.listings ?? [] { count += try listing.count(database) }
      return LibraryContainer(
        id: id, parent: .root, title: list.title, childCount: count, updateID: systemUpdateID)
    case .entry(let list, let key):
      switch list {
      case .albums, .recent: return try album(key, as: id, parent: .list(list))
      case .folders: return try folder(key)
      case .playlists: return try playlist(key)
      case .tracks: return nil
      case .artists, .albumArtists, .composers, .genres, .years:
        return try database.rows(
          "SELECT name, albums + loose FROM heading WHERE id = ? AND list = ? AND albums + loose > 0",
          .integer(key), .text(list.rawValue)
        ) { row in
          LibraryContainer(
            id: id, parent: .list(list), title: row.text(0), childCount: Int(row.integer(1)), updateID: systemUpdateID)
        }.first
      }
    case .album(let list, let heading, let album):
      let count =
        try database.rows(
          """
          SELECT count(*) FROM member m JOIN track t ON t.id = m.track
          WHERE m.heading = ? AND m.album = ? AND t.present
          """, .integer(heading), .integer(album)
        ) { Int($0.integer(0)) }.first ?? 0
      guard count > 0 else { return nil }
      var container = try self.album(album, as: id, parent: .entry(list, heading))
      container?.childCount = count
      return container
    }
  }

  private func album(
    _ key: Int64, as id: LibraryContainerID, parent: LibraryContainerID
  ) throws(DatabaseError) -> LibraryContainer? {
    try database.rows(
      "SELECT title, tracks, version, artist, date, genre, cover FROM album WHERE id = ? AND tracks > 0", .integer(key)
    ) { row in
      var album = LibraryContainer(
        id: id, parent: parent, title: row.text(0), childCount: Int(row.integer(1)),
        updateID: UInt32(truncatingIfNeeded: row.integer(2)))
      album.artist = SortText.display(row.text(3))
      album.date = row.isNull(4) ? nil : row.text(4)
      album.genre = SortText.display(row.text(5))
      album.cover = LibraryCoverID(row.text(6))
      return album
    }.first
  }

  private func folder(_ key: Int64) throws(DatabaseError) -> LibraryContainer? {
    try database.rows(
      "SELECT name, children, version, parent, art FROM folder WHERE id = ? AND children > 0", .integer(key)
    ) { row in
      var folder = LibraryContainer(
        id: .entry(.folders, key), parent: row.integer(3) == 0 ? .list(.folders) : .entry(.folders, row.integer(3)),
        title: row.text(0), childCount: Int(row.integer(1)), updateID: UInt32(truncatingIfNeeded: row.integer(2)))
      folder.cover = row.isNull(4) ? nil : .folder(row.integer(4))
      return folder
    }.first
  }

  private func playlist(_ key: Int64) throws(DatabaseError) -> LibraryContainer? {
    let count = try database.rows("SELECT count(*) \(Self.playlistEntries)", .integer(key)) { Int($0.integer(0)) }
    return try database.rows("SELECT title, version FROM playlist WHERE id = ? AND present", .integer(key)) { row in
      LibraryContainer(
        id: .entry(.playlists, key), parent: .list(.playlists), title: row.text(0), childCount: count.first ?? 0,
        updateID: UInt32(truncatingIfNeeded: row.integer(1)))
    }.first
  }

  /// Runs a query, with its failures as those of the library.
  func translated<T>(_ body: () throws(DatabaseError) -> T?) throws(LibraryError) -> T {
    let result: T?
    do throws(DatabaseError) {
      result = try body()
    } catch {
      throw .failed("\(error)")
    }
    guard let result else { throw .missing }
    return result
  }
}

/// A track's columns.
enum TrackRow {
  static let query = """
    SELECT t.id, t.folder, t.album, t.name, t.title, t.artist, t.album_artist, t.composer, t.genre, t.album_title, t.date,
      t.number, t.disc, t.duration, t.size, t.modified, t.added, t.type, t.bit_rate, t.sample_rate, t.channels, t.bits,
      t.picture, f.art
    FROM track t JOIN folder f ON f.id = t.folder WHERE t.id = ? AND t.present
    """

  static func track(_ row: Database.Row) -> LibraryTrack {
    var track = LibraryTrack(
      id: row.integer(0), folder: row.integer(1), fileName: row.text(3), title: row.text(4), size: row.integer(14),
      modified: row.integer(15) / 1_000_000_000, added: row.integer(16), mimeType: row.text(17))
    track.album = row.integer(2) == 0 ? nil : row.integer(2)
    track.artists = SortText.values(row.text(5))
    track.albumArtists = SortText.values(row.text(6))
    track.composers = SortText.values(row.text(7))
    track.genres = SortText.values(row.text(8))
    track.albumTitle = row.isNull(9) ? nil : row.text(9)
    track.date = row.isNull(10) ? nil : row.text(10)
    track.number = row.number(11)
    track.disc = row.number(12)
    track.duration = row.number(13).map { .milliseconds($0) }
    track.bitRate = row.number(18)
    track.sampleRate = row.number(19)
    track.channels = row.number(20)
    track.bitsPerSample = row.number(21)
    if row.integer(22) != 0 {
      track.cover = .embedded(track.id)
    } else if !row.isNull(23) {
      track.cover = .folder(row.integer(23))
    }
    return track
  }
}
