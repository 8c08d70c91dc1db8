import Testing

@testable import MediaFiles

@Suite struct PictureHeadTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 5, count: 200)

  @Test(arguments: [
    ("ID3" + "\u{3}\0\0\0\0\u{1}\u{2}", 140), ("ID3", nil), ("\0\0\0\u{8}ftyp\0\0\u{1}\0moov", 264),
    ("\0\0\0\u{8}ftyp\0\0\0\u{9}free-\0\0\0\u{10}moov", 33), ("\0\0\0\u{8}ftyp\0\0\0\0mdat", nil),
    ("\0\0\0\u{8}ftyp\u{7F}\0\0\0moov", nil), ("fLaC\0\0\0\u{2}ab\u{6}\0\u{1}\0", 270), ("fLaC", nil),
    ("OggS", 1 << 20), ("RIFF", nil), ("", nil),
  ])
  func knowsWhereTheTagsEnd(head: String, end: Int?) {
    #expect(PictureHead.end(head.unicodeScalars.map { UInt8($0.value) }) == end)
  }

  @Test(arguments: [0, 1]) func readsThePictureAtTheStartOfAFile(missing: Int) throws {
    func block(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { [kind, 0] + big(body.count).suffix(2) + body }
    let type = Array("image/jpeg".utf8)
    let picture = big(3) + big(10) + type + [0, 1, 1, 24, 0].flatMap { big($0) } + big(Self.jpeg.count)
    let file = Array("fLaC".utf8) + block(0, [UInt8](repeating: 0, count: 34)) + block(6, picture + Self.jpeg)
    // Padding follows in the file, but is not read.
    #expect(PictureHead.end(Array(file.dropLast(missing))) == file.count)
    #expect(AudioPicture(head: Array(file.dropLast(missing)))?.bytes == (missing == 0 ? Self.jpeg : nil))
  }

  private func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
}
