import Testing

@testable import Playback
@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

/// Answers and events return the controller's metadata byte for byte
/// (home-assistant/core#121369).
@Suite struct MetadataTests {
  private static func didl(_ inside: String) -> String {
    """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">\(inside)</item>\
    </DIDL-Lite>
    """
  }

  private static let uri = "http://host/Music/01%20Caf%C3%A9%20%26%20Co.flac?id=7&name=a+b&q=%22'"

  static let readable = [
    didl("<dc:title>Simon &amp; Garfunkel</dc:title>"),
    didl("<dc:title>1 &lt; 2 &gt; 0 &quot;q&quot; &apos;a&apos; \"q\" 'a'</dc:title>"),
    didl("<dc:title>Ünï©ødé 東京 🎧👩‍👩‍👧 \u{301}e</dc:title>"),
    didl("\n\t<dc:title>lines\nand\ttabs\r\nand  blanks </dc:title>\n"),
    didl("<dc:title><![CDATA[raw & <b>bold</b>]]></dc:title>"),
    didl("<dc:title>escaped twice: &amp;amp; &amp;lt;b&amp;gt; and a reference &#x263A;</dc:title>"),
    didl(
      "<!-- a > comment --><dc:title>x</dc:title><res protocolInfo=\"http-get:*:*:*\" size='1'>http://a/?b=1&amp;c=2</res>"
    ),
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + didl("<dc:title>declared</dc:title>"),
    "<item id=\"1\"><title>a bare item, as UPnP servers' own apps send it</title></item>",
    "<container id='1'><title>an album</title></container>",
    didl(""),
  ]

  static let unreadable = [
    "", " ", "NOT_IMPLEMENTED", "Just a title", "<DIDL-Lite/>", "&lt;DIDL-Lite&gt;", "\u{1F3A7}",
  ]

  @Test(arguments: readable + unreadable)
  func metadataIsReturnedByteForByte(metadata: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(Self.uri, metadata)
      try await renderer.setNextURI(Self.uri, metadata)
      let info = try await renderer.transport("GetMediaInfo")
      Self.expectSame(info["CurrentURIMetaData"], metadata)
      Self.expectSame(info["NextURIMetaData"], metadata)
      let events = try await renderer.takeEvents("AVTransport")
      let next = metadata.isEmpty ? "" : events.last?["NextAVTransportURIMetaData"]
      Self.expectSame(metadata.isEmpty ? "" : events.first?["AVTransportURIMetaData"], metadata)
      Self.expectSame(next, metadata)
      let shown = try await renderer.transport("GetPositionInfo")["TrackMetaData"]
      Self.expectSame(events.first?["CurrentTrackMetaData"], try #require(shown))
      if Self.readable.contains(metadata) { Self.expectSame(shown, metadata) }
    }
  }

