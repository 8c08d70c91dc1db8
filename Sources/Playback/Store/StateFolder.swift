import Glibc
import SQLite

/// The folder with the state database.
public struct StateFolder: Sendable {
  /// Path of the folder, without a trailing slash.
  public let path: String
  /// Released with the last copy of this value.
  private var lock: StateFolderLock?

  /// Creates the folder, and its parents, if they do not exist.
  /// - Throws: if it cannot be created or is not writable.
  public init(path: String) throws(StateError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try Self.create(path)
    guard access(path, W_OK | X_OK) == 0 else { throw StateError(doing: "write to", path: path) }
    self.path = path
  }

  /// Locks the folder for this program: two programs with one state would announce the same device.
  /// - Throws: if another program has locked it.
  public func locked() throws(StateError) -> StateFolder {
    var folder = self
    folder.lock = try StateFolderLock(folder: path)
    return folder
  }

  /// Renames an unreadable file instead of deleting it.
  /// - Parameter suffixes: of its companion files, such as a journal, which are renamed as well.
  /// - Returns: the new name.
  package func setAside(_ name: String, with suffixes: [String] = []) throws(StateError) -> String {
    // A machine without a battery-backed clock may start with the same time again.
    let base = "\(name).unreadable-\(time(nil))"
    var free = base
    var number = 1
    while exists(free) {
      number += 1
      free = "\(base)-\(number)"
    }
    // The file itself comes last: after a kill in between, the next start sets it aside.
    for suffix in suffixes where exists(name + suffix) { try rename(name + suffix, to: free + suffix) }
    try rename(name, to: free)
    return free
  }

  /// The first 100 bytes of a file; empty if it cannot be read.
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
        throw StateError(doing: "create", path: path)
      }
      try create(String(path[..<slash]))
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw StateError(doing: "create", path: path) }
    default: throw StateError(doing: "create", path: path)
    }
  }
}

/// The exclusive lock of a state folder (flock). The kernel releases it when the program ends.
final class StateFolderLock: Sendable {
  private static let file = "lock"

  private let descriptor: Int32

  /// - Throws: if another program has locked the folder; the error names its process.
  init(folder: String) throws(StateError) {
    let path = "\(folder)/\(Self.file)"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateError(doing: "write", path: path) }
    // File systems without locks are accepted.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      defer { close(descriptor) }
      throw StateError(taken: folder, by: Self.owner(descriptor))
    }
    let owner = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    // If this fails, only the process id is missing from the error.
    _ = pwrite(descriptor, owner, owner.count, 0)
  }

  deinit { close(descriptor) }

  private static func owner(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Int(String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0x0A }, as: UTF8.self))
  }
}

/// The state cannot be read or written. The description is a sentence for the user.
public struct StateError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  /// - Parameter verb: the failed operation; `errno` gives the reason.
  package init(doing verb: String, path: String) {
    description = "Cannot \(verb) \(path): \(String(cString: strerror(errno)).lowercased())."
  }

  init(doing verb: String, path: String, _ error: DatabaseError) {
    description = "Cannot \(verb) \(path): \(error)."
  }

  /// - Parameter process: nil if unknown.
  init(taken path: String, by process: Int?) {
    description = "Another program uses the state folder \(path)\(process.map { ": process \($0)" } ?? "")."
  }
}
