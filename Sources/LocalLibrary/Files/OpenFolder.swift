import Glibc

/// An open folder. What it contains is opened relative to it and without following links, so that neither a link nor a renamed
/// folder can lead out of the library.
final class OpenFolder {
  struct Entry {
    enum Kind { case folder, file, unknown }

    var name: String
    var kind: Kind
  }

  struct Names {
    var entries: [Entry] = []
    /// Names that are not UTF-8.
    var unreadable = 0
    /// Whether entries are missing because of an error or a limit.
    var isIncomplete = false
    var isTooLarge = false
  }

  struct Facts {
    /// Bytes.
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
  }

  let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens a folder of the configuration, which may be a link.
  init(root path: String) throws(FileFailure) {
    descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure() }
  }

  /// Opens a folder below this one.
  /// - Parameter path: relative; empty for this folder.
  func folder(at path: some StringProtocol) throws(FileFailure) -> OpenFolder {
    var folder = self
    for name in path.split(separator: "/") { folder = try folder.folder(named: String(name)) }
    return folder
  }

  func folder(named name: String) throws(FileFailure) -> OpenFolder {
    OpenFolder(descriptor: try open(name, O_DIRECTORY))
  }

  /// Opens a regular file for reading.
  func file(named name: String) throws(FileFailure) -> (descriptor: Int32, facts: Facts) {
    // Does not wait for the writer of a FIFO.
    let descriptor = try open(name, O_NONBLOCK | O_NOCTTY)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileFailure(code: ENOENT)
    }
    return (descriptor, Facts(status))
  }

  private func open(_ name: String, _ flags: Int32) throws(FileFailure) -> Int32 {
    guard name != "..", name != ".", !name.contains("/"), !name.isEmpty else { throw FileFailure(code: ENOENT) }
    let child = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
    guard child >= 0 else { throw FileFailure() }
    return child
  }

  enum Status {
    case folder
    case file(Facts)
    /// A link, a socket, a FIFO or a device.
    case other
    case failure(FileFailure)
  }

  func status(of name: String) -> Status {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .failure(FileFailure()) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(Facts(status))
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// The size of the file system in blocks.
  var blocks: UInt64 {
    var status = statvfs()
    return fstatvfs(descriptor, &status) == 0 ? UInt64(status.f_blocks) : 0
  }

  /// The visible folders and files. Links, sockets, FIFOs and devices are left out.
  func entries(limit: Int) -> Names {
    var listing = Names()
    // A descriptor of its own, since the stream closes it and moves the offset.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      if copy >= 0 { close(copy) }
      listing.isIncomplete = true
      return listing
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        listing.isIncomplete = listing.isIncomplete || errno != 0
        return listing
      }
      let kind: Entry.Kind
      switch Int(entry.pointee.d_type) {
      case Int(DT_DIR): kind = .folder
      case Int(DT_REG): kind = .file
      case Int(DT_UNKNOWN): kind = .unknown
      default: continue
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name else {
        listing.unreadable += 1
        continue
      }
      if name.hasPrefix(".") { continue }
      guard listing.entries.count < limit else {
        (listing.isIncomplete, listing.isTooLarge) = (true, true)
        return listing
      }
      listing.entries.append(Entry(name: name, kind: kind))
    }
  }
}

extension OpenFolder.Facts {
  fileprivate init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}

/// An error of the system.
struct FileFailure: Error, CustomStringConvertible {
  let code: Int32

  init(code: Int32 = errno) { self.code = code }

  /// Whether there is no such file or folder, or a link has taken its place.
  var isMissing: Bool { [ENOENT, ENOTDIR, ELOOP].contains(code) }

  var description: String { String(cString: strerror(code)).lowercased() }
}
