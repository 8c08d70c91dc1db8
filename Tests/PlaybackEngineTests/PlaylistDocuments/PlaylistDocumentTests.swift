import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite struct PlaylistDocumentTests {
  private static let base = "http://host/a/list?x=1"

  @Test(arguments: [
    (
      "m3u", "#EXTM3U\r\n#EXTINF:-1,One\r\nhttp://radio/1\r\n\r\n../b.mp3\r\n",
      ["http://radio/1", "http://host/b.mp3"]
    ),
    ("m3u without its mark", "# comment\nhttp://radio/1\nhttp://radio/2", ["http://radio/1", "http://radio/2"]),
    ("m3u with a byte order mark", "\u{FEFF}#EXTM3U\n/c.mp3", ["http://host/c.mp3"]),
    (
      "pls",
      "[playlist]\nNumberOfEntries=2\nFile2=http://radio/2\nTitle1=One\nfile1 = x\nFile1=http://radio/1\nLength1=-1\n",
      ["http://radio/1", "http://radio/2"]
    ),
    (
      "xspf",
      "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track>"
        + "<location>http://radio/1?a=1&amp;b=2</location></track><track><location> d.flac </location></track></trackList></playlist>",
      ["http://radio/1?a=1&b=2", "http://host/a/d.flac"]
    ),
    (
      "asx", "<ASX version=\"3\"><Entry><Ref HREF = \"http://radio/1\"/></Entry><entryref href='http://radio/2'></ASX>",
      ["http://radio/1", "http://radio/2"]
    ),
    (
      "asx with unescaped ampersands, unquoted attributes and unclosed tags",
      "<Asx Version=3.0>\n<ENTRY><REF href=\"http://radio/1?a=1&b=2&amp;c=3\"></Entry>"
        + "<entry><ref HREF=http://radio/2 /><entry><ref href='http://radio/3'>",
      ["http://radio/1?a=1&b=2&c=3", "http://radio/2", "http://radio/3"]
    ),
    (
      "asx after a comment and without an end", "\n<!-- made by hand --><asx><entry><ref href='http://radio/1'/>",
      ["http://radio/1"]
    ),
    (
      "xspf with an unescaped ampersand",
      "<playlist><trackList><track><location>http://radio/1?a=1&b=2</location></track></trackList></playlist>",
      ["http://radio/1?a=1&b=2"]
    ),
    (
      "xspf with a prefix and CDATA",
      "<x:x xmlns:x='http://xspf.org/ns/0/'><!--<playlist>--><x:track><x:location><![CDATA[http://radio/1?a&b]]></x:location>"
        + "</x:track></x:x>",
      ["http://radio/1?a&b"]
    ),
    (
      "entities of a document type are not expanded",
      "<!DOCTYPE playlist [<!ENTITY e 'http://radio/1'>]><playlist><track><location>&e;</location></track>"
        + "<track><location>b</location></track></playlist>",
      ["http://host/a/&e;", "http://host/a/b"]
    ),
    (
      "m3u with a path of Windows, and with spaces and letters to escape",
      "#EXTM3U\nC:\\Music\\a.mp3\nd é.mp3\n50%.mp3\n?b=1",
      ["http://host/a/d%20%C3%A9.mp3", "http://host/a/50%.mp3", "http://host/a/list?b=1"]
    ),
    (
      "a scheme with a line end in it",
      "<playlist><track><location>fi&#13;le:///etc/passwd</location></track><track><location>b</location></track></playlist>",
      ["http://host/a/b"]
    ),
    (
      "references of Windows Media",
      "[Reference]\r\nRef1=http://radio/1?MSWMExt=.asf\r\nRef2=http://radio/2?MSWMExt=.asf\r\n",
      ["http://radio/1?MSWMExt=.asf", "http://radio/2?MSWMExt=.asf"]
    ),
    ("addresses without a host", "#EXTM3U\nhttp://\nhttp:///a\nhttp://:80/\nhttp://radio/1", ["http://radio/1"]),
    ("what is not http is left out", "#EXTM3U\nfile:///etc/passwd\nrtsp://radio/1\nhttp://radio/1", ["http://radio/1"]),
  ])
  func theEntriesAreRead(_ name: String, _ text: String, _ entries: [String]) {
    #expect(PlaylistDocument(Array(text.utf8), base: Self.base)?.tracks.map(\.address) == entries)
  }

  @Test(arguments: [
    ("m3u", "#EXTM3U\n#EXTINF:12,Artist - One, two\na\n\nb\n#EXTINF:-1 logo=\"x,y\",Three\nc\n"),
    ("pls", "[playlist]\nTitle1=Artist - One, two\nFile1=a\nFile2=b\nfile3=c\ntitle3 = Three\nFile3=c\n"),
    (
      "xspf",
      "<playlist><title>All</title><trackList><track><title>Artist - One, two</title><location>a</location></track><track>"
        + "<location>b</location></track><track><location>c</location><title>Three</title></track></trackList></playlist>"
    ),
    (
      "asx",
      "<asx><title>All</title><entry><title>Artist - One, two</title><ref href='a'/></entry><Entry><Ref href='b' /></Entry>"
        + "<entry><ref href='c'/><TITLE>Three</TITLE></entry></asx>"
    ),
  ])
  func titlesAreRead(_ name: String, _ text: String) {
    let tracks = PlaylistDocument(Array(text.utf8), base: Self.base)?.tracks
    #expect(
      tracks == [
        ListedTrack(address: "http://host/a/a", title: "Artist - One, two"), ListedTrack(address: "http://host/a/b"),
        ListedTrack(address: "http://host/a/c", title: "Three"),
      ])
  }

  @Test(arguments: [false, true]) func utf16IsRead(isBigEndian: Bool) {
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:-1,Rádio\r\nhttp://radio/1\r\n"
    let bytes = text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return isBigEndian ? bytes : bytes.reversed()
    }
    #expect(
      PlaylistDocument(bytes, base: Self.base)?.tracks == [ListedTrack(address: "http://radio/1", title: "Rádio")])
  }

  @Test func aTitleThatIsNotUTF8IsIgnored() {
    let list = PlaylistDocument(Array("#EXTM3U\n#EXTINF:1,B".utf8) + [0xFC, 0x0A] + Array("a\n".utf8), base: Self.base)
    #expect(list?.tracks == [ListedTrack(address: "http://host/a/a")])
  }

  @Test(arguments: [
    "", "\n\n", "<!DOCTYPE html><html><body>http://host/</body></html>", "[playlist]\nNumberOfEntries=0",
    "Hello\nWorld",
    "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\n1.ts\n", "#EXTM3U\n", "<playlist></playlist>", "<asx></asx>",
    "RIFF\0\0\0\0WAVE", "OggS\0\u{2}", "#EXTM3U\nfile:///etc/passwd",
  ])
  func otherDocumentsAreNoPlaylist(_ text: String) {
    #expect(PlaylistDocument(Array(text.utf8), base: Self.base) == nil)
  }

  @Test(arguments: [63, 10_000])
  func deepNestingIsRefused(depth: Int) {
    let nested = String(repeating: "<x>", count: depth)
    let list = PlaylistDocument(Array("<asx>\(nested)<ref href='http://radio/1'/>".utf8), base: Self.base)
    #expect(list == nil)
  }

  /// This would take seconds if each attribute were compared with all others.
  @Test(arguments: ["", "\"</asx>"])
  func aTagWithManyAttributesIsRefused(end: String) {
    let attributes = (0..<40_000).map { " a\($0)" }.joined()
    let list = PlaylistDocument(Array("<asx\(attributes)><ref href='http://radio/1'/>\(end)".utf8), base: Self.base)
    #expect(list == nil)
  }

  @Test func aTruncatedXMLPlaylistIsReadUpToItsLimit() {
    let entries = (0..<900).map { "<entry><ref href='\($0)?\(String(repeating: "x", count: 400))'/></entry>\n" }
    let list = PlaylistDocument(Array("<asx>\n\(entries.joined())</asx>".utf8), base: Self.base)
    #expect((500..<900).contains(list?.tracks.count ?? 0))
  }

  @Test func randomBytesDoNotCrash() {
    var generator = SplitMix(state: 3)
    let pieces = [
      "<", ">", "asx", "ref", "href", "=", "\"", "&", "[playlist]", "File", "1", "\n", "#EXTM3U", "http://", "é", "\0",
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let document = PlaylistDocument(Array(text.joined().utf8), base: Self.base)
      #expect(document?.tracks.allSatisfy { $0.address.hasPrefix("http") } != false)
    }
  }

  /// The number of tracks and of bytes is limited; a truncated last line is ignored.
  @Test(arguments: [(1, 5_000, 1_000), (1_000, 1_000, (256 << 10) / 1_001)])
  func aLongPlaylistIsReadUpToItsLimit(length: Int, lines: Int, tracks: Int) {
    let line = String(repeating: "x", count: length) + "\n"
    let text = "#EXTM3U\n" + String(repeating: line, count: lines)
    let document = PlaylistDocument(Array(text.utf8), base: Self.base)
    #expect(document?.tracks.count == tracks)
    #expect(document?.tracks.last?.address.utf8.count == "http://host/a/".utf8.count + length)
  }
}
