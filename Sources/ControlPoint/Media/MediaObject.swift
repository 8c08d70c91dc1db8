import UPnP

/// A container or item of a media server (ContentDirectory:1 §2.8, appendix B).
public struct MediaObject: Sendable, Hashable, Identifiable {
  public enum Kind: String, Sendable, Hashable {
    case container, item
  }

  /// A person or group with a role, such as `Composer`.
  public struct Artist: Sendable, Hashable {
    public var name: String
    public var role: String?

    public init(_ name: String, role: String? = nil) {
      self.name = name
      self.role = role
    }
  }

  /// A picture of the object (ContentDirectory:1 §B.1.2).
  public struct Artwork: Sendable, Hashable {
    /// The URI as written. It may be relative on servers that break the specification.
    public var uri: String
    /// The DLNA profile, such as `JPEG_TN`, which bounds the size; nil if the server names none.
    public var profile: String?

    public init(_ uri: String, profile: String? = nil) {
      self.uri = uri
      self.profile = profile
    }
  }

  public let kind: Kind
  /// Empty if the server sent none. Such a container cannot be browsed.
  public internal(set) var id: String
  public internal(set) var parentID: String
  /// The id of the original, for a reference to another item.
  public internal(set) var refID: String?
  public internal(set) var isRestricted = true
  /// The number of objects in a container; nil if unknown.
  public internal(set) var childCount: Int?
  public internal(set) var title: String
  /// The class, such as `object.item.audioItem.musicTrack` (ContentDirectory:1 §7).
  public internal(set) var objectClass: String
  public internal(set) var creator: String?
  public internal(set) var artists: [Artist] = []
  public internal(set) var album: String?
  public internal(set) var genres: [String] = []
  /// As written, usually `YYYY-MM-DD`.
  public internal(set) var date: String?
  /// From 1.
  public internal(set) var originalTrackNumber: Int?
  /// The disc of an album with several ones, from 1. `AlbumOrder` also sets it.
  public package(set) var originalDiscNumber: Int?
  public internal(set) var description: String?
  public internal(set) var artworks: [Artwork] = []
  public internal(set) var resources: [MediaResource] = []

  /// The server's own XML. It is passed on to renderers with vendors' elements that are not read here.
  var source: Source?

  /// An object as a server wrote it.
  struct Source: Sendable, Hashable {
    /// The element, well-formed.
    var element: String
    /// The namespaces that are declared around it.
    var namespaces: [DIDLLite.Namespace]
  }

  /// An object that is on no server.
  public init(
    _ kind: Kind = .item, id: String = "0", parentID: String = "-1", title: String,
    objectClass: String = "object.item.audioItem.musicTrack", creator: String? = nil, artists: [Artist] = [],
    album: String? = nil, genres: [String] = [], date: String? = nil, originalTrackNumber: Int? = nil,
    originalDiscNumber: Int? = nil, description: String? = nil, albumArtURIs: [String] = [],
    resources: [MediaResource] = []
  ) {
    self.kind = kind
    self.id = id
    self.parentID = parentID
    self.title = title
    self.objectClass = objectClass
    self.creator = creator
    self.artists = artists
    self.album = album
    self.genres = genres
    self.date = date
    self.originalTrackNumber = originalTrackNumber
    self.originalDiscNumber = originalDiscNumber
    self.description = description
    artworks = albumArtURIs.map { Artwork($0) }
    self.resources = resources
  }

  public var albumArtURIs: [String] { artworks.map(\.uri) }

  public var isContainer: Bool { kind == .container }

  /// The performer to show: the first artist without a role, otherwise the first one, otherwise the creator.
  public var artist: String? {
    artists.first { $0.role == nil }?.name ?? artists.first?.name ?? creator
  }

  /// The duration of the first resource that has one.
  public var duration: Duration? { resources.lazy.compactMap(\.duration).first }

  /// Whether the class is this one or derived from it.
  public func isDerived(from objectClass: String) -> Bool {
    self.objectClass == objectClass || self.objectClass.hasPrefix(objectClass + ".")
  }
}

/// A `<res>`: one form in which an item can be played (ContentDirectory:1 §B.2).
public struct MediaResource: Sendable, Hashable {
  public var uri: String
  public var protocolInfo: ProtocolInfo
  public var duration: Duration?
  /// Bytes.
  public var size: UInt64?
  /// The attribute `bitrate` (ContentDirectory:1 §B.2.1).
  public var bytesPerSecond: Int?
  /// Hz.
  public var sampleFrequency: Int?
  public var bitsPerSample: Int?
  public var channels: Int?
  /// Pixels, as `WIDTHxHEIGHT`.
  public var resolution: String?
  public var protection: String?

  public init(
    uri: String, protocolInfo: ProtocolInfo = ProtocolInfo("http-get:*:*:*"), duration: Duration? = nil,
    size: UInt64? = nil, bytesPerSecond: Int? = nil, sampleFrequency: Int? = nil, bitsPerSample: Int? = nil,
    channels: Int? = nil, resolution: String? = nil, protection: String? = nil
  ) {
    self.uri = uri
    self.protocolInfo = protocolInfo
    self.duration = duration
    self.size = size
    self.bytesPerSecond = bytesPerSecond
    self.sampleFrequency = sampleFrequency
    self.bitsPerSample = bitsPerSample
    self.channels = channels
    self.resolution = resolution
    self.protection = protection
  }
}
