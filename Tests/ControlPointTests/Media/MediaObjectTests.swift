import Testing

@testable import ControlPoint
@testable import UPnP

@Suite struct MediaObjectTests {
  /// As minidlna writes it, with a vendor's element.
  private static let track = """
    <item id="64$0$3" parentID="64$0" restricted="1" refID="1$4$5"><dc:title>Tom &amp; Jerry</dc:title>\
    <upnp:class>object.item.audioItem.musicTrack</upnp:class><dc:creator>C</dc:creator>\
    <upnp:artist>A</upnp:artist><upnp:artist role="Composer">B</upnp:artist><upnp:album>L</upnp:album>\
    <upnp:genre>Jazz</upnp:genre><dc:date>2001-02-03</dc:date><upnp:originalTrackNumber>7</upnp:originalTrackNumber>\
    <dc:description>D</dc:description><sec:mood level="2">calm</sec:mood>\
    <res size="1000" duration="0:03:04.500" bitrate="176400" sampleFrequency="44100" bitsPerSample="16" \
    nrAudioChannels="2" protocolInfo="http-get:*:audio/x-flac:*">http://192.0.2.1/3.flac?a=1&amp;b=2</res>\
    <res protocolInfo="http-get:*:audio/mpeg:DLNA.ORG_PN=MP3;DLNA.ORG_CI=1">http://192.0.2.1/3.mp3</res>\
    <upnp:albumArtURI dlna:profileID="JPEG_TN">http://192.0.2.1/3.jpg</upnp:albumArtURI></item>
    """
  private static let namespaces = #"xmlns="d" xmlns:dc="c" xmlns:upnp="u" xmlns:sec="http://www.sec.co.kr/""#