  /// BubbleUPnP detects a track change by it.
  @Test func uriIsReturnedByteForByte() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(Self.uri)
      try await renderer.setNextURI(Self.uri + "&next")
      let info = try await renderer.transport("GetMediaInfo")
      Self.expectSame(info["CurrentURI"], Self.uri)
      Self.expectSame(info["NextURI"], Self.uri + "&next")
      Self.expectSame(try await renderer.transport("GetPositionInfo")["TrackURI"], Self.uri)
      let events = try await renderer.takeEvents("AVTransport")
      Self.expectSame(events.first?["AVTransportURI"], Self.uri)
      Self.expectSame(events.first?["CurrentTrackURI"], Self.uri)
      Self.expectSame(events.last?["NextAVTransportURI"], Self.uri + "&next")
    }
  }

  /// Controllers use strict parsers: CurrentTrackMetaData is always valid DIDL-Lite with the best known title.
  @Test(arguments: [
    ("", "01 Café & Co.flac"), ("NOT_IMPLEMENTED", "01 Café & Co.flac"), ("<DIDL-Lite/>", "01 Café & Co.flac"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><item><title>A &amp; B</title></item>", "A & B"),
    ("<item a=1><dc:title> </dc:title>", "01 Café & Co.flac"),
  ])
  func invalidMetadataIsReplacedByTitle(metadata: String, title: String) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(Self.uri, metadata)
      let shown = try await renderer.transport("GetPositionInfo")["TrackMetaData"]
      let leaves = try XMLText.leaves(of: try #require(shown))
      #expect(leaves.first { $0.path == ["DIDL-Lite", "item", "title"] }?.text == title)
      #expect(leaves.first { $0.path == ["DIDL-Lite", "item", "res"] }?.text == Self.uri)
    }
  }

  /// The same for every place that returns metadata. `DIDLRepairTests` has a table of repairs.
  @Test func malformedMetadataIsRepairedEverywhere() async throws {
    let metadata = "\u{FEFF} <DIDL-Lite><item><dc:title>A & B</dc:title><song:id>7</song:id><res>http"
    let repaired = """
      <DIDL-Lite xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:song="urn:undeclared:song"><item>\
      <dc:title>A &amp; B</dc:title><song:id>7</song:id><res>http</res></item></DIDL-Lite>
      """
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI(Self.uri, metadata)
      try await renderer.setNextURI(Self.uri, metadata)
      let info = try await renderer.transport("GetMediaInfo")
      for name in ["CurrentURIMetaData", "NextURIMetaData"] { Self.expectSame(info[name], repaired) }
      Self.expectSame(try await renderer.transport("GetPositionInfo")["TrackMetaData"], repaired)
      try await renderer.perform(
        "Playlist", "Insert", ["AfterId": "0", "Uri": Self.uri, "Metadata": metadata])
      Self.expectSame(try await renderer.call("Playlist", "Read", ["Id": "1"])["Metadata"], repaired)
      Self.expectSame(try await renderer.call("Info", "Track")["Metadata"], repaired)
      try await renderer.perform("Radio", "SetChannel", ["Uri": Self.uri, "Metadata": metadata])
      Self.expectSame(try await renderer.call("Radio", "Channel")["Metadata"], repaired)
    }
  }

  @Test func liveTitleReplacesOnlyTheTitle() async throws {
    let channel = Self.didl(
      "<dc:title>Radio &amp; Co</dc:title><upnp:albumArtURI>http://a/b?c=1&amp;d=2</upnp:albumArtURI>")
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/radio", channel)
      _ = try await renderer.takeEvents("AVTransport")
      renderer.pipeline.reportInfo(title: "Björk – “Jóga” <live> & more")
      let titled = channel.replacingOnce("Radio &amp; Co", "Björk – “Jóga” &lt;live&gt; &amp; more")
      try await renderer.wait("the title") { try await $0.transport("GetPositionInfo")["TrackMetaData"] == titled }
      Self.expectSame(try await renderer.transport("GetMediaInfo")["CurrentURIMetaData"], channel)
      let events = try await renderer.takeEvents("AVTransport")
      #expect(events.count == 1)
      #expect(events.first?.names == ["CurrentTrackMetaData"])
      Self.expectSame(events.first?["CurrentTrackMetaData"], titled)
      // After the stop, the title is the channel's again.
      try await renderer.perform("AVTransport", "Stop")
      Self.expectSame(try await renderer.transport("GetPositionInfo")["TrackMetaData"], channel)
    }
  }

  @Test func liveTitleWorksWithoutMetadata() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/radio")
      renderer.pipeline.reportInfo(title: "A & B")
      try await renderer.wait("the title") {
        try await $0.transport("GetPositionInfo")["TrackMetaData"]?.contains("<dc:title>A &amp; B</dc:title>") == true
      }
    }
  }

  /// Items whose metadata says nothing get the file's tags: no or invalid metadata, or a title that only repeats the
  /// file name. Other metadata stays as it is.
  @Test(
    arguments: [
      ("", TrackTags(title: "A & B", artist: "C"), ["A & B", "C", "", "A & B", "C", ""]),
      ("NOT_IMPLEMENTED", TrackTags(title: "T", artist: "A", album: "L"), ["T", "A", "L", "T", "A", "L"]),
      ("", TrackTags(artist: "A"), [fileName, "A", "", fileName, "A", ""]),
      (
        didl("<dc:title>01 Café &amp; Co.flac</dc:title>"), TrackTags(title: "T", album: "L"),
        ["T", "", "L", "T", "", "L"]
      ),
      (
        didl("<dc:title>01 Café &amp; Co.flac</dc:title><upnp:artist>X</upnp:artist>"),
        TrackTags(title: "T", artist: "A"), ["T", "X", "", "T", "X", ""]
      ),
      (
        "<item><title>01 Café &amp; Co.flac</title></item>", TrackTags(title: "T", artist: "A<"),
        ["T", "A<", "", "T", "A<", ""]
      ),
      (didl("<dc:title>Mine</dc:title>"), TrackTags(title: "T", artist: "A"), ["Mine", "", "", "Mine", "", ""]),
      ("", TrackTags(title: "\u{1}  \n"), [fileName, "", "", fileName, "", ""]),
    ] as [(String, TrackTags, [String])])
  func tagsCompleteMissingMetadata(metadata: String, tags: TrackTags, expected: [String]) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(Self.uri, metadata)
      renderer.pipeline.reportInfo(duration: .seconds(77), tags: tags)
      try await renderer.wait("the tags") {
        try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:01:17"
      }
      try await renderer.wait("the title") { renderer in
        let shown = try await renderer.transport("GetPositionInfo")["TrackMetaData"] ?? ""
        return try XMLText.leaves(of: shown).first { $0.path.last == "title" }?.text == expected[0]
      }
      let shown = try #require(try await renderer.transport("GetPositionInfo")["TrackMetaData"])
      let leaves = try XMLText.leaves(of: shown)
      let texts = ["title", "artist", "album"].map { name in leaves.filter { $0.path.last == name }.map(\.text) }
      #expect(texts.map { $0.joined(separator: "|") } == Array(expected[..<3]), "\(shown)")
      let now = await NowPlaying(renderer.player.deck(.upnpAV))
      #expect([now.title, now.artist, now.album].map { $0 ?? "" } == Array(expected[3...]))
      Self.expectSame(try await renderer.transport("GetMediaInfo")["CurrentURIMetaData"], metadata)
    }
  }

  /// The title, artist and album of a live stream come before the item's.
  @Test(
    arguments: [
      ("", TrackTags(title: "T", artist: "A", album: "L", isLive: true), ["T", "A", "L"]),
      (didl("<dc:title>FM</dc:title>"), TrackTags(title: "T", artist: "A", isLive: true), ["T", "A", ""]),
      (
        didl("<dc:title>FM</dc:title><upnp:artist>X</upnp:artist>"), TrackTags(title: "T", artist: "A", isLive: true),
        ["T", "A", ""]
      ),
      (
        didl("<dc:title>FM</dc:title><upnp:artist>X</upnp:artist>"), TrackTags(title: "T", isLive: true),
        ["T", "X", ""]
      ),
      (didl("<dc:title>FM</dc:title>"), TrackTags(isLive: true), ["FM", "", ""]),
    ] as [(String, TrackTags, [String])])
  func liveTagsComeFirst(metadata: String, tags: TrackTags, expected: [String]) async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(Self.uri, metadata)
      renderer.pipeline.reportInfo(duration: .seconds(77), tags: tags)
      try await renderer.wait("the tags") { try await $0.transport("GetPositionInfo")["TrackDuration"] == "0:01:17" }
      try await renderer.wait("the title") { renderer in
        let shown = try await renderer.transport("GetPositionInfo")["TrackMetaData"] ?? ""
        return try XMLText.leaves(of: shown).first { $0.path.last == "title" }?.text == expected[0]
      }
      let shown = try #require(try await renderer.transport("GetPositionInfo")["TrackMetaData"])
      let leaves = try XMLText.leaves(of: shown)
      let texts = ["title", "artist", "album"].map { name in leaves.first { $0.path.last == name }?.text ?? "" }
      #expect(texts == expected, "\(shown)")
      let now = await NowPlaying(renderer.player.deck(.upnpAV))
      #expect([now.title, now.artist, now.album].map { $0 ?? "" } == expected)
    }
  }

  private static let fileName = "01 Café & Co.flac"

  private static func expectSame(_ found: String?, _ expected: String, _ location: SourceLocation = #_sourceLocation) {
    // Compare bytes: Swift considers canonically equivalent strings equal.
    #expect(found.map { Array($0.utf8) } == Array(expected.utf8), "\(found ?? "nothing")", sourceLocation: location)
  }
}

extension String {
  fileprivate func replacingOnce(_ part: String, _ replacement: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    var text = self
    text.replaceSubrange(range, with: replacement)
    return text
  }
}
