import LocalLibrary

/// The paths of tracks and covers on the HTTP server.
enum LibraryPath {
  /// The routes, for the host. The last component is the id.
  static let tracks = "/library/tracks/{id}"
  static let covers = "\(coverFolder){id}"
  static let coverFolder = "/library/covers/"

  /// With the extension of the file, which some players look at.
  static func track(_ track: LibraryTrack) -> String {
    let start = "/library/tracks/\(LibraryID.text(track.id))"
    guard let dot = track.fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return start }
    let ending = track.fileName[dot...].dropFirst().lowercased()
    let isPlain = ending.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    return isPlain && (1...5).contains(ending.utf8.count) ? "\(start).\(ending)" : start
  }

  static func cover(_ cover: LibraryCoverID) -> String { coverFolder + cover.text }

  /// The id in the last component of a track's path.
  static func trackID(_ component: String) -> Int64? { LibraryID.parse(component.prefix { $0 != "." }) }
}
