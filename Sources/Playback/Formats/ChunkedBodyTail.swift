/// The last bytes of a connection. They show whether a body in chunks ended with its last chunk.
///
/// Source: RFC 9112 section 7.1.
package struct ChunkedBodyTail: Sendable {
  /// Room for a last chunk with short trailers.
  private static let size = 512
  private var bytes: [UInt8] = []

  package init() {}

  /// Adds bytes that were received.
  package mutating func add(_ received: UnsafeRawBufferPointer) {
    bytes = (bytes + received.suffix(Self.size)).suffix(Self.size)
  }

  /// Whether the bytes end with the last chunk: a size of zero on a line of its own, trailers, and an empty line.
  package var hasLastChunk: Bool {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Self.withoutReturn)
    // The bytes end with a line break after an empty line.
    guard lines.popLast() == [], lines.popLast() == [] else { return false }
    while let line = lines.popLast() {
      if Self.isLastSize(line) { return true }
      guard line.contains(UInt8(ascii: ":")) else { return false }
    }
    return false
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// A size of zero, possibly with an extension.
  private static func isLastSize(_ line: ArraySlice<UInt8>) -> Bool {
    let size = line.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
    return !size.isEmpty && size.allSatisfy { $0 == UInt8(ascii: "0") }
  }
}
