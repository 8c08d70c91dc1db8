import Glibc

/// An open regular file within the library's folders, closed on deinit.
package final class LibraryFile: Sendable {
  package let descriptor: Int32
  /// Bytes.
  package let size: Int64
  /// Seconds since 1970.
  package let modified: Int64
  package let mimeType: String

  /// - Parameter descriptor: of a regular file; belongs to this object from now on.
  package init(descriptor: Int32, size: Int64, modified: Int64, mimeType: String) {
    self.descriptor = descriptor
    self.size = size
    self.modified = modified
    self.mimeType = mimeType
  }

  deinit { close(descriptor) }
}

/// A picture: JPEG or PNG.
package enum LibraryCover: Sendable {
  case bytes([UInt8], mimeType: String)
  case file(LibraryFile)
}
