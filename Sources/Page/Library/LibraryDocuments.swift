import ControlPoint
import UPnP

/// The answer to GET /api/servers, and the event `servers`.
struct ServerList: Encodable, Hashable {
  var servers: [Entry] = []

  struct Entry: Encodable, Hashable {
    /// The UDN.
    var id: String
    var name: String
    /// Whether the server is this speaker; nil for others.
    var own: Bool?
    var icon: String?
    /// Nil until it is known.
    var searchable: Bool?
  }

  init() {}

  /// Sorts by name, and the speaker's own server first.
  init(_ entries: [Entry]) {
    func key(_ entry: Entry) -> (Int, String, String) { (entry.own == true ? 0 : 1, entry.name.lowercased(), entry.id) }
    servers = entries.sorted { key($0) < key($1) }
  }
}

/// A part of a container, or of the results of a search.
struct LibraryPage: Encodable, Hashable {
  /// The UDN of the server.
  var server: String
  /// For a search, the container that was searched.
  var container: String
  var title: String
  /// Nil for the root and for a search.
  var parent: String?
  /// Total number of objects; nil if the server does not report it.
  var total: Int?
  var offset: Int
  /// Changes with the content; empty if the server does not report it.
  var revision: String
  var items: [Item]
  /// The sharpest picture of the first track.
  var cover: String?

  struct Item: Encodable, Hashable {
    enum Kind: String, Encodable, Hashable {
      case container, track
    }

    var id: String
    var kind: Kind
    /// The UPnP class, such as `object.container.album.musicAlbum`.
    var `class`: String
    var title: String
    var artist: String?
    var album: String?
    var art: String?
    /// Whether the picture is too small for a tile; nil if not.
    var small: Bool?
    /// Numbers in the album, from 1.
    var disc: Int?
    var track: Int?
    /// Seconds.
    var duration: Double?
    /// Number of objects in a container.
    var count: Int?
    var year: Int?
  }
}

extension LibraryPage.Item {
  /// Maximum characters of a text in a list. Longer texts are cut.
  private static let maximumText = 1000

  init(_ object: MediaObject, art: String?) {
    let isSmall = art != nil && ArtChoice.isSmall(object)
    func text(_ text: String?) -> String? { text.map { String($0.prefix(Self.maximumText)) } }
    self.init(
      id: object.id, kind: object.isContainer ? .container : .track, class: String(object.objectClass.prefix(200)),
      title: text(object.title) ?? "", artist: text(object.artist), album: text(object.album), art: art,
      small: isSmall ? true : nil, disc: object.originalDiscNumber, track: object.originalTrackNumber,
      duration: object.isContainer ? nil : object.duration.map { $0 / .seconds(1) }, count: object.childCount,
      year: object.date.flatMap { Int($0.prefix(4)) }.flatMap { (1...9999).contains($0) ? $0 : nil })
  }
}

/// The answer to POST /api/library/play.
struct LibraryAddition: Encodable, Hashable {
  /// Tracks that were added to the queue.
  var added: Int
  /// False if a limit was reached, or a folder could not be read.
  var complete: Bool
  /// The token that brings back the queue that was replaced; nil if nothing was.
  var undo: String?
  /// Why not everything was added. The answer is then this problem.
  var failure: LibraryError?

  private enum CodingKeys: String, CodingKey { case added, complete, undo }
}
