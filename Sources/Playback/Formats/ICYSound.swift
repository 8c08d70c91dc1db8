/// Separates sound from titles in a SHOUTcast stream. After every `interval` bytes of sound comes a length byte that
/// counts units of 16 bytes, and then that many units of text.
package struct ICYSound: Sendable, Equatable {
  private let interval: Int
  private var untilTitle: Int
  private var titleBytesLeft = 0
  /// Number of bytes of sound so far.
  private var position = 0

  package init(interval: Int) {
    self.interval = max(1, interval)
    untilTitle = self.interval
  }

  /// - Parameter bytes: the next bytes of the stream.
  /// - Returns: the ranges of the bytes that are sound, each with its offset in the sound without titles.
  package mutating func sound(in bytes: UnsafeRawBufferPointer) -> [(range: Range<Int>, position: Int)] {
    var found: [(range: Range<Int>, position: Int)] = []
    var index = 0
    while index < bytes.count {
      if titleBytesLeft > 0 {
        let count = min(titleBytesLeft, bytes.count - index)
        titleBytesLeft -= count
        index += count
      } else if untilTitle == 0 {
        titleBytesLeft = 16 * Int(bytes[index])
        untilTitle = interval
        index += 1
      } else {
        let count = min(untilTitle, bytes.count - index)
        found.append((index..<index + count, position))
        untilTitle -= count
        position += count
        index += count
      }
    }
    return found
  }
}
