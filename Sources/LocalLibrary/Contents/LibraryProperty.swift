/// The properties of entries that can be searched, by their names in UPnP.
package enum LibraryProperty: String, Sendable, CaseIterable {
  case refID = "@refID"
  case upnpClass = "upnp:class"
  case title = "dc:title"
  /// The artist of a track, or of an album.
  case creator = "dc:creator"
  case artist = "upnp:artist"
  case albumArtist = "upnp:albumArtist"
  /// Composers.
  case author = "upnp:author"
  case album = "upnp:album"
  case genre = "upnp:genre"
  case date = "dc:date"
  case trackNumber = "upnp:originalTrackNumber"
  case discNumber = "upnp:originalDiscNumber"
  case albumArtURI = "upnp:albumArtURI"
  case resource = "res"
  case size = "res@size"
  /// As `H:MM:SS`.
  case duration = "res@duration"
  /// Bytes per second.
  case bitRate = "res@bitrate"
  case sampleRate = "res@sampleFrequency"
  case bitsPerSample = "res@bitsPerSample"
  case channels = "res@nrAudioChannels"
  /// `http-get:*:TYPE:*`
  case protocolInfo = "res@protocolInfo"

  /// For GetSearchCapabilities.
  package static let searchable = allCases.map(\.rawValue)

  /// For GetSortCapabilities.
  package static let sortable = [
    title, creator, artist, albumArtist, author, album, genre, date, trackNumber, discNumber, upnpClass, duration, size,
    bitRate,
  ].map(\.rawValue)
}
