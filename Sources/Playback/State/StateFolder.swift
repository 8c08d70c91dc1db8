import Glibc

/// The folder in which things are kept over restarts. What is written is there whole or not at all, whenever the power
/// goes: a new file, synced, takes the old one's name.
public struct StateFolder: Sendable {
  /// Without a slash at the end.
  public let path: String
  let files: any StateFiles
  /// Held for as long as any copy of this is.
  private var lock: StateFolderLock?

  /// Makes the folder where it is missing, and those above it.
  /// - Throws: where it cannot be made or written to.
  public init(path: String) throws(StateError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.init(path: path, files: try FilesOnDisk(path: path))
  }

  init(path: String, files: any StateFiles) {
    self.path = path
    self.files = files
  }

  /// The same folder, for this program alone: two that keep their state in one place would undo each other's, and be one
  /// device twice.
  /// - Throws: where another program has it.
  public func locked() throws(StateError) -> StateFolder {
    var folder = self
    folder.lock = try StateFolderLock(folder: path)
    return folder
  }

  /// The contents of a file; nil where there is none.
  /// - Throws: where there is one that cannot be read, which is not the same as none.
  public func read(_ name: String) throws(StateError) -> String? {
    guard let file = try files.open(name) else { return nil }
    return String(decoding: try file.read(try file.size(), at: 0), as: UTF8.self)
  }

  /// Replaces a file's contents. Blocks until the disk has them: not for the event loop once it runs.
  public func write(_ text: String, to name: String) throws(StateError) {
    let new = name + ".new"
    do throws(StateError) {
      let file = try files.create(new)
      try file.write(Array(text.utf8), at: 0)
      try file.sync()
      try files.rename(new, to: name)
    } catch {
      try? files.remove(new)
      throw error
    }
    // The new name itself has to reach the disk.
    try files.sync()
  }

  /// Gives a file that makes no sense another name, so that it is neither in the way nor lost.
  /// - Returns: the new name.
  public func setAside(_ name: String) throws(StateError) -> String {
    // The time tells people when; machines without a clock live through the same second again and again.
    let other = "\(name).unreadable-\(time(nil))"
    var free = other
    var number = 1
    while files.exists(free) {
      number += 1
      free = "\(other)-\(number)"
    }
    try files.rename(name, to: free)
    return free
  }
}
