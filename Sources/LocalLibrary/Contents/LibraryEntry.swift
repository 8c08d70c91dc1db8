/// A track in the library.
package struct LibraryTrack: Sendable, Hashable {
  package var id: Int64
  package var folder: Int64
  /// Nil for a track without an album.
  package var album: Int64?
  /// The name of the file, without its folder.
  package var fileName: String
  /// The tag; without one, the name of the file without its extension.
  package var title: String
  package var artists: [String] = []
  package var albumArtists: [String] = []
  package var composers: [String] = []
  package var genres: [String] = []
  package var albumTitle: String?
  /// `1999`, `1999-05` or `1999-05-31`.
  package var date: String?
  package var number: Int?
  package var disc: Int?
  package var duration: Duration?
  /// Bytes.
  package var size: Int64
  /// Seconds since 1970.
  package var modified: Int64
  /// When the track was first seen; seconds since 1970.
  package var added: Int64
  package var mimeType: String
  /// Bits per second.
  package var bitRate: Int?
  /// Hz.
  package var sampleRate: Int?
  package var channels: Int?
  /// Nil for lossy formats.
  package var bitsPerSample: Int?
  package var cover: LibraryCoverID?

  package init(
    id: Int64, folder: Int64, fileName: String, title: String, size: Int64, modified: Int64, added: Int64,
    mimeType: String
  ) {
    self.id = id
    self.folder = folder
    self.fileName = fileName
    self.title = title
    self.size = size
    self.modified = modified
    self.added = added
    self.mimeType = mimeType
  }
}

/// A container with what its list shows of it.
package struct LibraryContainer: Sendable, Hashable {
  package var id: LibraryContainerID
  /// Nil for the root.
  package var parent: LibraryContainerID?
  /// Names, and English titles for the lists.
  package var title: String
  package var childCount: Int
  /// Changes with the contents (ContentDirectory:1 §2.5.21).
  package var updateID: UInt32
  /// Of an album.
  package var artist: String?
  /// Of an album: `1999`, `1999-05` or `1999-05-31`.
  package var date: String?
  /// Of an album: its genre, if all tracks have the same.
  package var genre: String?
  package var cover: LibraryCoverID?

  package init(
    id: LibraryContainerID, parent: LibraryContainerID?, title: String, childCount: Int, updateID: UInt32
  ) {
    self.id = id
    self.parent = parent
    self.title = title
    self.childCount = childCount
    self.updateID = updateID
  }
}

package enum LibraryEntry: Sendable, Hashable {
  case container(LibraryContainer)
  /// A track, as a child of the container.
  case track(LibraryTrack, parent: LibraryContainerID)
  /// An entry of a playlist that is not a file: a URL and its title.
  case link(String, title: String, position: Int, parent: LibraryContainerID)
}

/// A part of a list.
package struct LibraryPage: Sendable, Hashable {
  package var entries: [LibraryEntry]
  /// The number of entries in the whole list.
  package var total: Int
  /// Of the container.
  package var updateID: UInt32

  package init(entries: [LibraryEntry], total: Int, updateID: UInt32) {
    self.entries = entries
    self.total = total
    self.updateID = updateID
  }
}

/// A picture of the library.
package enum LibraryCoverID: Sendable, Hashable {
  /// In the audio file of a track.
  case embedded(Int64)
  /// A file in a folder.
  case folder(Int64)

  /// `t` or `f` and the id.
  package init?(_ text: String) {
    guard let id = LibraryID.parse(text.dropFirst()) else { return nil }
    switch text.first {
    case "t": self = .embedded(id)
    case "f": self = .folder(id)
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .embedded(let id): "t\(LibraryID.text(id))"
    case .folder(let id): "f\(LibraryID.text(id))"
    }
  }
}
