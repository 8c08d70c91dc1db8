import MediaFiles

/// Decides which tracks form an album.
///
/// 1. Tracks with the same release in MusicBrainz.
/// 2. Otherwise, those with the same title and album artist, in any folder. A compilation without album artists has
///    "Various Artists".
/// 3. Without both, those with the same title in one folder, also by different artists.
///
/// Discs are one album: folders such as `CD 2` count as the folder above, and ` (Disc 2)` is no part of a title.
struct AlbumIdentity: Equatable {
  static let variousArtists = "Various Artists"

  let id: Int64
  /// Without the disc.
  let title: String
  /// The tag, or the number in the title or in the name of the folder.
  let disc: Int?

  /// - Parameter folder: the path of the track's folder.
  /// - Returns: nil for a track without an album.
  init?(_ tags: AudioTags, folder: String) {
    guard let album = tags.album else { return nil }
    let (title, discOfTitle) = Self.withoutDisc(album)
    let (parent, discOfFolder) = Self.withoutDiscFolder(folder)
    self.title = title
    disc = tags.disc ?? discOfTitle ?? discOfFolder
    let name = SortText.folded(title)
    let artists = tags.albumArtists.isEmpty && tags.isCompilation ? [Self.variousArtists] : tags.albumArtists
    id =
      if let release = tags.albumID {
        LibraryID.hash("release", release.lowercased())
      } else if !artists.isEmpty {
        LibraryID.hash("album", name + SortText.folded(artists))
      } else {
        LibraryID.hash("folder album", "\(name)\u{1F}\(parent)")
      }
  }

  /// `Title (Disc 2)`, `Title [CD2]`, `Title, Disc 2` and `Title - CD 2` have a disc.
  static func withoutDisc(_ title: String) -> (title: String, disc: Int?) {
    var rest = title[...]
    func trim() { while rest.last == " " { rest.removeLast() } }
    let closing = rest.last
    let isBracketed = closing == ")" || closing == "]"
    if isBracketed { rest.removeLast() }
    guard let disc = dropDisc(from: &rest), let before = rest.last else { return (title, nil) }
    if isBracketed {
      guard before == (closing == ")" ? "(" : "[") else { return (title, nil) }
    } else {
      trim()
      guard let mark = rest.last, ",-:–".contains(mark) else { return (title, nil) }
    }
    rest.removeLast()
    trim()
    return rest.isEmpty ? (title, nil) : (String(rest), disc)
  }

  /// The folder above a folder named like a disc.
  static func withoutDiscFolder(_ path: String) -> (path: String, disc: Int?) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return (path, nil) }
    var name = path[path.index(after: slash)...]
    guard let disc = dropDisc(from: &name), name.isEmpty else { return (path, nil) }
    return (String(path[..<slash]), disc)
  }

  /// Removes a disc and its number, such as `CD 2`, from the end.
  private static func dropDisc(from text: inout Substring) -> Int? {
    var rest = text
    var digits = ""
    while let last = rest.last, last.isASCII, last.isWholeNumber {
      digits = "\(last)\(digits)"
      rest.removeLast()
    }
    guard digits.count <= 2, let disc = Int(digits), disc > 0 else { return nil }
    while let last = rest.last, " .#_-".contains(last) { rest.removeLast() }
    let lower = rest.lowercased()
    guard let word = ["disc", "disk", "cd"].first(where: { lower.hasSuffix($0) }) else { return nil }
    rest = rest.dropLast(word.count)
    // Not the end of a longer word.
    guard rest.last?.isLetter != true else { return nil }
    text = rest
    return disc
  }
}
