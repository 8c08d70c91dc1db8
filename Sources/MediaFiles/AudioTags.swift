import CTagLib

/// The tags and properties of an audio file. Texts are nil if the file has none, numbers if they are unknown.
package struct AudioTags: Sendable, Hashable {
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var genre: String?
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

  /// Reads a file.
  /// - Parameter path: the path of a regular file. Any other kind may block.
  /// - Returns: nil if TagLib does not know the format.
  package init?(path: String) {
    var tags = swiftlet_tags()
    guard swiftlet_tags_read(path, &tags) else { return nil }
    defer { swiftlet_tags_free(&tags) }
    func text(_ text: UnsafeMutablePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
    func number(_ number: UInt32) -> Int? { number == 0 ? nil : Int(number) }
    title = text(tags.title)
    artist = text(tags.artist)
    album = text(tags.album)
    albumArtist = text(tags.album_artist)
    genre = text(tags.genre)
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
}

/// The front cover in an audio file, otherwise its first picture.
package struct AudioPicture: Sendable, Hashable {
  /// Larger pictures are ignored.
  private static let maximumBytes = 16 << 20

  package var bytes: [UInt8]
  /// `image/jpeg` or `image/png`.
  package var mimeType: String

  /// - Returns: nil if there is none.
  package init?(path: String) {
    var picture = swiftlet_picture()
    guard swiftlet_picture_read(path, Self.maximumBytes, &picture) else { return nil }
    defer { swiftlet_picture_free(&picture) }
    bytes = Array(UnsafeBufferPointer(start: picture.bytes, count: picture.count))
    mimeType = String(cString: picture.type)
  }
}
