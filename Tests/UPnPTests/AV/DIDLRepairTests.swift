import Testing

@testable import UPnP

/// What is sent as metadata is well-formed, keeps what could be read, and stays the same if it was well-formed.
@Suite struct DIDLRepairTests {
  private static let uri = "http://host/My%20Song.flac"
  private static let dc = #"xmlns:dc="http://purl.org/dc/elements/1.1/""#

  @Test(arguments: [
    "", "Just a title", "&lt;DIDL-Lite&gt;", "NOT_IMPLEMENTED", "<DIDL-Lite/>", " \n<item/>\n",
    "<?xml version=\"1.0\"?>\n<item><title>A &amp; B &#x263A; &#9;</title></item>",
    "<!-- x --><item \(dc)><dc:title><![CDATA[a & <b>]]></dc:title></item>",
    "<item><a:b xmlns:a='urn:a' a:c='1'><a:d/></a:b></item>", "<item xml:lang='de'/>",
    "<item><title>ü 🎧</title></item>",
  ])
  func wellFormedTextStaysTheSame(_ metadata: String) {
    #expect(Array(DIDLLite.wellFormed(metadata, uri: Self.uri).utf8) == Array(metadata.utf8))
  }

  @Test(arguments: [
    // Undeclared prefixes.
    ("<item><dc:title>x</dc:title></item>", "<item \(dc)><dc:title>x</dc:title></item>"),
    ("<item song:id='7'/>", "<item xmlns:song=\"urn:undeclared:song\" song:id='7'/>"),
    (
      "<?xml version='1.0'?><DIDL-Lite a='1'><item><sec:x>1</sec:x></item></DIDL-Lite>",
      "<?xml version='1.0'?><DIDL-Lite xmlns:sec=\"http://www.sec.co.kr/\" a='1'><item><sec:x>1</sec:x></item></DIDL-Lite>"
    ),
    (
      "<item><a:b xmlns:a='urn:a'/><a:c/></item>",
      "<item xmlns:a=\"urn:undeclared:a\"><a:b xmlns:a='urn:a'/><a:c/></item>"
    ),
    // A byte order mark, and blanks or text before the first markup.
    ("\u{FEFF}<item/>", "<item/>"), (" \n<?xml version='1.0'?><item/>", "<?xml version='1.0'?><item/>"),
    ("x <item/>", "<item/>"),
    // Characters that XML forbids.
    ("<item><title>a\u{1}b\u{FFFF}c\td</title></item>", "<item><title>abc\td</title></item>"),
    ("<item><title>a&#1;b</title></item>", "<item><title>a&amp;#1;b</title></item>"),
    // Bare markup.
    ("<item><title>A & B &amp; C &nbsp;</title></item>", "<item><title>A &amp; B &amp; C &amp;nbsp;</title></item>"),
    ("<item><title>a]]>b</title></item>", "<item><title>a]]&gt;b</title></item>"),
    ("<item><title>1 < 2</title></item>", "<item><title>1 &lt; 2</title></item>"),
    ("<item><res>http://a/?b=1&c=2</res></item>", "<item><res>http://a/?b=1&amp;c=2</res></item>"),
    // Cut off.
    ("<item><title>cut off", "<item><title>cut off</title></item>"),
    ("<item><title>x</title><res prot", "<item><title>x</title></item>"),
    ("<item><title>x</title><a/>", "<item><title>x</title><a/></item>"),
    ("<item><dc:title>x</dc:title><upnp:cl", "<item \(dc)><dc:title>x</dc:title></item>"),
    // End tags that do not match, and more than one element.
    ("<item><title>x</album></item>", "<item><title>x</title></item>"),
    ("<item><title>x</title></item><item/>", "<item><title>x</title></item>"),
  ])
  func malformedTextIsRepaired(_ metadata: String, _ expected: String) {
    #expect(DIDLLite.wellFormed(metadata, uri: Self.uri) == expected)
  }

  @Test(arguments: [
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><item><title>T</title></item>", "T"), ("<item a=1><title>T</title></item>", "T"),
    ("<item a:b:c='1'><title>T</title></item>", "T"), ("<", "My Song.flac"), ("<item a=1/>", "My Song.flac"),
  ])
  func hopelessTextIsReplaced(_ metadata: String, _ title: String) {
    #expect(DIDLLite.wellFormed(metadata, uri: Self.uri) == DIDLLite.item(title: title, uri: Self.uri))
  }

  /// Whatever part of a document arrives, the result is well-formed and is repaired once only.
  @Test func everyBeginningIsRepaired() {
    let text = DIDLLite.item(title: "A & \"B\" ü", uri: "http://a/?b&c", artwork: "http://d/<e>")
    for length in 1...text.count {
      let once = DIDLLite.wellFormed(String(text.prefix(length)), uri: Self.uri)
      #expect(DIDLLite.undeclaredPrefixes(in: once) == [], "\(once)")
      #expect(DIDLLite.wellFormed(once, uri: Self.uri) == once)
    }
  }
}
