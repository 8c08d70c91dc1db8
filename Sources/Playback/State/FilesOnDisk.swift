import Glibc

/// The files of a folder, by POSIX.
struct FilesOnDisk: StateFiles {
  let path: String

  /// Makes the folder where it is missing, and those above it.
  init(path: String) throws(StateError) {
    self.path = path
    try Self.make(path)
    guard access(path, W_OK | X_OK) == 0 else { throw StateError(doing: "write to", path: path) }
  }

  func open(_ name: String) throws(StateError) -> (any StateFile)? {
    // What may only be read is read all the same; writing to it fails then.
    for mode in [O_RDWR, O_RDONLY] {
      let descriptor = Glibc.open("\(path)/\(name)", mode | O_CLOEXEC)
      if descriptor >= 0 { return FileOnDisk(descriptor: descriptor, path: "\(path)/\(name)") }
      if errno == ENOENT { return nil }
    }
    throw StateError(doing: "read", path: "\(path)/\(name)")
  }

  func create(_ name: String) throws(StateError) -> any StateFile {
    let descriptor = Glibc.open("\(path)/\(name)", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateError(doing: "write", path: "\(path)/\(name)") }
    return FileOnDisk(descriptor: descriptor, path: "\(path)/\(name)")
  }

  func rename(_ name: String, to other: String) throws(StateError) {
    guard Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0 else {
      throw StateError(doing: "write", path: "\(path)/\(other)")
    }
  }

  func remove(_ name: String) throws(StateError) {
    guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
      throw StateError(doing: "remove", path: "\(path)/\(name)")
    }
  }

  func exists(_ name: String) -> Bool {
    var info = stat()
    return lstat("\(path)/\(name)", &info) == 0
  }

  func sync() throws(StateError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StateError(doing: "sync", path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StateError(doing: "sync", path: path) }
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

/// A file by its descriptor.
private final class FileOnDisk: StateFile {
  private let descriptor: Int32
  private let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func size() throws(StateError) -> Int {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw StateError(doing: "read", path: path) }
    return Int(info.st_size)
  }

  func read(_ count: Int, at offset: Int) throws(StateError) -> [UInt8] {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let more = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
        if more < 0, errno == EINTR { continue }
        failed = more < 0
        guard more > 0 else { return }
        filled += more
      }
    }
    if failed { throw StateError(doing: "read", path: path) }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StateError) {
    let isWritten = bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    guard isWritten else { throw StateError(doing: "write", path: path) }
  }

  func truncate(to size: Int) throws(StateError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw StateError(doing: "write", path: path) }
  }

  func sync() throws(StateError) {
    // The size is synced with the data; the time of the change is not, and nobody needs it.
    guard fdatasync(descriptor) == 0 else { throw StateError(doing: "write", path: path) }
  }
}
