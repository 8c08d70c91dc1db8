import LocalLibrary
import UPnP

/// Writes entries of the library as DIDL-Lite (ContentDirectory:1 §2.8), with the properties that a filter includes.
///
/// The text is made on any thread, and the server's URL, which differs between networks, is filled in when the answer is written.
struct LibraryXML: Sendable {
  /// Larger answers end early. A client asks for the rest, since it sees the total.
  private static let maximumBytes = 16 << 20

  private let filter: DIDLFilter
  /// Between two of them is the server's URL.
  private var segments = [""]
  private var length = 0
  /// The number of objects.
  private(set) var count = 0

  init(filter: DIDLFilter) { self.filter = filter }

  /// The DIDL-Lite document as a result of an action.
  var document: NestedXML {
    NestedXML { [segments] xml in
      xml.markup(Self.tags[0])
      for (index, segment) in segments.enumerated() {
        if index > 0 { xml.text(xml.server) }
        xml.markup(segment)
      }
      xml.markup(Self.tags[1])
    }
  }

  /// The tags around the objects.
  private static let tags = DIDLLite.document("|").split(separator: "|").map(String.init)

  /// Appends an entry.
  /// - Parameter position: in its list, from 0; nil outside a list.
  /// - Returns: false without room for it.
  mutating func add(_ entry: LibraryEntry, position: Int?) -> Bool {
    guard length < Self.maximumBytes else { return false }
    count += 1
    switch entry {
    case .container(let container): add(container)
    case .track(let track, let parent):
      let isPlaylist = if case .entry(.playlists, _) = parent { true } else { false }
      add(track, as: .track(track.id, parent: parent, position: isPlaylist ? position : nil), in: parent)
    case .link(let url, let title, let position, let parent):
      add(url: url, title: title, as: .link(position: position, parent: parent), in: parent)
    }
    return true
  }

  // MARK: Objects

  private mutating func add(_ container: LibraryContainer) {
    markup("<container")
    attribute("id", container.id.text)
    attribute("parentID", container.parent?.text ?? "-1")
    attribute("restricted", "1")
    if filter.includes("searchable", of: "container") { attribute("searchable", "1") }
    if filter.includes("childCount", of: "container") { attribute("childCount", "\(container.childCount)") }
    markup(">")
    element("dc:title", container.title, isRequired: true)
    element("dc:creator", container.artist)
    element("upnp:class", container.id.upnpClass, isRequired: true)
    element("upnp:artist", container.artist)
    element("upnp:genre", container.genre)
    element("dc:date", container.date.map(Self.wholeDate))
    // Unknown (ContentDirectory:1 §B.3.10).
    if case .entry(.folders, _) = container.id { element("upnp:storageUsed", "-1", isRequired: true) }
    add(cover: container.cover)
    markup("</container>")
  }

  private mutating func add(_ track: LibraryTrack, as id: LibraryObjectID, in parent: LibraryContainerID) {
    let original = LibraryObjectID.original(of: track)
    begin(id, in: parent, original: id == original ? nil : original)
    element("dc:title", track.title, isRequired: true)
    element("dc:creator", track.artists.first ?? track.albumArtists.first)
    element("upnp:class", LibraryXML.track, isRequired: true)
    for artist in track.artists { element("upnp:artist", artist) }
    for artist in track.albumArtists { element("upnp:artist", artist, role: "AlbumArtist") }
    for composer in track.composers { element("upnp:artist", composer, role: "Composer") }
    for composer in track.composers { element("upnp:author", composer, role: "Composer") }
    element("upnp:album", track.albumTitle)
    for genre in track.genres { element("upnp:genre", genre) }
    element("dc:date", track.date.map(Self.wholeDate))
    element("upnp:originalTrackNumber", track.number.map(String.init))
    element("upnp:originalDiscNumber", track.disc.map(String.init))
    add(cover: track.cover)
    addResource(of: track)
    markup("</item>")
  }

