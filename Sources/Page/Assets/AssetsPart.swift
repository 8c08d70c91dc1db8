import DeviceStack
import NIOCore
import NIOHTTP1

/// Serves the files of the page: `index.html` at `/`, `companion.html` at `/companion` if that is on, the others below
/// `/page/`.
///
/// The pages name the other files below `/page/VERSION/`, where browsers keep them for a year. Modules name each other
/// relative to their own address. A file is compressed at its first request. A page that is never opened costs no memory.
final class AssetsPart: PagePart {
  /// A file as it is sent, compressed or not, and its entity tag.
  private struct Form {
    var body: ByteBuffer
    var tag: String
  }

  private static let companion = "companion.html"
  private static let folder = "/page/"
  private static let versioned = "/page/\(Asset.version)/"

  private let assets: [Asset]
  private var compressed: [String: Form] = [:]

  init(_ assets: [Asset] = Asset.all, hasCompanion: Bool = false) {
    self.assets = assets.filter { hasCompanion || $0.name != Self.companion }
  }

  func add(to routes: PageRoutes) {
    for asset in assets {
      let paths =
        switch asset.name {
        case "index.html": ["/"]
        case Self.companion: ["/companion"]
        default: [Self.folder + asset.name, Self.versioned + asset.name]
        }
      for path in paths {
        routes.get(path) { [self] request in
          var response = response(asset, for: request.headers)
          if path.hasPrefix(Self.versioned) {
            response.headers.replaceOrAdd(name: "Cache-Control", value: "max-age=31536000, immutable")
          }
          return .response(response)
        }
      }
    }
  }

  func response(_ asset: Asset, for headers: HTTPHeaders) -> HTTPResponse {
    var response = HTTPResponse(
      .ok, headers: ["Content-Type": asset.contentType, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"])
    let form: Form
    if asset.isText, Self.acceptsGzip(headers), let made = compressedForm(asset) {
      form = made
      response.headers.add(name: "Content-Encoding", value: "gzip")
    } else {
      let bytes = Self.bytes(asset)
      form = Form(body: ByteBuffer(bytes: bytes), tag: HTTPResponse.hash(bytes))
    }
    response.headers.add(name: "ETag", value: "\"\(form.tag)\"")
    response.body = form.body
    return response
  }

  /// The bytes of a file; in a page, with the versioned addresses of the other files.
  private static func bytes(_ asset: Asset) -> [UInt8] {
    guard asset.name.hasSuffix(".html") else { return asset.bytes }
    let parts = String(decoding: asset.bytes, as: UTF8.self).split(
      separator: "\"\(folder)", omittingEmptySubsequences: false)
    return Array(parts.joined(separator: "\"\(versioned)").utf8)
  }

  private func compressedForm(_ asset: Asset) -> Form? {
    if let known = compressed[asset.name] { return known }
    let bytes = Self.bytes(asset)
    guard let small = Gzip.compress(bytes) else { return nil }
    let form = Form(body: ByteBuffer(bytes: small), tag: HTTPResponse.hash(bytes) + "-gzip")
    compressed[asset.name] = form
    return form
  }

  /// Whether Accept-Encoding names gzip with a quality other than 0 (RFC 9110 §12.5.3).
  static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: "accept-encoding"].contains { field in
      let parts = field.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
      guard let name = parts.first, name == "gzip" || name == "*" else { return false }
      guard let quality = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return true }
      return (Double(quality.dropFirst(2)) ?? 0) > 0
    }
  }
}
