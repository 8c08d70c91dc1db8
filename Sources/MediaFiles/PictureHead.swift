import CLinux
import Glibc

/// The start of an audio file, as far as the tags with its pictures reach. Pure decisions; reading is up to the caller.
package enum PictureHead {
  /// The bytes to read first: the tags, and with them the size of the picture.
  package static let firstRead = 64 << 10
  private static let limit = 4 << 20
  /// An Ogg file does not tell where its tags end.
  private static let oggEnd = 1 << 20

  /// The number of bytes that contain the tags, or the next block of them, at most 4 MiB.
  /// - Returns: nil for a format whose tags are not at its start, and if they are larger.
  package static func end(_ head: [UInt8]) -> Int? {
    let end: Int? =
      switch format(head) {
      case .flac: flacBlocks(head).last?.end
      case .mp3: head.count < 10 ? nil : 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      case .mp4: movieEnd(head)
      case .ogg, .opus: oggEnd
      case nil: nil
      }
    return end.flatMap { $0 <= limit ? $0 : nil }
  }

  /// A name for TagLib, which decides the format by the extension.
  static func name(_ head: [UInt8]) -> String? { format(head).map { "head.\($0.rawValue)" } }

  /// The start as a file that is complete for TagLib.
  static func closed(_ head: [UInt8]) -> [UInt8] {
    var head = head
    // Marks the last complete block as the last one.
    if format(head) == .flac, let block = flacBlocks(head).last(where: { $0.end <= head.count }) {
      head[block.start] |= 0x80
      head.removeSubrange(block.end...)
    }
    return head
  }

  private enum Format: String {
    case flac, mp3, mp4, ogg, opus
  }

  private static func format(_ head: [UInt8]) -> Format? {
    func has(_ text: String, at index: Int = 0) -> Bool { head.dropFirst(index).starts(with: text.utf8) }
    return if has("fLaC") {
      .flac
    } else if has("ID3") {
      .mp3
    } else if has("ftyp", at: 4) {
      .mp4
    } else if has("OggS") {
      has("OpusHead", at: 28) ? .opus : .ogg
    } else {
      nil
    }
  }

  /// The metadata blocks whose headers have been read (FLAC format, METADATA_BLOCK_HEADER).
  private static func flacBlocks(_ head: [UInt8]) -> [(start: Int, end: Int)] {
    var blocks: [(start: Int, end: Int)] = []
    var start = 4
    while start + 4 <= head.count {
      let end = start + 4 + number(head[start + 1..<start + 4])
      blocks.append((start, end))
      guard head[start] & 0x80 == 0 else { break }
      start = end
    }
    return blocks
  }

  /// The end of the box `moov` (ISO/IEC 14496-12 §4.2); nil if it follows the sound.
  private static func movieEnd(_ head: [UInt8]) -> Int? {
    var start = 0
    while start + 8 <= head.count {
      let size = number(head[start..<start + 4])
      // Larger boxes contain the sound.
      guard size >= 8 else { return nil }
      if head[start + 4..<start + 8].elementsEqual("moov".utf8) { return start + size }
      start += size
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension AudioPicture {
  /// Reads the start of a file, as far as `PictureHead.end` tells.
  /// - Returns: nil if it has no complete picture.
  package init?(head: [UInt8]) {
    guard let name = PictureHead.name(head) else { return nil }
    let bytes = PictureHead.closed(head)
    let descriptor = swiftlet_memory_file("picture")
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else { return nil }
    self.init(descriptor: descriptor, name: name)
  }
}
