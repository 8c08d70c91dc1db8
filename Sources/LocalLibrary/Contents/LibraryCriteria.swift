/// What to search for: the criteria of ContentDirectory:1 §2.5.5.
package indirect enum LibraryCriteria: Sendable, Hashable {
  /// `*`
  case all
  case and(LibraryCriteria, LibraryCriteria)
  case or(LibraryCriteria, LibraryCriteria)
  case compare(LibraryProperty, LibraryOperator, String)
  case exists(LibraryProperty, Bool)
}

/// Comparisons of texts ignore case and accents. Numbers and dates are compared as such.
package enum LibraryOperator: String, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case contains
  case doesNotContain
  case derivedFrom = "derivedfrom"
  case startsWith
}

/// A property that can be searched, by its name in UPnP.
package enum LibraryProperty: String, Sendable, CaseIterable {
  case id = "@id"
  case parentID = "@parentID"
  case upnpClass = "upnp:class"
  case title = "dc:title"
  /// The artist of a track, or of an album.
  case creator = "dc:creator"
  case artist = "upnp:artist"
  case albumArtist = "upnp:albumArtist"
  case composer = "upnp:author"
  case album = "upnp:album"
  case genre = "upnp:genre"
  case date = "dc:date"
  case trackNumber = "upnp:originalTrackNumber"
  case discNumber = "upnp:originalDiscNumber"
  case size = "res@size"
  /// As `H:MM:SS`.
  case duration = "res@duration"
  /// Bytes per second.
  case bitRate = "res@bitrate"
  case sampleRate = "res@sampleFrequency"
  case bitsPerSample = "res@bitsPerSample"
  case channels = "res@nrAudioChannels"
  /// `http-get:*:MIME:*`
  case protocolInfo = "res@protocolInfo"
  case res
  case albumArtURI = "upnp:albumArtURI"
  case refID = "@refID"
}

/// A key of an order. Properties without an order are ignored.
package struct LibrarySortKey: Sendable, Hashable {
  package var property: LibraryProperty
  package var isAscending: Bool

  package init(_ property: LibraryProperty, isAscending: Bool = true) {
    self.property = property
    self.isAscending = isAscending
  }

  /// The properties with an order.
  package static let properties: [LibraryProperty] = [
    .title, .creator, .artist, .albumArtist, .album, .genre, .date, .trackNumber, .discNumber, .upnpClass, .duration,
    .size, .bitRate,
  ]
}
