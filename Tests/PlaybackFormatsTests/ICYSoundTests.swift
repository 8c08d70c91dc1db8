import Testing

@testable import PlaybackFormats

struct ICYSoundTests {
  @Test(arguments: [1, 2, 7, 1_000]) func titlesAreLeftOut(pieces: Int) {
    let sound = (0..<100).map { UInt8($0) }
    // Titles of 16 and 0 bytes in turn, after every ten bytes.
    var stream: [UInt8] = []
    for start in stride(from: 0, to: 100, by: 10) {
      stream += sound[start..<start + 10] + (start % 20 == 0 ? [1] + [UInt8](repeating: 255, count: 16) : [0])
    }
    var icy = ICYSound(interval: 10)
    var found = [UInt8](repeating: 0, count: 100)
    var count = 0
    for start in stride(from: 0, to: stream.count, by: pieces) {
      let piece = Array(stream[start..<min(start + pieces, stream.count)])
      for (range, position) in piece.withUnsafeBytes({ icy.sound(in: $0) }) {
        #expect(position == count)
        found.replaceSubrange(position..<position + range.count, with: piece[range])
        count += range.count
      }
    }
    #expect(count == 100 && found == sound)
  }
}
