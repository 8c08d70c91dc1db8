import Testing

@testable import ServiceXML

struct XMLReaderTests {
  @Test func readsElementsAttributesAndText() throws {
    let text = """
      <?xml version="1.0"?>
      <!-- before -->
      <a b="1 &lt; &quot;2&quot;" c:d="">
        text &amp; <!-- not this --> more
        <e/><e x = "no"></e ><f> g </f>
      </a>
      <!-- after -->
      """.replacing(" x = ", with: " x=")
    let root = try XMLReader.read(text)
    #expect(root.name == "a")
    #expect(root.line == 3)
    #expect(root.attributes == ["b": "1 < \"2\"", "c:d": ""])
    #expect(root.text == "text &  more")
    #expect(root.children.map(\.name) == ["e", "e", "f"])
    #expect(root.children.map(\.line) == [5, 5, 5])
    #expect(root.children("e")[1].attributes == ["x": "no"])
    #expect(root.child("f")?.text == "g")
    #expect(root.child("z") == nil)
  }

  @Test(arguments: [
    ("", 1, "an element is expected"),
    ("\n\nx", 3, "an element is expected"),
    ("<!DOCTYPE a><a/>", 1, "a name is expected"),
    ("<a>\n<b>\n</c></a>", 3, "the end tag does not match <b> in line 2"),
    ("<a>\n", 2, "an element is expected"),
    ("<a b=c/>", 1, "b has no value in double quotes"),
    ("<a b=\"c/>", 1, "no \""),
    ("<a b=\"1\" b=\"2\"/>", 1, "the attribute b occurs twice"),
    ("<a/><b/>", 1, "text after the end of the document"),
    ("<a>&nbsp;</a>", 1, "an entity other than the five predefined ones"),
    ("<a>& b</a>", 1, "an entity other than the five predefined ones"),
    ("<a><!-- </a>", 1, "no -->"),
    ("<a></a", 1, "no > after </a"),
  ])
  func reportsProblemAndLine(text: String, line: Int, message: String) {
    #expect(throws: ServiceXMLError(message, line: line)) { try XMLReader.read(text) }
  }
}
