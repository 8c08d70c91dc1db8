import NIOCore
import Testing

@testable import DeviceStack

struct XMLEscapeTests {
  @Test(arguments: [
    ("", "", ""),
    ("plain", "plain", "plain"),
    ("Beyoncé – Ÿ 🎵", "Beyoncé – Ÿ 🎵", "Beyoncé – Ÿ 🎵"),
    ("AC&DC", "AC&amp;DC", "AC&amp;DC"),
    ("&amp;", "&amp;amp;", "&amp;amp;"),
    ("<a b=\"c\">'", "&lt;a b=\"c\"&gt;'", "&lt;a b=&quot;c&quot;&gt;'"),
    ("]]>", "]]&gt;", "]]&gt;"),
    ("a\nb\tc\rd\r\ne", "a\nb\tc&#13;d&#13;\ne", "a&#10;b&#9;c&#13;d&#13;&#10;e"),
    ("a\u{0}b\u{1F}c\u{B}", "abc", "abc"),
    ("\u{FFFE}x\u{FFFF}", "x", "x"),
    ("\u{FFFD}\u{FFBF}\u{7F}\u{85}", "\u{FFFD}\u{FFBF}\u{7F}\u{85}", "\u{FFFD}\u{FFBF}\u{7F}\u{85}"),
  ])
  func escapes(_ raw: String, text: String, attribute: String) {
    // Unicode scalars, since String compares canonically.
    #expect(Array(XMLEscape.text(raw).unicodeScalars) == Array(text.unicodeScalars))
    #expect(Array(XMLEscape.attribute(raw).unicodeScalars) == Array(attribute.unicodeScalars))
    var buffer = ByteBuffer(string: ">")
    XMLEscape.write(raw, to: &buffer)
    #expect(Array(buffer.readableBytesView) == Array((">" + text).utf8))
  }

  /// Long texts are taken a piece at a time: wherever it is cut, nothing changes.
  @Test func longTextsAreEscapedAsShortOnes() {
    let unit = "<é\u{FFFE}🎵&>\u{FFFF}\u{FFFD}\"\r\u{1}a"
    for shift in 0..<20 {
      let start = String(repeating: "-", count: 1010 + shift)
      let text = start + String(repeating: unit, count: 200)
      let expected = start + String(repeating: "&lt;é🎵&amp;&gt;\u{FFFD}\"&#13;a", count: 200)
      #expect(Array(XMLEscape.text(text).utf8) == Array(expected.utf8), "\(shift)")
    }
  }
}
