import LocalLibrary
import NIOCore
import Testing
import UPnP

@testable import Providers

/// Browse and Search as a control point sees them.
struct LibraryBrowserTests {
  private let browser = LibraryBrowser(library: StandInLibrary())

  /// The objects of an answer, on a server at 192.0.2.9.
  private static func objects(_ answer: LibraryBrowser.Answer) throws -> String {
    var buffer = ByteBuffer()
    answer.result.write(to: &buffer, server: "http://192.0.2.9:80")
    let xml = try #require(XMLText.leaves(of: "<a>\(String(buffer: buffer))</a>").first).text
    let start = try #require(xml.firstRange(of: ">")).upperBound
    let end = try #require(xml.firstRange(of: "</DIDL-Lite>")).lowerBound
    return String(xml[start..<end])
  }

  private static let all = DIDLFilter("*")

  private func metadata(_ id: String, _ filter: String = "*") async throws -> String {
    try Self.objects(try await browser.metadata(id, filter: DIDLFilter(filter)))
  }

  @Test func aTrackHasAllProperties() async throws {
    #expect(
      try await metadata("albums/a:1") == """
        <item id="albums/a:1" parentID="albums/a" refID="folders/f:1" restricted="1"><dc:title>Říjen &amp; &lt;more&gt;\
        </dc:title><dc:creator>Ann</dc:creator><upnp:class>object.item.audioItem.musicTrack</upnp:class><upnp:artist>Ann\
        </upnp:artist><upnp:artist>Bob</upnp:artist><upnp:artist role="AlbumArtist">Various</upnp:artist><upnp:artist \
        role="Composer">Cid</upnp:artist><upnp:author role="Composer">Cid</upnp:author><upnp:album>One</upnp:album>\
        <upnp:genre>Jazz</upnp:genre><upnp:genre>Folk</upnp:genre><dc:date>1999-05-01</dc:date><upnp:originalTrackNumber>3\
        </upnp:originalTrackNumber><upnp:originalDiscNumber>2</upnp:originalDiscNumber><upnp:albumArtURI>\
        http://192.0.2.9:80/library/covers/t1</upnp:albumArtURI><res protocolInfo="http-get:*:audio/x-flac:DLNA.ORG_OP=01;\
        DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000" duration="1:02:03.045" size="1234567" \
        bitrate="100000" sampleFrequency="44100" bitsPerSample="16" nrAudioChannels="2">\
        http://192.0.2.9:80/library/tracks/1.flac</res></item>
        """)
  }

  @Test func aTrackWithoutTagsHasNoEmptyProperties() async throws {
    #expect(
      try await metadata("folders/f:2b") == """
        <item id="folders/f:2b" parentID="folders/f" restricted="1"><dc:title>B</dc:title><upnp:class>\
        object.item.audioItem.musicTrack</upnp:class><res protocolInfo="http-get:*:audio/mpeg:DLNA.ORG_PN=MP3;\
        DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000" size="10">\
        http://192.0.2.9:80/library/tracks/2b.mp3</res></item>
        """)
  }

  @Test func theFilterSelects() async throws {
    #expect(
      try await metadata("albums/a:1", "") == """
        <item id="albums/a:1" parentID="albums/a" restricted="1"><dc:title>Říjen &amp; &lt;more&gt;</dc:title>\
        <upnp:class>object.item.audioItem.musicTrack</upnp:class></item>
        """)
    #expect(
      try await metadata("albums/a:1", "res@duration,upnp:album,@refID") == """
        <item id="albums/a:1" parentID="albums/a" refID="folders/f:1" restricted="1"><dc:title>Říjen &amp; &lt;more&gt;\
        </dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class><upnp:album>One</upnp:album><res \
        protocolInfo="http-get:*:audio/x-flac:DLNA.ORG_OP=01;DLNA.ORG_CI=0;\
        DLNA.ORG_FLAGS=01700000000000000000000000000000" duration="1:02:03.045">\
        http://192.0.2.9:80/library/tracks/1.flac</res></item>
        """)
  }

  @Test func containersHaveTheirProperties() async throws {
    #expect(
      try await metadata("0") == """
        <container id="0" parentID="-1" restricted="1" searchable="1" childCount="1"><dc:title>Music</dc:title>\
        <upnp:class>object.container</upnp:class></container>
        """)
    #expect(
      try await metadata("albums/a") == """
        <container id="albums/a" parentID="albums" restricted="1" searchable="1" childCount="2"><dc:title>One &amp; two\
        </dc:title><dc:creator>Ann</dc:creator><upnp:class>object.container.album.musicAlbum</upnp:class><upnp:artist>Ann\
        </upnp:artist><upnp:genre>Jazz</upnp:genre><dc:date>1999-01-01</dc:date><upnp:albumArtURI>\
        http://192.0.2.9:80/library/covers/ff</upnp:albumArtURI></container>
        """)
    #expect(
      try await metadata("folders/f", "") == """
        <container id="folders/f" parentID="folders" restricted="1"><dc:title>Folder</dc:title><upnp:class>\
        object.container.storageFolder</upnp:class><upnp:storageUsed>-1</upnp:storageUsed></container>
        """)
  }

  /// A playlist may contain a track twice, and URLs.
  @Test func entriesOfPlaylistsHaveIdsOfTheirOwn() async throws {
    let answer = try await browser.children(
      of: "playlists/9", filter: DIDLFilter(""), range: .init(start: 1, count: 0), sort: "")
    let title = "<dc:title>Říjen &amp; &lt;more&gt;</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>"
    let link = "<dc:title>Live</dc:title><upnp:class>object.item.audioItem.audioBroadcast</upnp:class>"
    #expect(
      try Self.objects(answer) == """
        <item id="playlists/9:1.1" parentID="playlists/9" restricted="1">\(title)</item>\
        <item id="playlists/9:.2" parentID="playlists/9" restricted="1">\(link)</item>
        """)
    #expect(try await metadata("playlists/9:1.1", "").contains("id=\"playlists/9:1.1\""))
    #expect(
      try await metadata("playlists/9:.2") == """
        <item id="playlists/9:.2" parentID="playlists/9" restricted="1">\(link)\
        <res protocolInfo="http-get:*:*:*">http://192.0.2.1/live?a&amp;b</res></item>
        """)
  }

  @Test(
    arguments: [
      (0, 0, 2, "1"), (0, 1, 1, "1"), (1, 0, 1, "2b"), (1, 100, 1, "2b"), (2, 0, 0, nil),
      (4_294_967_295, 4_294_967_295, 0, nil),
    ]
      as [(UInt32, UInt32, UInt32, String?)])
  func pagesAreCutToTheList(start: UInt32, count: UInt32, returned: UInt32, first: String?) async throws {
    let answer = try await browser.children(
      of: "albums/a", filter: Self.all, range: .init(start: start, count: count), sort: "")
    #expect(answer.numberReturned == returned && answer.totalMatches == 2 && answer.updateID == 5)
    if let first { #expect(try Self.objects(answer).hasPrefix("<item id=\"albums/a:\(first)\"")) }
  }

  @Test func sortCriteriaReachTheLibrary() async throws {
    let answer = try await browser.children(
      of: "albums/a", filter: Self.all, range: .init(start: 0, count: 1), sort: "-dc:title")
    #expect(try Self.objects(answer).hasPrefix("<item id=\"albums/a:2b\""))
  }

  @Test func aSearchFindsOriginals() async throws {
    let answer = try await browser.search(
      in: "0", criteria: "dc:title contains \"B\"", filter: Self.all, range: .init(start: 0, count: 0), sort: "")
    #expect(answer.numberReturned == 1 && answer.totalMatches == 1 && answer.updateID == 7)
    #expect(try Self.objects(answer).hasPrefix("<item id=\"folders/f:2b\" parentID=\"folders/f\" restricted=\"1\">"))
  }

  // MARK: Faults

  @Test(
    arguments: [
      ("nothing", 701), ("", 701), ("albums/ff", 701), ("albums/a:99", 701), ("albums/ff:1", 701), ("albums/a:", 701),
      ("albums/a:1.x", 701), ("albums/a:01", 701), ("playlists/9:.7", 701), ("playlists/9:.0", 701), ("../etc", 701),
      ("-1", 701),
    ])
  func unknownObjectsAreRefused(id: String, code: Int) async throws {
    let fault = await #expect(throws: ActionFault.self) { try await browser.metadata(id, filter: Self.all) }
    #expect(fault?.code == code)
  }

  @Test(
    arguments: [("nothing", "", 701), ("albums/ff", "", 701), ("albums/a:1", "", 710), ("0", "+dc:nothing", 709)])
  func childrenOfOthersAreRefused(id: String, sort: String, code: Int) async throws {
    let fault = await #expect(throws: ActionFault.self) {
      try await browser.children(of: id, filter: Self.all, range: .init(start: 0, count: 0), sort: sort)
    }
    #expect(fault?.code == code)
  }

  @Test(
    arguments: [
      ("nothing", "*", "", 710), ("albums/ff", "dc:title contains \"a\"", "", 710), ("albums/a:1", "*", "", 710),
      ("0", "dc:title", "", 708), ("0", "dc:nothing = \"a\"", "", 708), ("0", "dc:title = \"unsupported\"", "", 708),
      ("0", "dc:title contains \"a\"", "dc:nothing", 709), ("0", "dc:title = \"failed\"", "", 720),
    ])
  func searchesAreRefused(id: String, criteria: String, sort: String, code: Int) async throws {
    let fault = await #expect(throws: ActionFault.self) {
      try await browser.search(
        in: id, criteria: criteria, filter: Self.all, range: .init(start: 0, count: 0), sort: sort)
    }
    #expect(fault?.code == code)
  }
}
