import NIOCore
import Testing

@testable import UPnP

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
    // Compare Unicode scalars, because String compares canonically.
    #expect(Array(XMLEscape.text(raw).unicodeScalars) == Array(text.unicodeScalars))
    #expect(Array(XMLEscape.attribute(raw).unicodeScalars) == Array(attribute.unicodeScalars))
    var buffer = ByteBuffer(string: ">")
    XMLEscape.write(raw, to: &buffer)
    #expect(Array(buffer.readableBytesView) == Array((">" + text).utf8))
    #expect(twice(raw) == Array(XMLEscape.text(text).utf8))
  }

  private func twice(_ text: String) -> [UInt8] {
    var buffer = ByteBuffer()
    XMLEscape.writeTwice(text, to: &buffer)
    return Array(buffer.readableBytesView)
  }

  /// The escaper processes eight bytes at a time; the position within a group must not matter.
  @Test(arguments: 0..<8) func neighboursDoNotMatter(_ shift: Int) {
    let text = "\0\u{1}\t\n\r\u{1F} !\"#%&';<=>?@\u{7F}\u{80}ïÿ\u{FF01}\u{FFFD}\u{FFFE}\u{FFFF}🎵"
    let scalars = Array(text.unicodeScalars)
    func plainly(_ text: String, attribute: Bool) -> String {
      text.unicodeScalars.map { scalar in
        attribute ? XMLEscape.attribute(String(scalar)) : XMLEscape.text(String(scalar))
      }.joined()
    }
    for first in scalars {
      for second in scalars {
        var text = String(repeating: "-", count: shift)
        text.unicodeScalars += [first, second, "x", first]
        text += "more than eight"
        let expected = plainly(text, attribute: false)
        #expect(XMLEscape.text(text).utf8.elementsEqual(expected.utf8), "\(first.value) \(second.value)")
        let quoted = plainly(text, attribute: true)
        #expect(XMLEscape.attribute(text).utf8.elementsEqual(quoted.utf8), "\(first.value) \(second.value)")
        #expect(twice(text).elementsEqual(XMLEscape.text(expected).utf8), "\(first.value) \(second.value)")
      }
    }
  }

  /// The escaper processes long texts in pieces; the position of the cuts must not matter.
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
