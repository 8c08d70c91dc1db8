import NIOCore
import Testing

@testable import UPnP

struct NestedXMLTests {
  private let list = NestedXML { xml in
    xml.markup("<List><Entry>")
    xml.text("a & <b c=\"d\"/>\r")
    xml.markup("</Entry></List>")
  }

  /// Nested XML is encoded in the response exactly like the same XML passed as text.
  @Test func isEncodedLikeTheSameText() throws {
    let type = try #require(URN("urn:example-com:service:Lists:1"))
    let text = "<List><Entry>\(XMLEscape.text("a & <b c=\"d\"/>\r"))</Entry></List>"
    let written = SOAPEncoder.response(
      action: "Read", serviceType: type, results: [ActionResult("Before", "<"), ActionResult("L", list)])
    let made = SOAPEncoder.response(
      action: "Read", serviceType: type, results: [ActionResult("Before", "<"), ActionResult("L", text)])
    #expect(String(buffer: written) == String(buffer: made))
  }

  @Test func knowsTheServer() throws {
    let type = try #require(URN("urn:example-com:service:Lists:1"))
    let url = NestedXML { xml in
      xml.markup("<Url>")
      xml.text("\(xml.server)/a?b&c")
      xml.markup("</Url>")
    }
    let written = SOAPEncoder.response(
      action: "Read", serviceType: type, results: [ActionResult("L", url)], server: "http://192.0.2.1:80")
    #expect(String(buffer: written).contains("&lt;Url&gt;http://192.0.2.1:80/a?b&amp;amp;c&lt;/Url&gt;"))
  }

  @Test func isComparedByContent() {
    #expect(list == NestedXML { $0.markup("<List><Entry>a &amp; &lt;b c=\"d\"/&gt;&#13;</Entry></List>") })
    #expect(list != NestedXML { _ in })
  }
}
