import CLinux
import Glibc
import Logging
import SQLite

/// Keeps the index up to date, on a thread of its own with a low priority.
final class LibraryScanner {
  /// The pause after an error of the database, such as a full disk.
  private static let retryPause = Duration.seconds(60)
  /// Limits of a transaction, after which others see its changes.
  private static let maximumPending = 2000
  private static let maximumCommitTime = Duration.seconds(5)

  private let path: String
  private let state: LibraryState
  private let logger: Logger
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastCommit: ContinuousClock.Instant

  /// - Parameter path: of the database.
  init(path: String, state: LibraryState, logger: Logger) {
    self.path = path
    self.state = state
    self.logger = logger
    start = clock.now
    lastCommit = start
  }

  private var now: Duration { clock.now - start }

  /// Runs until the state is stopped.
  func run() {
    if state.settings.isInBackground { swiftlet_run_in_background() }
    while !state.isStopped {
      do throws(DatabaseError) {
        try follow()
      } catch {
        logger.error("The index of the music library cannot be written: \(error). \(path)")
        state.update { ($0.error, $0.isScanning) = ("\(error)", false) }
        if error.isCorruption { LibraryDatabase.remove(path) }
        if !state.isStopped { wait([], for: error.isCorruption ? .seconds(1) : Self.retryPause) }
      }
    }
  }

  // MARK: Following

  private func follow() throws(DatabaseError) {
    let index = try LibraryIndex(LibraryDatabase.openWriter(path: path))
    state.opened(systemUpdateID: index.systemUpdateID)
    try updateCounts(index)
    state.update { $0.error = nil }
    var watch = FolderWatch()
    var folders = state.settings.folders
    let mountFile = open(MountTable.path, O_RDONLY | O_CLOEXEC)
    defer { if mountFile >= 0 { close(mountFile) } }
    var mounts = Self.mounts()
    var schedule = ScanSchedule()
    try scanEverything(index, watch, mounts, &schedule)
    while !state.isStopped {
      wait([watch.descriptor, mountFile], for: schedule.due.map { max($0 - now, .zero) })
      if state.takeScanRequest() { schedule.everythingChanged(now: now) }
      if folders != state.settings.folders { (watch, folders) = (FolderWatch(), state.settings.folders) }
      for event in watch.events() { try note(event, in: &schedule, index) }
      let table = Self.mounts()
      for folder in state.settings.folders {
        for point in table.changes(from: mounts, near: Self.realPath(folder)) {
          schedule.folderChanged(Self.configured(point, folder), now: now)
        }
      }
      mounts = table
      guard let work = schedule.take(now: now), !state.isStopped else { continue }
      switch work {
      case .everything:
        try scanEverything(index, watch, mounts, &schedule)
      case .parts(let files, let folders):
        try scan(index, watch, mounts) { scan throws(DatabaseError) in
          for path in folders.sorted() { try scan.scan(path, isDeep: true) }
          for id in files {
            if let folder = try index.folder(id) { try scan.scan(folder.path, isDeep: false) }
          }
        }
      }
    }
  }

  private func note(
    _ event: FolderWatch.Event, in schedule: inout ScanSchedule, _ index: LibraryIndex
  ) throws(DatabaseError) {
    switch event {
    case .files(let folder): schedule.filesChanged(folder, now: now)
    case .subfolder(let id, let name):
      guard let folder = try index.folder(id) else { return }
      schedule.folderChanged("\(folder.path)/\(name)", now: now)
    case .overflow: schedule.everythingChanged(now: now)
    }
  }

