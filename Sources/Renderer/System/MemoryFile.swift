import CLinux
import Glibc

/// A file in memory, which lasts as long as this object.
final class MemoryFile {
  private let descriptor: Int32
  private(set) var count = 0

  /// Nil if there is no memory.
  init?() {
    descriptor = swiftlet_memory_file("swiftlet")
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// A `file:` address, for this process only.
  var address: String { "file:///proc/self/fd/\(descriptor)" }

  /// - Returns: false if there is no memory. Nothing was appended then.
  func append(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let place = off_t(count + written)
      let length = bytes[written...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { return false }
      written += length
    }
    count += written
    return true
  }
}
