import Logging
import PlaybackModel
import SQLite

/// Reads the state at the start and writes its changes, on one thread at a time.
///
/// Holds the whole state, so that it can replace a database that is damaged at run time. Changes that cannot be written
/// wait here.
struct StateWriter {
  static let fileName = "state.db"
  /// Section of the playlist's settings.
  private static let playlistSection = "playlist"
  /// Ids are reserved on disk before the playlist assigns them, in blocks larger than the number of inserts in a
  /// second. So no id is reused, although a kill loses the last second.
  private static let blockOfIDs: UInt32 = 8_192

  private let folder: StateFolder
  private let logger: Logger
  private let maximumPages: Int64
  /// Nil while it is closed; the next write opens it.
  private var database: StateDatabase?

  /// The state as it should be on disk.
  private(set) var sections: [String: StateText] = [:]
  private(set) var contents = PlaylistContents()

  private var changedSections: Set<String> = []
  private var waitingChanges: [PlaylistChange] = []
  private var waitingBytes = 0
  /// Whether all tracks must be written, since `waitingChanges` do not build on those on disk.
  private var needsAllTracks = false
  /// Playlist ids up to this one are reserved on disk.
  private var reservedID: UInt32 = 0

  /// Reads the state. An unreadable database is set aside and replaced by an empty one.
  /// - Throws: if a database can be neither read nor set aside.
  init(
    folder: StateFolder, logger: Logger, maximumPages: Int64 = StateDatabase.maximumPages
  ) throws(StateError) {
    self.folder = folder
    self.logger = logger
    self.maximumPages = maximumPages
    try open()
  }

  private var path: String { "\(folder.path)/\(Self.fileName)" }

  // MARK: Opening

  private mutating func open() throws(StateError) {
    // SQLite would delete the WAL of a file that it does not recognise, and with it recoverable data.
    let header = folder.prefix(of: Self.fileName)
    guard header.isEmpty || StateDatabase.isHeader(header) else {
      return try startAnew(because: "is damaged (it is not a database with a WAL)")
    }
    do throws(DatabaseError) {
      let database = try StateDatabase(path: path, maximumPages: maximumPages)
      if try !database.isOfLaterVersion() { return try read(database) }
    } catch {
      guard error.isCorruption else { throw StateError(doing: "open", path: path, error) }
      return try startAnew(because: "is damaged (\(error))")
    }
    try startAnew(because: "was written by a later version of this program")
  }

  private mutating func read(_ database: StateDatabase) throws(DatabaseError) {
    let sections = try database.settings()
    let playlist = sections[Self.playlistSection] ?? StateText()
    var contents = PlaylistContents()
    for (id, track) in try database.tracks() {
      guard let id = UInt32(exactly: id), contents.apply(.insert(id: id, after: contents.ids.last ?? 0, track)) else {
        throw .damaged("track \(id) is invalid")
      }
    }
    // After a kill, ids continue after those that may have been in use.
    let reserved = playlist.value("reserved", as: UInt32.self) ?? 0
    _ = contents.apply(.lastID(max(reserved, contents.lastID)))
    _ = contents.apply(.current(playlist.value("current", as: UInt32.self) ?? 0))
    _ = contents.apply(.repeats(playlist.value("repeat", as: Bool.self) ?? false))
    _ = contents.apply(.shuffles(playlist.value("shuffle", as: Bool.self) ?? false))
    (self.database, self.sections, self.contents) = (database, sections, contents)
    self.sections[Self.playlistSection] = nil
    reservedID = reserved
  }

  /// Sets the database aside. The next write creates another one with the whole state.
  private mutating func startAnew(because reason: String) throws(StateError) {
    database = nil
    let other = try folder.setAside(Self.fileName, with: ["-wal", "-shm", "-journal"])
    logger.warning("\(path) \(reason). It is kept as \(other), and replaced by a new one.")
    changedSections = Set(sections.keys)
    needsAllTracks = true
    reservedID = 0
  }

