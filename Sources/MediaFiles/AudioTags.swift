import CTagLib
import Glibc

/// The tags and properties of an audio file. Texts are nil or empty if the file has none, numbers are nil if they are unknown.
package struct AudioTags: Sendable, Hashable {
  package var title: String?
  package var artists: [String] = []
  package var album: String?
  package var albumArtists: [String] = []
  package var composers: [String] = []
  package var genres: [String] = []
  /// As written, such as `1999-05-31`.
  package var date: String?
  /// Forms for sorting, such as `Beatles, The`.
  package var titleSort: String?
  package var artistSorts: [String] = []
  package var albumSort: String?
  package var albumArtistSorts: [String] = []
  /// The release in MusicBrainz.
  package var albumID: String?
  package var isCompilation = false
  package var year: Int?
  package var track: Int?
  package var disc: Int?
  package var duration: Duration?
  /// Bits per second.
  package var bitRate: Int?
  /// Hz.
  package var sampleRate: Int?
  package var channels: Int?
  /// Nil for lossy formats.
  package var bitsPerSample: Int?
  /// The MIME type of the picture in the file: `image/jpeg` or `image/png`.
  package var pictureType: String?

  package init() {}

  /// Reads an open file.
  /// - Parameters:
  ///   - descriptor: of a regular file. Its offset changes.
  ///   - name: decides the format by its extension.
  /// - Returns: nil if TagLib does not know the format.
  package init?(descriptor: Int32, name: String) {
    var tags = swiftlet_tags()
    guard swiftlet_tags_read(descriptor, name, &tags) else { return nil }
    defer { swiftlet_tags_free(&tags) }
    func values(_ text: UnsafeMutablePointer<CChar>?) -> [String] {
      text.map { String(cString: $0).split(separator: SWIFTLET_TAG_SEPARATOR).map(String.init) } ?? []
    }
    func text(_ text: UnsafeMutablePointer<CChar>?) -> String? { Self.joined(values(text)) }
    func number(_ number: UInt32) -> Int? { number == 0 ? nil : Int(number) }
    title = text(tags.title)
    artists = values(tags.artist)
    album = text(tags.album)
    albumArtists = values(tags.album_artist)
    composers = values(tags.composer)
    genres = values(tags.genre)
    date = values(tags.date).first
    titleSort = text(tags.title_sort)
    artistSorts = values(tags.artist_sort)
    albumSort = text(tags.album_sort)
    albumArtistSorts = values(tags.album_artist_sort)
    albumID = values(tags.album_id).first
    isCompilation = tags.is_compilation
    year = number(tags.year)
    track = number(tags.track)
    disc = number(tags.disc)
    duration = number(tags.milliseconds).map { .milliseconds($0) }
    bitRate = number(tags.bit_rate).map { $0 * 1000 }
    sampleRate = number(tags.sample_rate)
    channels = number(tags.channels)
    bitsPerSample = number(tags.bits_per_sample)
    pictureType = tags.picture_type.map { String(cString: $0) }
  }

  /// Reads a file.
  /// - Returns: nil if it cannot be opened, is not a regular file, or is in a format that TagLib does not know.
  package init?(path: String) {
    guard let tags = withRegularFile(path, { AudioTags(descriptor: $0, name: path) }) else { return nil }
    self = tags
  }

  package var artist: String? { Self.joined(artists) }
  package var albumArtist: String? { Self.joined(albumArtists) }
  package var genre: String? { Self.joined(genres) }

  private static func joined(_ values: [String]) -> String? {
    values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// The front cover in an audio file, otherwise its first picture.
package struct AudioPicture: Sendable, Hashable {
  /// Larger pictures are ignored.
  private static let maximumBytes = 16 << 20

  package var bytes: [UInt8]
  /// `image/jpeg` or `image/png`.
  package var mimeType: String

  /// Reads an open file.
  /// - Parameters: as for the tags.
  /// - Returns: nil if there is none.
  package init?(descriptor: Int32, name: String) {
    var picture = swiftlet_picture()
    guard swiftlet_picture_read(descriptor, name, Self.maximumBytes, &picture) else { return nil }
    defer { swiftlet_picture_free(&picture) }
    bytes = Array(UnsafeBufferPointer(start: picture.bytes, count: picture.count))
    mimeType = String(cString: picture.type)
  }

  /// - Returns: nil if there is none.
  package init?(path: String) {
    guard let picture = withRegularFile(path, { AudioPicture(descriptor: $0, name: path) }) else { return nil }
    self = picture
  }
}

/// Opens a regular file for the body; any other kind may block.
private func withRegularFile<T>(_ path: String, _ body: (Int32) -> T?) -> T? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return body(descriptor)
}
