import Glibc

/// The folder that holds the state database.
public struct StateFolder: Sendable {
  /// Without a trailing slash.
  public let path: String
  /// Held as long as any copy of this value exists.
  private var lock: StateFolderLock?

  /// Creates the folder, and its parents, if they do not exist.
  /// - Throws: if it cannot be created or written to.
  public init(path: String) throws(StateError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try Self.create(path)
    guard access(path, W_OK | X_OK) == 0 else { throw StateError(doing: "write to", path: path) }
    self.path = path
  }

  /// The same folder, locked for this program: two programs with one state would be the same device twice.
  /// - Throws: if another program has locked it.
  public func locked() throws(StateError) -> StateFolder {
    var folder = self
    folder.lock = try StateFolderLock(folder: path)
    return folder
  }

  /// Renames an unreadable file, so that it is neither in the way nor lost.
  /// - Parameter suffixes: of files that belong to it, such as a journal. They move along if they exist.
  /// - Returns: the new name.
  func setAside(_ name: String, with suffixes: [String] = []) throws(StateError) -> String {
    // Machines without a clock see the same second again and again.
    let base = "\(name).unreadable-\(time(nil))"
    var free = base
    var number = 1
    while exists(free) {
      number += 1
      free = "\(base)-\(number)"
    }
    // The file itself goes last: after a kill in between it is still there, and is set aside at the next start.
    for suffix in suffixes where exists(name + suffix) { try rename(name + suffix, to: free + suffix) }
    try rename(name, to: free)
    return free
  }

  /// The first bytes of a file, 100 at most; none if it cannot be read.
  func prefix(of name: String) -> [UInt8] {
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 100) { buffer, count in
      count = max(read(descriptor, buffer.baseAddress, buffer.count), 0)
    }
  }

  private func exists(_ name: String) -> Bool {
    var info = stat()
    return lstat("\(path)/\(name)", &info) == 0
  }

  private func rename(_ name: String, to other: String) throws(StateError) {
    guard Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
      throw StateError(doing: "rename", path: "\(path)/\(name)")
    }
  }

  private static func create(_ path: String) throws(StateError) {
    if mkdir(path, 0o755) == 0 { return }
    switch errno {
    case EEXIST:
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
        errno = ENOTDIR
        throw StateError(doing: "use", path: path)
      }
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
        throw StateError(doing: "make", path: path)
      }
      try create(String(path[..<slash]))
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw StateError(doing: "make", path: path) }
    default: throw StateError(doing: "make", path: path)
    }
  }
}
