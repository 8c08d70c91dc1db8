import Testing

@testable import PlaybackFormats

@Suite struct ChunkedBodyTailTests {
  @Test(arguments: [
    ("5\r\nabcde\r\n0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true),
    ("5\r\nabcde\r\n0000\r\n\r\n", true),
    ("5\r\nabcde\r\n0;name=value\r\n\r\n", true),
    ("5\r\nabcde\r\n0 \r\nExpires: 0\r\nETag: \"a\"\r\n\r\n", true),
    ("5\nabcde\n0\n\n", true),
    // Cut off between two chunks, in a chunk, in a size, before the empty line.
    ("5\r\nabcde\r\n", false),
    ("5\r\nabc", false),
    ("5\r\nabcde\r\n1", false),
    ("5\r\nabcde\r\n0\r\n", false),
    ("5\r\nab\n\n\r\n", false),
    ("10\r\n", false),
    ("", false),
  ])
  func theLastChunkIsRecognized(_ text: String, _ isLast: Bool) {
    let bytes = Array(text.utf8)
    for size in [1, 3, 1_000] {
      var tail = ChunkedBodyTail()
      [UInt8](repeating: 7, count: 2_000).withUnsafeBytes { tail.add($0) }
      var start = 0
      while start < bytes.count {
        bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { tail.add($0) }
        start += size
      }
      #expect(tail.hasLastChunk == isLast, "\(text.debugDescription) in pieces of \(size)")
    }
  }
}