  /// Closes the database. Call it after the last write.
  mutating func close() { database = nil }

  // MARK: Writing

  /// Commits changes in one transaction. When it returns, they survive a power cut.
  /// - Parameters:
  ///   - sections: settings that changed, by section; an empty one is removed.
  ///   - changes: of the playlist, in order.
  ///   - isLast: whether the program ends, so that no id needs to be reserved.
  /// - Throws: if they could not be written. They are kept for the next call.
  mutating func write(
    sections: [String: StateText] = [:], changes: [PlaylistChange] = [], isLast: Bool = false
  ) throws(StateError) {
    note(sections, changes)
    let reserved = isLast ? contents.lastID : Self.reservation(for: contents.lastID, reserved: reservedID)
    guard !changedSections.isEmpty || !waitingChanges.isEmpty || needsAllTracks || reserved != reservedID else {
      return
    }
    do throws(DatabaseError) {
      try commit(reserving: reserved)
    } catch {
      boundWaitingChanges()
      try recover(from: error, reserving: reserved)
    }
  }

  private mutating func note(_ sections: [String: StateText], _ changes: [PlaylistChange]) {
    for (name, text) in sections where self.sections[name] != text {
      self.sections[name] = text
      changedSections.insert(name)
    }
    for change in changes {
      _ = contents.apply(change)
      if case .insert(_, _, let track) = change { waitingBytes += track.bytes }
    }
    waitingChanges += changes
  }

  /// Limits the waiting changes: if they are larger than the playlist, the whole playlist is written instead. It may
  /// fit on a full disk even if they do not, since inserted tracks may have been deleted again.
  private mutating func boundWaitingChanges() {
    guard needsAllTracks || waitingBytes > contents.bytes || waitingChanges.count > Playlist.maximumCount else {
      return
    }
    needsAllTracks = true
    waitingChanges = []
    waitingBytes = 0
  }

  /// The last id to reserve: two blocks ahead, renewed whenever a block is used up.
  static func reservation(for lastID: UInt32, reserved: UInt32) -> UInt32 {
    let (needed, overflows) = lastID.addingReportingOverflow(blockOfIDs)
    if overflows { return .max }
    if reserved >= needed { return reserved }
    return needed > .max - blockOfIDs ? .max : needed + blockOfIDs
  }

  private mutating func commit(reserving reserved: UInt32) throws(DatabaseError) {
    let database: StateDatabase
    if let open = self.database {
      database = open
    } else {
      database = try StateDatabase(path: path, maximumPages: maximumPages)
      self.database = database
    }
    try database.transaction { [self] () throws(DatabaseError) in
      if needsAllTracks {
        try database.replaceTracks(contents)
      } else {
        for change in waitingChanges { try database.apply(change) }
      }
      for name in changedSections { try database.replace(name, with: sections[name] ?? StateText()) }
      try database.replace(Self.playlistSection, with: playlistSettings(reserving: reserved))
    }
    changedSections = []
    waitingChanges = []
    waitingBytes = 0
    needsAllTracks = false
    reservedID = reserved
  }

  private func playlistSettings(reserving reserved: UInt32) -> StateText {
    var text = StateText()
    text.add("current", contents.currentID)
    text.add("repeat", contents.repeats)
    text.add("shuffle", contents.shuffles)
    text.add("reserved", reserved)
    return text
  }

  private mutating func recover(from error: DatabaseError, reserving reserved: UInt32) throws(StateError) {
    if error.isCorruption {
      try startAnew(because: "is damaged (\(error))")
    } else if error.isFullDisk {
      // Truncating the WAL frees disk space.
      try? database?.checkpoint()
    } else {
      throw StateError(doing: "write", path: path, error)
    }
    do throws(DatabaseError) {
      try commit(reserving: reserved)
    } catch {
      throw StateError(doing: "write", path: path, error)
    }
  }
}
