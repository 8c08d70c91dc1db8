import Glibc

/// The folder in which things are kept over restarts. What is written is there whole or not at all, whenever the power
/// goes: a new file, synced, takes the old one's name.
public struct StateFolder: Sendable {
  /// Without a slash at the end.
  public let path: String

  /// Makes the folder where it is missing, and those above it.
  /// - Throws: where it cannot be made or written to.
  public init(path: String) throws(StateError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    try Self.make(path)
    guard access(path, W_OK | X_OK) == 0 else { throw StateError(doing: "write to", path: path) }
  }

  /// The contents of a file; nil where there is none.
  /// - Throws: where there is one that cannot be read, which is not the same as none.
  public func read(_ name: String) throws(StateError) -> String? {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StateError(doing: "read", path: file)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw StateError(doing: "read", path: file)
      }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces a file's contents. Blocks until the disk has them: not for the event loop once it runs.
  public func write(_ text: String, to name: String) throws(StateError) {
    let file = "\(path)/\(name)"
    let temporary = file + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateError(doing: "write", path: temporary) }
    var text = text
    let isWritten = text.withUTF8 { Self.write($0, to: descriptor) } && fsync(descriptor) == 0
    guard isWritten else {
      let error = StateError(doing: "write", path: temporary)
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    guard rename(temporary, file) == 0 else { throw StateError(doing: "write", path: file) }
    try sync()
  }

  /// Gives a file that makes no sense another name, so that it is neither in the way nor lost.
  /// - Returns: the new name.
  public func setAside(_ name: String) throws(StateError) -> String {
    let other = "\(name).unreadable-\(time(nil))"
    guard rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
      throw StateError(doing: "set aside", path: "\(path)/\(name)")
    }
    return other
  }

  /// The new name itself has to reach the disk.
  private func sync() throws(StateError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StateError(doing: "sync", path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StateError(doing: "sync", path: path) }
  }

  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func make(_ path: String) throws(StateError) {
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
      try make(String(path[..<slash]))
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw StateError(doing: "make", path: path) }
    default: throw StateError(doing: "make", path: path)
    }
  }
}
