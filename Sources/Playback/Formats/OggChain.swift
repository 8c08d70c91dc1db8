import Glibc

/// Recognizes Ogg streams that follow one another in a file.
///
/// Source: RFC 3533 sections 4 (chains) and 6 (pages).
enum OggChain {
  /// Streams that are heard at the same time all begin here.
  private static let beginnings = 4096

  static func recognizes(_ head: UnsafeRawBufferPointer) -> Bool { head.prefix(4).elementsEqual("OggS".utf8) }

  /// Whether another stream begins in the bytes.
  /// - Parameter position: where in the file they lie.
  static func beginsAnother(in bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var start = max(0, beginnings - position)
    while let base = bytes.baseAddress, start < bytes.count,
      let mark = memchr(base + start, Int32(UInt8(ascii: "O")), bytes.count - start)
    {
      let index = UnsafeRawPointer(mark) - base
      let page = UnsafeRawBufferPointer(rebasing: bytes[index...])
      // Version 0, and the flag for a first page.
      if page.count > 5, recognizes(page), page[4] == 0, page[5] & 2 != 0 { return true }
      start = index + 1
    }
    return false
  }
}
