/// Where the library's music is.
package struct LibrarySettings: Sendable, Hashable {
  package static let maximumFolders = 16

  /// Absolute paths without a slash at the end. Files outside are never read.
  package internal(set) var folders: [String]
  /// Whether to scan with a low priority.
  package var isInBackground = true
  var maximumDepth = 32
  var maximumTracks = 500_000
  /// Entries of one folder. More are ignored, because a folder is read as a whole.
  var maximumEntries = 50_000

  /// - Parameter folders: absolute paths. One within another is left out.
  package init(folders: [String]) {
    var kept: [String] = []
    for folder in Set(folders.map(Self.normalized)).sorted() where !kept.contains(where: { Self.isBelow(folder, $0) }) {
      kept.append(folder)
    }
    self.folders = Array(kept.prefix(Self.maximumFolders))
  }

  /// Whether a path is a folder or below it.
  static func isBelow(_ path: String, _ folder: String) -> Bool {
    path == folder || folder == "/" || path.hasPrefix(folder + "/")
  }

  /// Without repeated slashes, and none at the end.
  private static func normalized(_ path: String) -> String {
    "/" + path.split(separator: "/").joined(separator: "/")
  }
}
