import MediaFiles
import SQLite

/// A file with its tags, as the index keeps it.
struct ScannedTrack {
  struct Heading {
    var id: Int64
    var list: LibraryContainerID.List
    var name: String
    var folded: String
    var sort: String

    /// - Returns: nil for a name without letters.
    init?(_ list: LibraryContainerID.List, _ name: String, sort: String? = nil) {
      folded = SortText.folded(name)
      guard !folded.isEmpty else { return nil }
      id = LibraryID.hash(list.rawValue, folded)
      self.list = list
      self.name = name
      self.sort = SortText.key(sort ?? name)
    }
  }

  let id: Int64
  let folder: Int64
  let volume: Int64
  let name: String
  /// Bytes.
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64
  /// Seconds since 1970.
  let added: Int64
  let mimeType: String
  let tags: AudioTags
  let album: AlbumIdentity?
  let headings: [Heading]
  let date: String?

  /// - Parameter path: of the folder.
  init(
    name: String, folder: Int64, path: String, volume: Int64, size: Int64, modified: Int64, added: Int64,
    mimeType: String, tags: AudioTags
  ) {
    id = LibraryID.hash("file", "\(path)/\(name)")
    self.folder = folder
    self.volume = volume
    self.name = name
    self.size = size
    self.modified = modified
    self.added = added
    self.mimeType = mimeType
    self.tags = tags
    album = AlbumIdentity(tags, folder: path)
    date = Self.date(tags)
    func people(_ list: LibraryContainerID.List, _ names: [String], sorts: [String] = []) -> [Heading] {
      names.enumerated().compactMap { index, name in
        Heading(list, name, sort: sorts.count == names.count ? sorts[index] : nil)
      }
    }
    var albumArtists = tags.albumArtists
    if albumArtists.isEmpty { albumArtists = tags.isCompilation ? [AlbumIdentity.variousArtists] : tags.artists }
    let sorts = tags.albumArtists.isEmpty ? tags.artistSorts : tags.albumArtistSorts
    headings =
      people(.artists, tags.artists, sorts: tags.artistSorts)
      + people(.albumArtists, albumArtists, sorts: sorts)
      + people(.composers, tags.composers) + people(.genres, tags.genres)
      + people(.years, date.map { [String($0.prefix(4))] } ?? [])
  }

  /// `1999`, `1999-05` or `1999-05-31`.
  private static func date(_ tags: AudioTags) -> String? {
    let parts = (tags.date ?? "").prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    let lengths = [4, 2, 2]
    let valid = zip(parts, lengths).prefix { part, length in
      part.utf8.count == length && part.utf8.allSatisfy { (0x30...0x39).contains($0) } && part.contains { $0 != "0" }
    }
    if !valid.isEmpty { return valid.map { String($0.0) }.joined(separator: "-") }
    guard let year = tags.year, (1...9999).contains(year) else { return nil }
    let text = String(year)
    return String(repeating: "0", count: 4 - text.count) + text
  }

  // MARK: Rows

  /// The fourth column is `present`.
  static let insertion = "INSERT OR REPLACE INTO track VALUES (?, ?, ?, 1\(String(repeating: ", ?", count: 24)))"

  private var title: String { tags.title ?? FileType.stem(name) }

  /// - Parameter added: of the row to replace.
  func values(added old: Int64?) -> [Database.Value] {
    [
      .integer(id), .integer(folder), .integer(volume), .text(name), .integer(size), .integer(modified),
      .integer(old ?? added), .text(mimeType), .text(title), .text(SortText.key(tags.titleSort ?? title)),
      .text(SortText.key(name)), .text(SortText.joined(tags.artists)), .text(SortText.joined(tags.albumArtists)),
      .text(SortText.joined(tags.composers)), .text(SortText.joined(tags.genres)), .integer(album?.id ?? 0),
      .init(album?.title), .init(tags.albumSort), .init(date), .init(tags.track), .init(album?.disc ?? tags.disc),
      .init(tags.duration.map { Int($0 / .milliseconds(1)) }), .init(tags.bitRate), .init(tags.sampleRate),
      .init(tags.channels), .init(tags.bitsPerSample), .integer(tags.pictureType == nil ? 0 : 1),
    ]
  }

  var words: [Database.Value] {
    let albumArtists =
      tags.albumArtists.isEmpty && tags.isCompilation ? [AlbumIdentity.variousArtists] : tags.albumArtists
    return [
      .text(SortText.folded(title)), .text(SortText.folded(tags.artists)),
      .text(SortText.folded(album?.title ?? "")), .text(SortText.folded(albumArtists)),
      .text(SortText.folded(tags.composers)), .text(SortText.folded(tags.genres)),
    ]
  }
}
