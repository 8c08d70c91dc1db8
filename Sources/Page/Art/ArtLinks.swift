import ControlPoint
import UPnP

/// Maps pictures on other hosts to paths on this server, so that browsers load nothing from other sites.
///
/// A client can name only a key, not a URL. So the proxy fetches only URLs from metadata. Used on the event loop.
package final class ArtLinks {
  static let folder = "/api/art/"
  /// Maximum bytes of all URLs with their keys. The least recently used ones are evicted: their pictures have been
  /// shown.
  private static let limit = 1 << 20
  /// Maximum bytes of one URL.
  private static let maximumLength = 2048
  private static let overhead = 128

  private var urls = LRUCache<String, ArtURL>(limit: limit)
  /// Keys cannot be computed outside this process.
  private let salt = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  package init() {}

  /// The path of a picture under `/api/art/`; nil for an address that is never fetched: one that is neither `http` nor
  /// `https`, or has a host that cannot be public.
  package func path(for url: String?) -> String? {
    guard let text = url, text.utf8.count <= Self.maximumLength, let url = ArtURL(text) else { return nil }
    let key = self.key(url)
    urls.insert(url, for: key, cost: text.utf8.count + Self.overhead)
    return Self.folder + key
  }

  /// The path of the picture in DIDL-Lite metadata that suits a use.
  package func path(inMetadata metadata: String, for use: ArtChoice.Use) -> String? {
    path(for: ArtChoice.url(inMetadata: metadata, for: use))
  }

  /// The URL of a key; nil for a key that was never issued, or was evicted.
  func url(_ key: String) -> ArtURL? { urls.value(key) }

  private func key(_ url: ArtURL) -> String {
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
