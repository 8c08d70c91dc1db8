/// Decides when changed folders are scanned: after a pause, since a copied album changes its folder many times.
struct ScanSchedule: Equatable {
  enum Work: Equatable {
    case everything
    /// - files: folders with changed files.
    /// - folders: paths of folders to scan with all folders in them.
    case parts(files: Set<Int64>, folders: Set<String>)
  }

  /// The pause after the last change.
  static let pause = Duration.seconds(1)
  /// The longest wait after the first change.
  static let maximumWait = Duration.seconds(10)
  /// The time between scans of folders that cannot be watched.
  static let interval = Duration.seconds(3600)
  /// With more changed folders, everything is scanned.
  private static let maximumParts = 1000

  private var isEverythingDue = false
  private var files: Set<Int64> = []
  private var folders: Set<String> = []
  private var first: Duration?
  private var last: Duration?
  private var repeated: Duration?

  /// - Parameter now: of any clock that does not go back.
  mutating func filesChanged(_ folder: Int64, now: Duration) {
    files.insert(folder)
    noteChange(now)
  }

  mutating func folderChanged(_ path: String, now: Duration) {
    folders.insert(path)
    noteChange(now)
  }

  /// Events were lost, or a user asked for a scan.
  mutating func everythingChanged(now: Duration) {
    isEverythingDue = true
    noteChange(now)
  }

  private mutating func noteChange(_ now: Duration) {
    if files.count + folders.count > Self.maximumParts { isEverythingDue = true }
    first = first ?? now
    last = now
  }

  /// A scan has ended.
  /// - Parameter isWatched: whether the system reports all changes.
  mutating func scanned(isWatched: Bool, now: Duration) { repeated = isWatched ? nil : now + Self.interval }

  /// When `take` returns work; nil without any.
  var due: Duration? {
    guard let first, let last else { return repeated }
    let changed = min(last + Self.pause, first + Self.maximumWait)
    return repeated.map { min($0, changed) } ?? changed
  }

  /// The work that is due.
  mutating func take(now: Duration) -> Work? {
    guard let due, due <= now else { return nil }
    let isEverything = isEverythingDue || repeated.map { $0 <= now } == true
    let work = isEverything ? Work.everything : .parts(files: files, folders: folders)
    self = ScanSchedule(repeated: isEverything ? nil : repeated)
    return work
  }

  init() {}

  private init(repeated: Duration?) { self.repeated = repeated }
}
