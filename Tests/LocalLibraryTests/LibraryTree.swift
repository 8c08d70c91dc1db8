import Glibc
import LocalLibrary
import Logging
import UPnP

struct SetupError: Error {
  let call: String
  let code = errno
}

/// A folder with music, and one for an index, deleted on deinit.
final class LibraryTree: Sendable {
  let path: String
  let index: String
  private let base: String

  init() throws {
    var template = Array("/tmp/swiftlet-library-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SetupError(call: "mkdtemp") }
    base = String(cString: made)
    path = "\(base)/music"
    index = "\(base)/index"
    for folder in [path, index] where mkdir(folder, 0o755) != 0 { throw SetupError(call: "mkdir") }
  }

  deinit { Self.remove(base) }

  /// Removes a file or a folder with all in it.
  static func remove(_ path: String) {
    guard Glibc.remove(path) != 0, errno == ENOTEMPTY || errno == EEXIST, let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
        }
      }
      if name == [46] || name == [46, 46] { continue }
      let bytes = path.utf8.map { CChar(bitPattern: $0) } + [47] + name + [0]
      if Glibc.remove(bytes) != 0 { remove(String(cString: bytes)) }
    }
    closedir(folder)
    Glibc.remove(path)
  }

  /// Writes a file in the folders that its name contains, then moves it into place.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw SetupError(call: "mkdir") }
    }
    let file = "\(path)/\(name)"
    guard let stream = fopen(file, "w") else { throw SetupError(call: "fopen") }
    defer { fclose(stream) }
    guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw SetupError(call: "fwrite") }
    return file
  }

  /// Writes a FLAC file.
  @discardableResult
  func track(
    _ name: String, _ tags: KeyValuePairs<String, String> = [:], picture: [UInt8] = [], seconds: Int = 60
  ) throws -> String {
    try write(name, Self.flac(tags, picture: picture, seconds: seconds))
  }

  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 100)

  /// A FLAC file of a header and tags.
  static func flac(_ tags: KeyValuePairs<String, String>, picture: [UInt8] = [], seconds: Int = 60) -> [UInt8] {
    func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    func little(_ text: [UInt8]) -> [UInt8] { big(text.count).reversed() + text }
    let rate = 44_100
    let info =
      big(4096, 2) + big(4096, 2) + Array(repeating: 0, count: 6)
      + big(rate << 44 | 1 << 41 | 15 << 36 | rate * seconds, 8) + Array(repeating: 0, count: 16)
    let comments = tags.map { little(Array("\($0)=\($1)".utf8)) }
    let comment = little(Array("test".utf8)) + big(comments.count).reversed() + comments.flatMap(\.self)
    var blocks = [(0, info), (4, comment)]
    if !picture.isEmpty {
      let type = Array("image/jpeg".utf8)
      blocks.append(
        (6, big(3) + big(type.count) + type + [0, 1, 1, 24, 0].flatMap { big($0) } + big(picture.count) + picture))
    }
    let heads = blocks.enumerated().flatMap { index, block in
      [UInt8(block.0 | (index == blocks.count - 1 ? 0x80 : 0))] + big(block.1.count, 3) + block.1
    }
    return Array("fLaC".utf8) + heads + [0xFF, 0xF8, 0xC9, 0x18] + Array(repeating: 0, count: 400)
  }

  var settings: LibrarySettings {
    var settings = LibrarySettings(folders: [path])
    // Other programs use the processor during tests.
    settings.isInBackground = false
    return settings
  }

  /// Runs the library until the body has returned. The first scan has ended before.
  func withLibrary(
    _ settings: LibrarySettings? = nil, _ body: (MusicLibrary) async throws -> Void
  ) async throws {
    let library = MusicLibrary(
      settings: settings ?? self.settings, in: index, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let task = Task { await library.run() }
    defer { task.cancel() }
    while library.status.lastScan == nil { try await Task.sleep(for: .milliseconds(5)) }
    try await body(library)
    task.cancel()
    await task.value
  }
}

extension MusicLibrary {
  /// The children of a container: titles of containers with a slash, of tracks without.
  func titles(_ container: String, sort: [SortKey] = [], range: Range<Int> = 0..<100) async throws -> [String] {
    try await page(container, sort: sort, range: range).entries.map(\.title)
  }

  func page(_ container: String, sort: [SortKey] = [], range: Range<Int> = 0..<100) async throws -> LibraryPage {
    guard let id = LibraryContainerID(container) else { throw LibraryError.missing }
    return try await children(of: id, sort: sort, range: range)
  }

  /// The text of the id of the child with a title.
  func child(_ title: String, of container: String) async throws -> String {
    for entry in try await page(container).entries where entry.title == title + "/" {
      if case .container(let container) = entry { return container.id.text }
    }
    throw LibraryError.missing
  }

  func track(_ title: String) async throws -> LibraryTrack {
    for case .track(let track, _) in try await page("tracks", range: 0..<1000).entries where track.title == title {
      return track
    }
    throw LibraryError.missing
  }

  func found(_ criteria: String, in container: String = "0") async throws -> [String] {
    guard let id = LibraryContainerID(container) else { throw LibraryError.missing }
    return try await search(try SearchCriteria(criteria), in: id, sort: [], range: 0..<100).entries.map(\.title)
  }

  /// Waits until the tracks have these titles, in their order.
  func waitForTracks(_ titles: [String]) async throws {
    while try await self.titles("tracks") != titles { try await Task.sleep(for: .milliseconds(20)) }
  }
}

extension LibraryEntry {
  var title: String {
    switch self {
    case .container(let container): container.title + "/"
    case .track(let track, _): track.title
    case .link(_, let title, _, _): title
    }
  }
}
