import DeviceStack
import NIOCore

/// Serves the pictures that programs send with their tracks.
enum ProgramPictures {
  /// The page uses paths in this folder as they are.
  static let folder = "/source-art/"

  static func reply(_ bytes: [UInt8]?) -> HTTPReply {
    guard let bytes, let type = type(of: bytes) else { return HTTPReply(HTTPResponse(.notFound)) }
    return HTTPReply(
      HTTPResponse(
        .ok, headers: ["Content-Type": type, "Cache-Control": "max-age=86400"], body: ByteBuffer(bytes: bytes)))
  }

  /// Nil for anything that is no picture.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    return nil
  }
}
