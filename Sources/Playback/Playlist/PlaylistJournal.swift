/// The playlist's file: what changes is appended, so that a track costs the disk a track, however long the list is. When
/// more than half of the file is of no use any more, the list is written anew beside it.
///
/// What was written once stays readable, whatever happens: the file is appended to behind what is safe, or replaced by one
/// that is complete.
struct PlaylistJournal {
  static let name = "playlist"
  private static let newName = "playlist.new"

  /// Bytes.
  struct Limits {
    /// So much of no use is not worth a new file.
    var garbage = 64 * 1024
    /// Of a new file, what is written at a time: a slow card takes it in some 0.1 s.
    var piece = 512 * 1024
    /// So much may wait for room on the disk, or as much as is in the list; beyond it, the list is written anew when there
    /// is room.
    var unsaved = 1 << 20
  }

  private let files: any StateFiles
  private let limits: Limits
  /// The list as it is to be on the disk.
  private(set) var contents: PlaylistContents
  private var file: (any StateFile)?
  private var nonce: UInt32 = 0
  private var batch: UInt32 = 0
  /// Where the next batch goes.
  private var end = 0
  /// What is in `contents` and not in the file.
  private var unsaved: [[PlaylistChange]] = []
  private var unsavedBytes = 0
  /// The file cannot be appended to: there is none, or nobody knows what a failed sync has left of it.
  private var needsNewFile = true
  /// The file's name is not known to be on the disk.
  private var needsFolderSync = false
  private var compaction: PlaylistCompaction?
  /// Before the file is this long, no other is tried: there was no room for it.
  private var compactsFrom = 0

  /// A list of which there is no file yet.
  init(files: any StateFiles, limits: Limits = Limits()) {
    self.files = files
    self.limits = limits
    contents = PlaylistContents()
  }

  /// Goes on with a file that was read.
  init(_ found: PlaylistReading.Found, file: any StateFile, files: any StateFiles, limits: Limits = Limits()) {
    self.files = files
    self.limits = limits
    self.file = file
    contents = found.contents
    nonce = found.nonce
    batch = found.batch
    end = found.end
    // What is torn must be gone before something else is written in its place, of which only a part may reach the disk:
    // together they could look whole.
    needsNewFile = found.size > found.end && !Self.cut(file, to: found.end, safely: true)
  }

  /// Writes changes. When it returns, they are safe.
  /// - Parameters:
  ///   - groups: what changed together, in order. Kept for the next time if it throws.
  ///   - isLast: the program ends.
  /// - Returns: whether there is more to do, in pieces.
  mutating func write(_ groups: [[PlaylistChange]], isLast: Bool) throws(StateError) -> Bool {
    for group in isLast ? groups + [[.closed]] : groups { note(group) }
    if needsFolderSync { try syncFolder() }
    if needsNewFile {
      try begin()
      while try writePiece() {}
      try finish()
    } else if !unsaved.isEmpty {
      try append()
    }
    if isLast {
      abandon()
    } else if compaction == nil, end >= compactsFrom, garbage > contents.bytes + limits.garbage {
      // That there is no room for it is no loss: the file that is there stays.
      try? begin()
    }
    return compaction != nil
  }

  /// Does a piece of what is to do beside the writing.
  /// - Returns: whether there is more to do.
  mutating func goOn() -> Bool {
    guard compaction != nil else { return false }
    do throws(StateError) {
      if try writePiece() { return true }
      try finish()
    } catch {
      abandon()
    }
    return false
  }

  /// Bytes of the file that are about tracks no longer there.
  private var garbage: Int {
    end - PlaylistRecord.headerLength - contents.bytes - contents.ids.count * PlaylistRecord.insertLength
  }

  private mutating func note(_ group: [PlaylistChange]) {
    for change in group {
      _ = contents.apply(change)
      if case .insert(_, _, let track) = change { unsavedBytes += track.bytes }
    }
    unsavedBytes += PlaylistRecord.insertLength
    unsaved.append(group)
  }

  private mutating func append() throws(StateError) {
    guard let file else { return }
    var bytes: [UInt8] = []
    for group in unsaved { PlaylistRecord.append(group, batch: batch + 1, nonce: nonce, to: &bytes) }
    do throws(StateError) {
      try file.write(bytes, at: end)
    } catch {
      // A new file that is being made takes room, too.
      abandon()
      if !Self.cut(file, to: end) || unsavedBytes > max(limits.unsaved, contents.bytes) { giveUpFile() }
      throw error
    }
    do throws(StateError) {
      try file.sync()
    } catch {
      // What the disk holds of it now is not known, and a second sync may say that all is well when it is not.
      giveUpFile()
      throw error
    }
    end += bytes.count
    batch += 1
    compaction?.note(unsaved)
    forgetUnsaved()
  }

  private mutating func forgetUnsaved() {
    unsaved = []
    unsavedBytes = 0
  }

  /// What there is to write goes into a new file; this one stays as it is until then.
  private mutating func giveUpFile() {
    needsNewFile = true
    forgetUnsaved()
    abandon()
  }

  private mutating func begin() throws(StateError) {
    abandon()
    compaction = PlaylistCompaction(of: contents, to: try files.create(Self.newName))
  }

  /// - Returns: whether tracks are left.
  private mutating func writePiece() throws(StateError) -> Bool {
    let length = limits.piece
    return try compaction?.write(piece: length) ?? false
  }

  private mutating func finish() throws(StateError) {
    guard let new = try compaction?.finish() else { return }
    try files.rename(Self.newName, to: Self.name)
    (file, nonce, end) = new
    batch = 0
    compactsFrom = 0
    compaction = nil
    if needsNewFile {
      needsNewFile = false
      forgetUnsaved()
    }
    needsFolderSync = true
    try syncFolder()
  }

  private mutating func syncFolder() throws(StateError) {
    try files.sync()
    needsFolderSync = false
  }

  private mutating func abandon() {
    guard compaction != nil else { return }
    compaction = nil
    compactsFrom = end + limits.unsaved
    try? files.remove(Self.newName)
  }

  /// - Returns: whether it worked.
  private static func cut(_ file: any StateFile, to size: Int, safely: Bool = false) -> Bool {
    do throws(StateError) {
      try file.truncate(to: size)
      if safely { try file.sync() }
      return true
    } catch {
      return false
    }
  }
}