  private mutating func add(url: String, title: String, as id: LibraryObjectID, in parent: LibraryContainerID) {
    begin(id, in: parent, original: nil)
    element("dc:title", title, isRequired: true)
    element("upnp:class", LibraryXML.link, isRequired: true)
    if filter.includes("res") {
      markup("<res protocolInfo=\"http-get:*:*:*\">\(XMLEscape.text(url))</res>")
    }
    markup("</item>")
  }

  private mutating func begin(
    _ id: LibraryObjectID, in parent: LibraryContainerID, original: LibraryObjectID?
  ) {
    markup("<item")
    attribute("id", id.text)
    attribute("parentID", parent.text)
    if let original, filter.includes("refID", of: "item") { attribute("refID", original.text) }
    attribute("restricted", "1")
    markup(">")
  }

  // MARK: Properties

  private mutating func add(cover: LibraryCoverID?) {
    guard let cover, filter.includes("upnp:albumArtURI") else { return }
    markup("<upnp:albumArtURI>")
    url(LibraryPath.cover(cover))
    markup("</upnp:albumArtURI>")
  }

  private mutating func addResource(of track: LibraryTrack) {
    guard filter.includes("res") else { return }
    let features = DLNAFeatures(mimeType: track.mimeType).text
    markup("<res")
    attribute("protocolInfo", "http-get:*:\(track.mimeType):\(features)")
    func optional(_ name: String, _ value: (some CustomStringConvertible)?) {
      if let value, filter.includes(name, of: "res") { attribute(name, value.description) }
    }
    optional("duration", track.duration.map(UPnPTime.textWithMilliseconds))
    optional("size", track.size)
    // Bytes per second, despite its name (ContentDirectory:1 §B.2.1.5).
    optional("bitrate", track.bitRate.map { $0 / 8 })
    optional("sampleFrequency", track.sampleRate)
    optional("bitsPerSample", track.bitsPerSample)
    optional("nrAudioChannels", track.channels)
    markup(">")
    url(LibraryPath.track(track))
    markup("</res>")
  }

  /// Appends an element unless the filter leaves it out.
  private mutating func element(_ name: String, _ text: String?, role: String? = nil, isRequired: Bool = false) {
    guard let text, isRequired || filter.includes(name) else { return }
    markup("<\(name)")
    if let role { attribute("role", role) }
    markup(">\(XMLEscape.text(text))</\(name)>")
  }

  private mutating func attribute(_ name: String, _ value: String) {
    markup(" \(name)=\"\(XMLEscape.attribute(value))\"")
  }

  private mutating func url(_ path: String) {
    segments.append(path)
    length += path.utf8.count
  }

  private mutating func markup(_ text: String) {
    segments[segments.count - 1] += text
    length += text.utf8.count
  }

  /// `1999` as `1999-01-01`: dc:date is a whole date (ContentDirectory:1 §B.2.13).
  static func wholeDate(_ date: String) -> String {
    switch date.utf8.count {
    case 4: "\(date)-01-01"
    case 7: "\(date)-01"
    default: date
    }
  }
}

// MARK: Classes

extension LibraryXML {
  static let track = "object.item.audioItem.musicTrack"
  static let link = "object.item.audioItem.audioBroadcast"
}

extension LibraryContainerID {
  /// ContentDirectory:1 §7.
  var upnpClass: String {
    switch self {
    case .root, .list, .entry(.years, _), .entry(.tracks, _): "object.container"
    case .entry(.albums, _), .entry(.recent, _), .album: "object.container.album.musicAlbum"
    case .entry(.artists, _), .entry(.albumArtists, _), .entry(.composers, _): "object.container.person.musicArtist"
    case .entry(.genres, _): "object.container.genre.musicGenre"
    case .entry(.playlists, _): "object.container.playlistContainer"
    case .entry(.folders, _): "object.container.storageFolder"
    }
  }
}
