import Glibc

public enum Resource: Sendable {
  case bytes([UInt8])
  /// A file, read while it is served.
  case file(String)

  public static func text(_ text: String) -> Resource { .bytes(Array(text.utf8)) }

  /// Opens the resource for reading; nil if the file does not exist.
  package func open() -> Content? {
    switch self {
    case .bytes(let bytes): Content(bytes)
    case .file(let path): OpenFile(path).map { file in Content(size: file.size) { file.read($0) } }
    }
  }
}

/// The content of a resource, readable by offset.
package struct Content {
  /// In bytes.
  package let size: Int
  /// Reads a range within `0..<size`. Returns fewer bytes if the file was truncated.
  package let read: (Range<Int>) -> [UInt8]

  init(size: Int, read: @escaping (Range<Int>) -> [UInt8]) {
    self.size = size
    self.read = read
  }

  init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { Array(bytes[$0]) }
  }

  /// Pseudo-random bytes that depend on the offset only (SplitMix64), so that a resumed download is consistent.
  static func garbage(size: Int) -> Content {
    Content(size: size) { range in
      range.map { offset in
        var z = UInt64(offset / 8 + 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt8(truncatingIfNeeded: (z ^ (z >> 31)) >> UInt64(offset % 8 * 8))
      }
    }
  }
}

/// An open file, closed on deinit.
private final class OpenFile {
  let size: Int
  private let descriptor: Int32

  /// Nil if the path cannot be opened or is not a regular file.
  init?(_ path: String) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  func read(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let more = pread(
          descriptor, buffer.baseAddress?.advanced(by: count), range.count - count, off_t(range.lowerBound + count))
        guard more > 0 else { return }
        count += more
      }
    }
  }
}