  /// The path below a folder of the configuration to scan when something is mounted at a point.
  private static func configured(_ point: String, _ folder: String) -> String {
    let real = realPath(folder)
    return LibrarySettings.isBelow(point, real) ? folder + point.dropFirst(real.count) : folder
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func mounts() -> MountTable {
    guard let file = fopen(MountTable.path, "re") else { return MountTable("") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return MountTable(String(decoding: bytes, as: UTF8.self))
  }

  /// Waits for a descriptor, or to be woken.
  private func wait(_ descriptors: [Int32], for time: Duration?) {
    var polled = [pollfd(fd: state.wake, events: Int16(POLLIN), revents: 0)]
    // The table of mounts reports changes as POLLPRI.
    polled += descriptors.map { pollfd(fd: $0, events: Int16(POLLIN | POLLPRI), revents: 0) }
    // Reading regular /proc files never blocks, so POLLIN would return at once.
    if polled.count > 2 { polled[2].events = Int16(POLLPRI) }
    let milliseconds = time.map { Int32(min($0 / .milliseconds(1) + 1, 1e9)) } ?? -1
    poll(&polled, nfds_t(polled.count), milliseconds)
    var count: UInt64 = 0
    _ = read(state.wake, &count, 8)
  }

  // MARK: Scanning

  private func scanEverything(
    _ index: LibraryIndex, _ watch: FolderWatch, _ mounts: MountTable, _ schedule: inout ScanSchedule
  ) throws(DatabaseError) {
    let begin = clock.now
    let result = try scan(index, watch, mounts) { scan throws(DatabaseError) in try scan.scanEverything() }
    guard !state.isStopped else { return }
    schedule.scanned(isWatched: !watch.isFull && !result.hasRemoteFolders, now: now)
    let seconds = (clock.now - begin) / .seconds(1)
    state.update { status in
      status.lastScan = time(nil)
      status.scanTime = seconds
      (status.problemCount, status.problems) = (result.problemCount, result.problems)
      status.isTruncated = result.isTruncated
    }
    let status = state.status
    logger.info(
      "The music library has \(status.tracks) tracks; looking at \(result.scanned) files took \(Int(seconds.rounded())) s."
    )
    if result.problemCount > 0 {
      logger.warning(
        "Problems in the music library: \(result.problemCount), such as: \(result.problems.first ?? ""). `swiftlet status` lists more."
      )
    }
  }

  @discardableResult
  private func scan(
    _ index: LibraryIndex, _ watch: FolderWatch, _ mounts: MountTable,
    _ body: (LibraryScan) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> LibraryScan {
    state.update { ($0.isScanning, $0.scanned) = (true, 0) }
    lastCommit = clock.now
    let scan = try LibraryScan(index: index, settings: state.settings, mounts: mounts, watch: watch) {
      [unowned self] scan throws(DatabaseError) in try progress(scan, index)
    }
    do throws(DatabaseError) {
      try body(scan)
      try commit(index)
    } catch {
      index.rollBack()
      throw error
    }
    state.update { status in
      status.isScanning = false
      status.isTruncated = status.isTruncated || scan.isTruncated
    }
    return scan
  }

  private func progress(_ scan: LibraryScan, _ index: LibraryIndex) throws(DatabaseError) -> Bool {
    if scan.scanned % 64 == 0 { state.update { $0.scanned = scan.scanned } }
    if index.pending > Self.maximumPending || index.pending > 0 && clock.now - lastCommit > Self.maximumCommitTime {
      try commit(index)
    }
    return !state.isStopped
  }

  private func commit(_ index: LibraryIndex) throws(DatabaseError) {
    lastCommit = clock.now
    guard let change = try index.commit() else { return }
    try updateCounts(index)
    state.publish(change)
  }

  private func updateCounts(_ index: LibraryIndex) throws(DatabaseError) {
    let counts = try index.database.rows(
      "SELECT (SELECT count(*) FROM track WHERE present), (SELECT count(*) FROM album WHERE tracks > 0)"
    ) { (tracks: Int($0.integer(0)), albums: Int($0.integer(1))) }.first
    state.update { ($0.tracks, $0.albums) = (counts?.tracks ?? 0, counts?.albums ?? 0) }
  }
}
