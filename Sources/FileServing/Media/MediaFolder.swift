import Glibc
import MediaFiles

/// The audio files of a folder or playlist, and the files' common cover.
package struct MediaFolder: Sendable, Hashable {
  package enum Entry: Sendable, Hashable {
    /// A path.
    case file(String)
    /// A playlist entry that is not a local file.
    case url(String, title: String?)
  }

  package var path: String
  /// The entries in natural order of their names, or in the order of the playlist.
  package var entries: [Entry]
  /// The path of a picture in the folder, otherwise in the folder above.
  package var cover: String?
  /// Whether the order is a playlist's, so tags do not change it.
  package var isPlaylist = false
}

/// The audio files at the user's path, grouped by folder. Reads no file except for a playlist.
package struct MediaScan: Sendable {
  package struct Limits: Sendable {
    package var files = 10_000
    /// Maximum nesting of folders.
    package var depth = 16
    /// Maximum number of names in all folders together.
    package var names = 200_000

    package init() {}
  }

  /// A file or folder that was left out.
  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
  }

  /// Folders with audio files, in natural order, each before the folders in it.
  package private(set) var folders: [MediaFolder] = []
  package private(set) var problems: [Problem] = []

  /// Entries in all folders.
  package private(set) var count = 0

  private static let maximumProblems = 100
  private let limits: Limits
  private var names = 0
  /// Folders that were read. A symbolic link may lead to one of them again.
  private var visited: Set<FileIdentity> = []
  private var isFull = false

  /// Looks for audio files.
  /// - Parameter path: a file, a playlist file or a folder, which is searched with all folders in it.
  /// - Throws: ``Problem`` if the path cannot be read. A folder without audio files gives an empty result.
  package init(_ path: String, limits: Limits = Limits()) throws(Problem) {
    self.limits = limits
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    switch FileKind(path) {
    case .folder: try readRoot(path)
    case .file:
      if let format = FileType.playlist(path) {
        try readPlaylist(path, format)
      } else if FileType.audio(path) != nil {
        let folder = Self.parent(path)
        let cover = (try? Self.list(folder)).flatMap { FileType.cover(among: $0.names) }.map { "\(folder)/\($0)" }
        folders = [MediaFolder(path: folder, entries: [.file(path)], cover: cover)]
        count = 1
      } else {
        throw Problem(path: path, reason: "not an audio file")
      }
    case .other: throw Problem(path: path, reason: "neither a file nor a folder")
    case .failure(let code): throw Problem(path: path, reason: String(cString: strerror(code)))
    }
  }

  private mutating func readRoot(_ path: String) throws(Problem) {
    let contents = try Self.list(path)
    read(path, contents, cover: nil, depth: 0)
  }

  private mutating func read(_ path: String, _ contents: (names: [String], unreadable: Int), cover: String?, depth: Int)
  {
    if case .folder(let identity) = FileKind(path), !visited.insert(identity).inserted { return }
    if contents.unreadable > 0 { report(path, "names that are not UTF-8: \(contents.unreadable)") }
    let sorted = contents.names.map { NaturalName($0) }.sorted()
    names += sorted.count
    let cover = FileType.cover(among: contents.names).map { "\(path)/\($0)" } ?? cover
    var files: [MediaFolder.Entry] = []
    var subfolders: [String] = []
    for name in sorted.lazy.map(\.name) {
      let full = path == "/" ? "/\(name)" : "\(path)/\(name)"
      switch FileKind(full) {
      case .folder: subfolders.append(full)
      case .file where FileType.audio(name) != nil:
        guard count < limits.files else {
          fill("there are more than \(limits.files) audio files", path)
          break
        }
        count += 1
        files.append(.file(full))
      case .failure(let code) where FileType.audio(name) != nil || code != ENOENT:
        report(full, String(cString: strerror(code)))
      default: break
      }
    }
    if !files.isEmpty { folders.append(MediaFolder(path: path, entries: files, cover: cover)) }
    for folder in subfolders { descend(folder, cover: cover, depth: depth + 1) }
  }

  private mutating func descend(_ path: String, cover: String?, depth: Int) {
    guard !isFull else { return }
    guard depth <= limits.depth else { return report(path, "more than \(limits.depth) folders deep") }
    guard names < limits.names else { return fill("there are more than \(limits.names) files", path) }
    do {
      read(path, try Self.list(path), cover: cover, depth: depth)
    } catch {
      report(error.path, error.reason)
    }
  }

  private mutating func readPlaylist(_ path: String, _ format: PlaylistFile.Format) throws(Problem) {
    let bytes = try Self.contents(path, limit: PlaylistFile.maximumBytes)
    let folder = Self.parent(path)
    var entries: [MediaFolder.Entry] = []
    for entry in PlaylistFile.entries(bytes, format: format).prefix(limits.files) {
      if PlaylistFile.isURL(entry.location) {
        entries.append(.url(entry.location, title: entry.title))
      } else if let file = PlaylistFile.path(entry.location, folder: folder), let found = Self.existing(file) {
        if FileType.audio(found) != nil { entries.append(.file(found)) } else { report(found, "not an audio file") }
      } else {
        report(entry.location, "in the playlist, but not found")
      }
    }
    folders = [MediaFolder(path: folder, entries: entries, cover: nil, isPlaylist: true)]
    count = entries.count
  }

  /// The path, or the one with slashes instead of the backslashes of Windows; nil if neither is a file.
  private static func existing(_ path: String) -> String? {
    let candidates = [path, String(path.map { $0 == "\\" ? "/" : $0 })]
    return candidates.first { path in if case .file = FileKind(path) { true } else { false } }
  }

  private mutating func fill(_ reason: String, _ path: String) {
    guard !isFull else { return }
    isFull = true
    report(path, "\(reason); the rest is ignored")
  }

  private mutating func report(_ path: String, _ reason: String) {
    if problems.count < Self.maximumProblems { problems.append(Problem(path: path, reason: reason)) }
  }

  private static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension MediaScan {
  private static func list(_ path: String) throws(Problem) -> (names: [String], unreadable: Int) {
    guard let folder = opendir(path) else { throw Problem(path: path, reason: String(cString: strerror(errno))) }
    defer { closedir(folder) }
    var names: [String] = []
    var unreadable = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name else {
        unreadable += 1
        continue
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return (names, unreadable)
  }

  private static func contents(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
    guard let file = fopen(path, "re") else { throw Problem(path: path, reason: String(cString: strerror(errno))) }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = fread(buffer.baseAddress, 1, limit, file)
    }
  }
}

private struct FileIdentity: Hashable {
  var device: UInt
  var number: UInt
}

/// The kind of file at a path, after symbolic links.
private enum FileKind {
  case file
  case folder(FileIdentity)
  case other
  case failure(Int32)

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .failure(errno)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder(FileIdentity(device: UInt(status.st_dev), number: UInt(status.st_ino)))
    default: self = .other
    }
  }
}
