import Glibc

/// Detects chained Ogg streams in bytes that arrive in pieces of any size.
///
/// Source: RFC 3533 sections 4 (chains) and 6 (pages).
package struct OggChain: Sendable {
  /// Parallel streams begin before this offset; a stream after it is chained.
  private static let parallelLimit = 4096
  private static let mark = Array("OggS".utf8)
  /// The mark, version and flags of a page.
  private static let headerSize = 6

  /// Whether the file is Ogg; nil before its first four bytes have been read.
  package private(set) var isOgg: Bool?
  /// Whether another stream begins after the first.
  package private(set) var isChained = false
  /// The last bytes read, which may contain the first part of a page header.
  private var tail: [UInt8] = []
  private var tailEnd = 0

  package init() {}

  /// - Parameter position: offset of the bytes in the file.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    guard isOgg != false, !isChained else { return }
    if position != tailEnd { tail = [] }
    let seam = tail + bytes.prefix(Self.headerSize - 1)
    if isOgg == nil, seam.count >= Self.mark.count { isOgg = seam.starts(with: Self.mark) }
    let start = position - tail.count
    isChained = seam.withUnsafeBytes { Self.hasFirstPage($0, at: start) } || Self.hasFirstPage(bytes, at: position)
    tail = (tail + bytes.suffix(Self.headerSize - 1)).suffix(Self.headerSize - 1)
    tailEnd = position + bytes.count
  }

  /// Whether the bytes contain the complete header of a stream's first page.
  private static func hasFirstPage(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var start = max(0, parallelLimit - position)
    while let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(UInt8(ascii: "O")), bytes.count - start)
    {
      let index = UnsafeRawPointer(found) - base
      let page = UnsafeRawBufferPointer(rebasing: bytes[index...])
      // Version 0, and the flag for a first page.
      if page.count >= headerSize, page.starts(with: mark), page[4] == 0, page[5] & 2 != 0 { return true }
      start = index + 1
    }
    return false
  }
}
