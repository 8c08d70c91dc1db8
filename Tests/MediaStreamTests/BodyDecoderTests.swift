import Testing

@testable import MediaStream

struct BodyDecoderTests {
  private struct Decoded: Equatable {
    var sound: [UInt8] = []
    /// Titles, each with the number of bytes of sound before it.
    var titles: [String] = []
    var state = BodyDecoder.State.reading
    var endsWithConnection = false
  }

  private func decode(
    _ bytes: [UInt8], _ framing: BodyDecoder.Framing, titleInterval: Int? = nil, pieces size: Int
  ) -> Decoded {
    var decoder = BodyDecoder(framing, titleInterval: titleInterval)
    var decoded = Decoded()
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      for part in piece.withUnsafeBytes({ decoder.read($0) }) {
        switch part {
        case .sound(let range): decoded.sound += piece[range]
        case .title(let title): decoded.titles.append("\(decoded.sound.count) \(title)")
        }
      }
    }
    decoded.state = decoder.state
    decoded.endsWithConnection = decoder.endsWithConnection
    return decoded
  }

  @Test(
    arguments: [
      (.length(3), "abcdef", "abc", .complete, true), (.length(3), "ab", "ab", .reading, false),
      (.length(0), "", "", .complete, true), (.untilClose, "abc", "abc", .reading, true),
      (.chunked, "3\r\nabc\r\n0\r\n\r\n", "abc", .complete, true),
      (.chunked, "3\nabc\n1\nd\n0\n\n", "abcd", .complete, true),
      (.chunked, "3;x=y\r\nabc\r\n2 \r\nde\r\n0;end\r\nTrailer: x\r\n\r\nmore", "abcde", .complete, true),
      (.chunked, " 3\r\nabc\r\n", "abc", .reading, false),
      (.chunked, "A\r\n0123456789\r\n00\r\n\r\n", "0123456789", .complete, true),
      (.chunked, "3\r\nabc\r\n0\r\n", "abc", .reading, false), (.chunked, "3\r\nabcX", "abc", .malformed, false),
      (.chunked, "\r\nabc", "", .malformed, false), (.chunked, "x\r\n", "", .malformed, false),
      (.chunked, "-1\r\n", "", .malformed, false), (.chunked, "FFFFFFFFFFFFFFFFFF\r\n", "", .malformed, false),
      (.chunked, "10000000001\r\n", "", .malformed, false),
      (.chunked, "3;" + String(repeating: "x", count: 20_000), "", .malformed, false),
    ] as [(BodyDecoder.Framing, String, String, BodyDecoder.State, Bool)])
  func framing(
    _ framing: BodyDecoder.Framing, body: String, sound: String, state: BodyDecoder.State, endsWithConnection: Bool
  ) {
    for size in [1, 2, 7, 100_000] {
      let decoded = decode(Array(body.utf8), framing, pieces: size)
      #expect(String(decoding: decoded.sound, as: UTF8.self) == sound)
      #expect(decoded.state == state)
      #expect(decoded.endsWithConnection == endsWithConnection)
    }
  }

  /// A metadata block with a text in an encoding.
  private func block(_ text: [UInt8]) -> [UInt8] {
    let units = (text.count + 15) / 16
    return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
  }

  @Test func titlesAreSeparatedFromTheSound() {
    let blocks = ["StreamTitle='One';", "", "StreamTitle='One';", "StreamTitle='Two';"].map { block(Array($0.utf8)) }
    let body = blocks.enumerated().flatMap { index, block in Array("sound\(index)".utf8) + block } + Array("end".utf8)
    for size in [1, 2, 5, 16, 1000] {
      for framing in [BodyDecoder.Framing.untilClose, .length(body.count)] {
        let decoded = decode(body, framing, titleInterval: 6, pieces: size)
        #expect(String(decoding: decoded.sound, as: UTF8.self) == "sound0sound1sound2sound3end")
        #expect(decoded.titles == ["6 One", "24 Two"])
      }
    }
  }

  @Test(
    arguments: [
      ("StreamTitle='A - B';StreamUrl='';", "A - B"), ("StreamTitle='Sweet Child O' Mine';", "Sweet Child O' Mine"),
      ("StreamTitle='Sweet Child O' Mine'", "Sweet Child O' Mine"), ("StreamTitle='Mine", "Mine"),
      ("StreamTitle='It's 'fine'; really';StreamUrl='x';", "It's 'fine'; really"), ("StreamTitle='a;b;c';", "a;b;c"),
      ("StreamTitle='';", ""), ("StreamTitle=''", ""), ("StreamTitle=bare;", "bare"), ("streamtitle='x';", "x"),
      ("StreamUrl='u';StreamTitle='x';", "x"), ("StreamTitle='x'; ", "x"), ("StreamTitle=' x ';", "x"),
      ("StreamUrl='u';", nil), ("", nil), ("StreamTitle='Ünï';", "Ünï"),
    ] as [(String, String?)])
  func titles(_ text: String, title: String?) { #expect(TitleSplitter.title(Array(text.utf8)) == title) }

  @Test func titlesInLatin1() {
    #expect(TitleSplitter.title(Array("StreamTitle='".utf8) + [0xDC, 0x62, 0x92, 0x73] + Array("';".utf8)) == "Üb’s")
    #expect(TitleSplitter.title(Array("StreamTitle='".utf8) + [0x81, 0xE9] + Array("';".utf8)) == "\u{FFFD}é")
  }

  /// The longest block, and the encoding changes from title to title.
  @Test func encodingsByTurnsAndTheLongestBlock() {
    let long = String(repeating: "ö", count: 2032)
    let blocks = [
      Array("StreamTitle='é';".utf8), Array("StreamTitle='".utf8) + [0xE9, 0xE8] + Array("';".utf8),
      Array("StreamTitle='\(long)';".utf8),
    ]
    #expect(blocks[2].count <= 4080)
    let body = blocks.flatMap { [UInt8(1)] + block($0) }
    #expect(decode(body, .untilClose, titleInterval: 1, pieces: 13).titles == ["1 é", "2 éè", "3 \(long)"])
  }
}
