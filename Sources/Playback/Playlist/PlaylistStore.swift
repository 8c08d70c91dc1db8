import Synchronization

/// Keeps the playlist over restarts: its tracks with their ids, the counter of ids, the current track, repeat and shuffle.
public final class PlaylistStore: Sendable {
  private let keeper: StateKeeper
  /// What has changed and is not given to the journal yet; what changed together is together.
  private let pending = Mutex<[[PlaylistChange]]>([])
  /// Used on the keeper's thread; nil if nothing may be written, since a file that makes no sense is in the way.
  private let journal: Mutex<PlaylistJournal?>

  /// What was kept, until it is taken: a list that is held twice is in memory twice once it changes.
  private let kept: Mutex<Playlist?>

  /// Reads what was kept, for the start, before the event loop runs. A file that makes no sense is set aside and said.
  public convenience init(_ keeper: StateKeeper) {
    let journal = Self.read(keeper)
    var contents = journal?.contents ?? PlaylistContents()
    var lastID = contents.lastID
    if !contents.isClosed, lastID > 0 {
      // The last ids may have been given away without being written: no second sees more inserts than this.
      let margin = UInt32(Playlist.maximumCount)
      lastID = min(lastID, .max - margin) + margin
    }
    // Until the end comes in order, the file does not say that it has.
    let change = PlaylistChange.lastID(lastID)
    _ = contents.apply(change)
    self.init(keeper: keeper, journal: journal, playlist: Playlist(contents))
    keeper.attach(self)
    keep([change])
  }

  private init(keeper: StateKeeper, journal: sending PlaylistJournal?, playlist: Playlist) {
    self.keeper = keeper
    self.journal = Mutex(journal)
    kept = Mutex(playlist)
  }

  /// The list that was kept, for the one who changes it from now on.
  public func takePlaylist() -> Playlist {
    kept.withLock { kept in
      defer { kept = nil }
      return kept ?? Playlist()
    }
  }

  /// Writes changes within a second. Returns at once, on any thread.
  /// - Parameter changes: of one command, as `Playlist.takeChanges` gives them.
  func keep(_ changes: [PlaylistChange]) {
    guard !changes.isEmpty else { return }
    pending.withLock { $0.append(changes) }
    keeper.changed()
  }

  /// - Returns: nil if there is a file that can neither be read nor set aside.
  private static func read(_ keeper: StateKeeper) -> sending PlaylistJournal? {
    let files = keeper.folder.files
    let name = PlaylistJournal.name
    var reason = StateKeeper.damaged
    do throws(StateError) {
      guard let file = try files.open(name) else { return PlaylistJournal(files: files) }
      switch try PlaylistReading(file) {
      case .list(let found): return PlaylistJournal(found, file: file, files: files)
      case .laterVersion: reason = StateKeeper.laterVersion
      case .damaged: break
      }
    } catch {
      reason = StateKeeper.unreadable
    }
    return keeper.setAside(name, because: reason) ? PlaylistJournal(files: files) : nil
  }
}

extension PlaylistStore: StateWork {
  func write(isLast: Bool) throws(StateError) -> Bool {
    let changes = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    return try journal.withLock { journal throws(StateError) in try journal?.write(changes, isLast: isLast) ?? false }
  }

  func goOn() -> Bool { journal.withLock { $0?.goOn() ?? false } }
}
