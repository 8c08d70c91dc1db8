import NIOCore

/// The picture formats that the proxy passes on, recognized by their first bytes. The server's Content-Type is ignored,
/// so that a web page cannot be passed off as a picture.
enum ImageType: String, Hashable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"

  /// - Returns: nil for any other format, including SVG, which may contain scripts.
  init?(_ bytes: some Collection<UInt8>) {
    func begins(_ text: [UInt8]) -> Bool { bytes.starts(with: text) }
    if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins([0x89] + Array("PNG\r\n\u{1A}\n".utf8)) {
      self = .png
    } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }
}
