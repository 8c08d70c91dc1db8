import ControlPoint
import FoundationEssentials
import UPnP

/// Maps pictures on other hosts to paths on this server, so that browsers load nothing from other sites.
///
/// A client names a key, not a URL, so the proxy fetches only URLs from metadata. A key is the URL with a seal, so the speaker
/// stores nothing. Keys are valid until it restarts.
package struct ArtLinks: Sendable {
  static let folder = "/api/art/"
  /// The pictures of the speaker's own sources. An address of another host with such a path shows no picture.
  private static let ownFolder = "/source-art/"
  /// Maximum bytes of one URL.
  private static let maximumLength = 2048
  private static let sealLength = 32
  /// Between the URLs of a picture and a track, and the size of the track. No URL contains it.
  private static let separator = "\n"

  /// Seals cannot be computed outside this process.
  private let salt = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  package init() {}

  /// The path of a picture under `/api/art/`; nil for an address that is never fetched: one that is neither `http` nor
  /// `https`, or has a host that cannot be public.
  package func path(for url: String?) -> String? {
    guard let url, url.utf8.count <= Self.maximumLength, let parsed = ArtURL(url) else { return nil }
    // The proxy requests nothing from the speaker itself.
    if parsed.location.target.hasPrefix(Self.ownFolder) { return parsed.location.target }
    return path(sealing: url)
  }

  /// The path of the sharpest picture in DIDL-Lite metadata.
  package func path(inMetadata metadata: String) -> String? {
    guard metadata.contains("albumArtURI") else { return nil }
    return MediaObjects(didlLite: metadata).objects.first.flatMap { path(of: $0) }
  }

  /// The path of the sharpest picture of an object.
  func path(of object: MediaObject) -> String? {
    guard let url = ArtChoice.url(object.artworks, for: .full), let plain = path(for: url) else { return nil }
    guard let track = ArtChoice.track(object), let size = track.size, plain.hasPrefix(Self.folder),
      track.uri.utf8.count <= Self.maximumLength, ArtURL(track.uri) != nil
    else { return plain }
    return path(sealing: [url, track.uri, "\(size)"].joined(separator: Self.separator))
  }

  private func path(sealing text: String) -> String { Self.folder + seal(text) + Base64URL.encode(Array(text.utf8)) }

  /// The picture of a key; nil for a key that was never issued.
  func source(_ key: String) -> ArtSource? {
    guard key.utf8.count > Self.sealLength, let bytes = Base64URL.decode(key.dropFirst(Self.sealLength)) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let given = Array(key.utf8.prefix(Self.sealLength))
    guard ConstantTime.isEqual(given, Array(seal(text).utf8)) else { return nil }
    let parts = text.split(separator: Self.separator)
    guard let url = parts.first.flatMap({ ArtURL($0) }) else { return nil }
    guard parts.count == 3, let track = ArtURL(parts[1]), let size = Int(parts[2]) else { return ArtSource(url: url) }
    return ArtSource(url: url, track: ArtSource.Track(url: track, size: size))
  }

  /// 128 bits in hexadecimal digits, by Swift's SipHash, whose key is random in each process.
  private func seal(_ url: String) -> String {
    func hash(_ salt: UInt64) -> String {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(url)
      let digits = String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash(salt.0) + hash(salt.1)
  }
}

/// Where the proxy gets a picture from.
struct ArtSource: Sendable, Hashable {
  let url: ArtURL
  /// A track that may contain a sharper picture.
  var track: Track?

  struct Track: Sendable, Hashable {
    let url: ArtURL
    /// Bytes.
    let size: Int
  }
}

/// Base64 for paths, without padding (RFC 4648 §5).
private enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// - Returns: nil if the text is not valid.
  static func decode(_ text: Substring) -> [UInt8]? {
    let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: String(standard) + padding).map { Array($0) }
  }
}
