import CZlib
import NIOCore
import UPnP

/// A file of the page, embedded in the program.
struct Asset: Sendable {
  private enum Content: Sendable {
    case text(StaticString)
    case base64(StaticString)
  }

  /// The path below `web`.
  let name: String
  private let content: Content

  init(_ name: String, text: StaticString) {
    self.name = name
    content = .text(text)
  }

  init(_ name: String, base64: StaticString) {
    self.name = name
    content = .base64(base64)
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    switch content {
    case .text(let text): text.withUTF8Buffer { [UInt8]($0) }
    case .base64(let text): text.withUTF8Buffer { Base64.decode($0) } ?? []
    }
  }

  /// Whether compression is worth it. Pictures are compressed already.
  var isText: Bool {
    if case .text = content { true } else { false }
  }

  /// The media type by the file's extension.
  var contentType: String {
    switch name.split(separator: ".").last ?? "" {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    default: "application/octet-stream"
    }
  }
}

/// The gzip format (RFC 1952).
enum Gzip {
  /// - Returns: nil if there is not enough memory.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard swiftlet_zlib_start_gzip(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      let bound = Int(deflateBound(&stream, UInt(input.count)))
      var isComplete = false
      let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(bound)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = bound - Int(stream.avail_out)
      }
      return isComplete ? output : nil
    }
  }
}