  @Test func readsAnItem() throws {
    let read = MediaObjects(didlLite: "<DIDL-Lite \(Self.namespaces)>\(Self.track)</DIDL-Lite>")
    #expect(read.deviations == [])
    let item = try #require(read.objects.first)
    #expect(item.kind == .item && item.id == "64$0$3" && item.parentID == "64$0" && item.refID == "1$4$5")
    #expect(item.title == "Tom & Jerry" && item.isRestricted)
    #expect(item.artists == [.init("A"), .init("B", role: "Composer")] && item.artist == "A")
    #expect(item.creator == "C" && item.album == "L" && item.genres == ["Jazz"] && item.date == "2001-02-03")
    #expect(item.originalTrackNumber == 7 && item.description == "D")
    #expect(item.albumArtURIs == ["http://192.0.2.1/3.jpg"])
    #expect(
      item.resources == [
        MediaResource(
          uri: "http://192.0.2.1/3.flac?a=1&b=2", protocolInfo: ProtocolInfo("http-get:*:audio/x-flac:*"),
          duration: .seconds(184.5), size: 1000, bytesPerSecond: 176400, sampleFrequency: 44100, bitsPerSample: 16,
          channels: 2),
        MediaResource(
          uri: "http://192.0.2.1/3.mp3",
          protocolInfo: ProtocolInfo("http-get:*:audio/mpeg:DLNA.ORG_PN=MP3;DLNA.ORG_CI=1")),
      ])
  }

  @Test func sendsAnItemAsTheServerWroteIt() throws {
    let item = try #require(
      MediaObjects(didlLite: "<DIDL-Lite \(Self.namespaces)>\(Self.track)</DIDL-Lite>").objects.first)
    let text = item.didlLite
    #expect(text.contains(Self.track))
    #expect(text.contains(#"xmlns:sec="http://www.sec.co.kr/""#))
    // The server does not declare this namespace.
    #expect(text.contains(#"xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/""#))
    #expect(DIDLLite.isReadable(text))
    #expect(MediaObjects(didlLite: text).objects.first?.resources == item.resources)
  }

  @Test(arguments: [
    MediaObject(title: ""), MediaObject(title: "<&>\"' \u{1F3B5}", objectClass: "object.item"),
    MediaObject(.container, id: "a\"<b", parentID: "0", title: "Music", objectClass: "object.container"),
    MediaObject(
      id: "1", title: "T", creator: "C", artists: [.init("A"), .init("B", role: "Per&former")], album: "<L>",
      genres: ["Jazz", "Soul"], date: "2001", originalTrackNumber: 3, description: "D",
      albumArtURIs: ["http://192.0.2.1/a?b=1&c=2"],
      resources: [
        MediaResource(
          uri: "http://192.0.2.1/a?b=1&c=2", protocolInfo: ProtocolInfo("http-get:*:audio/L16;rate=44100:*"),
          duration: .milliseconds(3_661_007), size: 1 << 40, bytesPerSecond: 1, sampleFrequency: 8000, bitsPerSample: 3,
          channels: 4, resolution: "1x2", protection: "p"), MediaResource(uri: "http://192.0.2.1/b"),
      ]),
  ])
  func survivesWritingAndReading(object: MediaObject) throws {
    var read = try #require(MediaObjects(didlLite: object.didlLite).objects.first)
    read.source = nil
    #expect(read == object)
  }

  @Test(arguments: [
    // A text, the titles in it, and a part of an expected deviation.
    ("", [], nil),
    ("<DIDL-Lite/>", [], "declares no namespaces"),
    ("no XML", [], "is not DIDL-Lite"),
    (#"<item id="1" parentID="0"><title>A</title><class>object</class></item>"#, ["A"], "no element DIDL-Lite"),
    (#"<DIDL-Lite><d:item id="1"><dc:title>A</dc:title></d:item></DIDL-Lite>"#, ["A"], "no upnp:class"),
    ("<item><dc:title>A</dc:title></item>", ["A"], "An item has no id"),
    ("<item/><container id='1'/>", ["", ""], "no dc:title"),
    ("<item><dc:title>A & B < C</dc:title></item>", ["A & B < C"], "not written &lt;"),
    ("<item><dc:title>A\u{1}B</dc:title></item>", ["AB"], "control characters"),
    (
      "<item><title>A</title></item><item><title>B</wrong></item><item><title>C</title></item>", ["A", "C"], "left out"
    ),
    ("<item><title>A</title><item><title>B</title></item>", ["A", "B"], "no end tag"),
    ("<DIDL-Lite><item><title>A</title></DIDL-Lite>", ["A"], "no end tag"),
    ("<item id=\"1><title>A</title></item><item><title>B</title></item>", ["B"], "left out"),
    ("<item><title>A</title></item><item><title>B</ti", ["A"], "left out"),
    ("<container><title>A</title><item><title>B</title></item></container>", ["A", "B"], "no end tag"),
    ("<!-- <item/> --><item><title><![CDATA[<item>]]></title></item>", ["<item>"], "no element DIDL-Lite"),
    ("&lt;item&gt;&lt;title&gt;A &amp;amp; B&lt;/title&gt;&lt;/item&gt;", ["A & B"], "escaped twice"),
    ("<!DOCTYPE x [<!ENTITY a 'b'>]><item><title>&a;</title></item>", ["&a;"], "not written &amp;"),
    ("<item><res>u</res><res/><res duration='x' protocolInfo='a:b:c:d'>v</res></item>", [""], "invalid duration"),
  ])
  func readsLeniently(text: String, titles: [String], deviation: String?) {
    let read = MediaObjects(didlLite: text)
    #expect(read.objects.map(\.title) == titles)
    if let deviation {
      #expect(read.deviations.contains { $0.text.contains(deviation) }, "\(read.deviations)")
    } else {
      #expect(read.deviations == [])
    }
    #expect(read.unreadable == (deviation == "left out" ? 1 : 0))
    for object in read.objects { #expect(DIDLLite.isReadable(object.didlLite)) }
  }

  @Test(arguments: [
    // bitrate, size, duration, sampleFrequency; the rates that are read.
    ("14028", "70140", "0:00:05", "44100", 14028, 44100), ("112224", "70140", "0:00:05.000", "44100", 14028, 44100),
    ("112224", "", "0:00:05", "44100", 112224, 44100), ("112224", "70140", "", "128", 112224, nil),
    ("112224", "0", "0:00:00", "x", 112224, nil), ("", "1", "0:00:01", "999", nil, nil),
  ])
  func correctsRates(
    bitrate: String, size: String, duration: String, frequency: String, bytesPerSecond: Int?, sampleFrequency: Int?
  ) {
    let attributes = "bitrate='\(bitrate)' size='\(size)' duration='\(duration)' sampleFrequency='\(frequency)'"
    let resource = MediaObjects(didlLite: "<item><res \(attributes)>u</res></item>").objects.first?.resources.first
    #expect(resource?.bytesPerSecond == bytesPerSecond && resource?.sampleFrequency == sampleFrequency)
  }

  @Test func isBounded() {
    let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
    #expect(MediaObjects(didlLite: "<item>\(deep)</item><item><title>A</title></item>").objects.map(\.title) == ["A"])
    let many = MediaObjects(didlLite: String(repeating: "<item/>", count: 20_001))
    #expect(many.objects.count == 20_000 && many.deviations.count <= DeviationLog.limit)
  }
}
