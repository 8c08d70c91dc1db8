import MediaFiles
import SQLite

/// Where a file of the library is.
struct FilePlace: Sendable {
  /// Of its folder.
  var path: String
  var name: String
  var mimeType: String

  /// Opens the file, without following links below the folders of the configuration. May wait for a disk.
  func open(_ settings: LibrarySettings) throws(LibraryError) -> LibraryFile {
    guard let root = settings.folders.first(where: { LibrarySettings.isBelow(path, $0) }) else { throw .missing }
    do throws(FileFailure) {
      let folder = try OpenFolder(root: root).folder(at: path.dropFirst(root.count))
      let file = try folder.file(named: name)
      return LibraryFile(
        descriptor: file.descriptor, size: file.facts.size, modified: file.facts.modified / 1_000_000_000,
        mimeType: mimeType)
    } catch {
      throw error.isMissing ? .missing : .failed("\(path)/\(name): \(error)")
    }
  }
}

extension LibraryReader {
  func file(ofTrack id: Int64) throws(DatabaseError) -> FilePlace? {
    try database.rows(
      "SELECT f.path, t.name, t.type FROM track t JOIN folder f ON f.id = t.folder WHERE t.id = ? AND t.present",
      .integer(id)
    ) { FilePlace(path: $0.text(0), name: $0.text(1), mimeType: $0.text(2)) }.first
  }

  func cover(ofFolder id: Int64) throws(DatabaseError) -> FilePlace? {
    try database.rows("SELECT path, cover FROM folder WHERE id = ? AND cover IS NOT NULL", .integer(id)) {
      FilePlace(path: $0.text(0), name: $0.text(1), mimeType: FileType.of($0.text(1)) ?? "image/jpeg")
    }.first
  }
}
