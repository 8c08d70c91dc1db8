import Testing

@testable import UPnP

@Suite struct DIDLLiteTests {
  private static func didl(_ inside: String) -> String {
    """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/"><item>\
    <dc:title>A &amp; B</dc:title>\(inside)</item></DIDL-Lite>
    """
  }

  @Test(arguments: [
    (didl(#"<res duration="0:03:25.000">http://a/1</res>"#), 205_000),
    // The res element with the item's URI wins over the first one.
    (didl(#"<res duration="0:00:10">http://a/0</res><res duration="0:00:20">http://a/1</res>"#), 20_000),
    (didl(#"<res>http://a/1</res><res duration="0:00:20">http://a/2</res>"#), 20_000),
    (didl(#"<res duration="0:00:20"/>"#), 20_000),
    // Some controllers send a bare item.
    (#"<item><res duration="0:00:20">http://a/1</res></item>"#, 20_000),
  ])
  func findsTheDuration(metadata: String, milliseconds: Int) {
    #expect(DIDLLite.duration(in: metadata, uri: "http://a/1") == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "duration", "<res duration=\"0:00:20\">", "<!DOCTYPE a><res duration=\"0:00:20\"/>", didl(""),
    didl(#"<res duration="soon">http://a/1</res>"#),
  ])
  func findsNoDuration(metadata: String) {
    #expect(DIDLLite.duration(in: metadata, uri: "http://a/1") == nil)
  }

  @Test(arguments: [
    ("http://a/Music/01%20Caf%C3%A9.flac?id=7#x", "01 Café.flac"), ("http://a/100%", "100%"), ("http://a/%FF", "%FF"),
    ("http://a", "a"), ("", ""), ("http://a/b/", "b"), ("http://a/%+1", "%+1"),
  ])
  func namesAnItemByItsURI(uri: String, title: String) {
    #expect(DIDLLite.title(ofURI: uri) == title)
  }

  @Test(arguments: [
    (didl("<upnp:artist>C &amp; D</upnp:artist>"), ["artist": "C & D"]),
    (
      didl("<dc:creator> E </dc:creator><upnp:artist/><upnp:artist>F</upnp:artist><upnp:artist>G</upnp:artist>"),
      ["creator": " E ", "artist": "F"]
    ),
    (didl("<artist>H"), [:]), ("", [:]), ("artist", [:]),
  ])
  func findsTextsByName(metadata: String, texts: [String: String]) {
    #expect(DIDLLite.texts(of: ["artist", "creator"], in: metadata) == texts)
  }

  @Test func escapesWhatItWrites() {
    let item = DIDLLite.item(title: "Q&A <live>", uri: "http://a/?x=1&y=2")
    #expect(item.contains("<dc:title>Q&amp;A &lt;live&gt;</dc:title>"))
    #expect(item.contains("http://a/?x=1&amp;y=2</res>"))
  }
}
