import Testing

@testable import UPnP

@Suite struct DIDLLiteTitleTests {
  @Test(arguments: [
    ("<dc:title>A</dc:title>", "A", "<dc:title>Z</dc:title>"),
    ("<title>A</title>", "A", "<title>Z</title>"),
    ("<item><dc:title a='>'>A &amp; B</dc:title></item>", "A & B", "<item><dc:title a='>'>Z</dc:title></item>"),
    ("<dc:title\n>A</dc:title>", "A", "<dc:title\n>Z</dc:title>"),
    ("<dc:title><![CDATA[A<B]]></dc:title>", "A<B", "<dc:title>Z</dc:title>"),
    ("<dc:title/>", nil, "<dc:title>Z</dc:title>"), ("<dc:title a=\"/\"/>", nil, "<dc:title a=\"/\">Z</dc:title>"),
    ("<dc:title></dc:title>", nil, "<dc:title>Z</dc:title>"),
    ("<!--<title>no</title>--><title>A</title>", "A", "<!--<title>no</title>--><title>Z</title>"),
    (
      "<a><![CDATA[<title>no</title>]]></a><title>A</title>", "A",
      "<a><![CDATA[<title>no</title>]]></a><title>Z</title>"
    ),
    ("<?x <title>?><title>A</title>", "A", "<?x <title>?><title>Z</title>"),
    ("<subtitle>no</subtitle><title>A</title>", "A", "<subtitle>no</subtitle><title>Z</title>"),
    ("<title>A</title><title>B</title>", "A", "<title>Z</title><title>B</title>"),
    ("<title>\u{301}A</title>", "\u{301}A", "<title>Z</title>"), ("<title>A & B</title>", "A & B", "<title>Z</title>"),
  ])
  func findsAndReplacesTheFirstTitle(metadata: String, text: String?, replaced: String) throws {
    let title = try #require(DIDLLite.Title(in: metadata))
    #expect(title.text == text)
    #expect(title.replaced(by: "Z") == replaced)
  }

  @Test(arguments: [
    "", "<", "<title", "<title>", "<title>A", "<a b='<title>A</title>'", "A", "</title>", "<!--<title>A</title>",
  ])
  func findsNoTitle(metadata: String) {
    #expect(DIDLLite.Title(in: metadata) == nil)
  }

  @Test func escapesTheTitle() throws {
    #expect(try #require(DIDLLite.Title(in: "<title>A</title>")).replaced(by: "<&>") == "<title>&lt;&amp;&gt;</title>")
  }
}
