import ControlPoint
import UPnP

/// Prints containers and items as text. Each line is complete by itself, so that long lists stream.
enum MediaListing {
  private static let timeWidth = 8

  static func show(_ object: MediaObject, asJSON: Bool) throws {
    if asJSON { try Terminal.json(MediaLine(object)) } else { Terminal.entry(line(object)) }
  }

  /// Duration, title, artist and album. A container's title ends with a slash.
  static func line(_ object: MediaObject) -> String {
    let time = object.duration.map { UPnPTime.text($0) } ?? ""
    let margin = String(repeating: " ", count: max(0, timeWidth - time.count)) + time + "  "
    if object.isContainer {
      return margin + object.title + "/" + (object.childCount.map { "  (\($0))" } ?? "")
    }
    return margin + [object.title, object.artist, object.album].compactMap { $0 }.joined(separator: " — ")
  }

  /// An item with all its resources.
  static func details(_ object: MediaObject) {
    Terminal.heading(object.title)
    let artists = object.artists.map { artist in artist.role.map { "\(artist.name) (\($0))" } ?? artist.name }
    Terminal.details([
      ("id", object.id), ("class", object.objectClass), ("artist", artists.joined(separator: ", ")),
      ("creator", object.creator ?? ""), ("album", object.album ?? ""),
      ("disc", object.originalDiscNumber.map { "\($0)" } ?? ""),
      ("track", object.originalTrackNumber.map { "\($0)" } ?? ""), ("genre", object.genres.joined(separator: ", ")),
      ("date", object.date ?? ""), ("about", object.description ?? ""),
      ("cover", object.albumArtURIs.joined(separator: " ")),
    ])
    for resource in object.resources {
      Terminal.print("")
      Terminal.print("  \(resource.uri)")
      Terminal.print("  " + facts(resource).joined(separator: ", "))
    }
  }

  private static func facts(_ resource: MediaResource) -> [String] {
    [
      resource.protocolInfo.text, resource.duration.map { UPnPTime.text($0) },
      resource.sampleFrequency.map { "\($0) Hz" }, resource.bitsPerSample.map { "\($0) bit" },
      resource.channels.map { $0 == 1 ? "1 channel" : "\($0) channels" },
      resource.bytesPerSecond.map { "\($0 / 125) kbit/s" }, resource.size.map { "\($0) bytes" }, resource.resolution,
    ].compactMap { $0 }
  }
}

/// A container or item in JSON.
struct MediaLine: Encodable {
  struct Artist: Encodable {
    var name: String
    var role: String?
  }

  struct Resource: Encodable {
    var uri, protocolInfo: String
    /// Seconds.
    var duration: Double?
    var size: UInt64?
    /// Bytes per second.
    var bytesPerSecond: Int?
    var sampleFrequency, bitsPerSample, channels: Int?
  }

  var type, id, parent, title, `class`: String
  var childCount: Int?
  var creator, album, date, description: String?
  var artists: [Artist]
  var genres, covers: [String]
  var disc, track: Int?
  var resources: [Resource]

  init(_ object: MediaObject) {
    type = object.kind.rawValue
    id = object.id
    parent = object.parentID
    title = object.title
    self.class = object.objectClass
    childCount = object.childCount
    creator = object.creator
    album = object.album
    date = object.date
    description = object.description
    artists = object.artists.map { Artist(name: $0.name, role: $0.role) }
    genres = object.genres
    covers = object.albumArtURIs
    disc = object.originalDiscNumber
    track = object.originalTrackNumber
    resources = object.resources.map {
      Resource(
        uri: $0.uri, protocolInfo: $0.protocolInfo.text, duration: $0.duration.map { $0 / .seconds(1) }, size: $0.size,
        bytesPerSecond: $0.bytesPerSecond, sampleFrequency: $0.sampleFrequency, bitsPerSample: $0.bitsPerSample,
        channels: $0.channels)
    }
  }
}
