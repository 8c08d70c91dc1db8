import ControlPoint
import NIOCore
import Testing

@testable import Page
@testable import UPnP

@Suite struct ArtDecisionTests {
  // MARK: Policy

  @Test(arguments: [
    ("http://192.0.2.9/a.jpg", true), ("http://192.0.2.9:8200/a.jpg", true),
    // A server on the speaker's machine, but not the speaker itself.
    ("http://192.0.2.1:8200/a.jpg", true), ("http://192.0.2.1:49494/api/art/1", false),
    // Another network, its broadcast address, a configured network.
    ("http://198.51.100.9/a.jpg", false), ("http://192.0.2.255/a.jpg", false), ("http://203.0.113.9/a.jpg", true),
    ("http://127.0.0.1/a.jpg", false), ("http://0.0.0.0/a.jpg", false), ("http://169.254.169.254/", false),
    ("http://239.255.255.250/", false), ("http://localhost/a.jpg", false), ("http://art.example/a.jpg", false),
  ])
  func allowsOnlyTheNetworksOfTheSpeaker(text: String, isAllowed: Bool) throws {
    let policy = ArtPolicy(
      networks: [try #require(CIDR("192.0.2.1/24"))],
      // Loopback stays closed also where it is configured.
      allowed: [try #require(CIDR("203.0.113.0/24")), try #require(CIDR("127.0.0.0/8"))], ownPort: 49_494)
    #expect(policy.allows(try #require(HTTPURL(text))) == isAllowed)
  }

  // MARK: Links

  @Test(arguments: [
    "data:image/png;base64,AAAA", "file:///etc/passwd", "https://192.0.2.1/a.jpg", "http://art.example/a.jpg",
    "http://0x7f.1/", "http://2130706433/", "/relative.jpg", "", "http://user@192.0.2.1/", "http://[::1]/",
    "http://192.0.2.1/" + String(repeating: "a", count: 2048),
  ])
  func handsOutNoKeyForWhatIsNeverFetched(url: String) {
    #expect(ArtLinks().path(for: url) == nil)
  }

  @Test func findsTheURLOfAKey() throws {
    let links = ArtLinks()
    let paths = try (1...3).map { try #require(links.path(for: "http://192.0.2.1/\($0).jpg")) }
    #expect(Set(paths).count == 3 && links.path(for: "http://192.0.2.1/1.jpg") == paths[0])
    #expect(paths.allSatisfy { $0.hasPrefix("/api/art/") && $0.count == 41 })
    let keys = paths.map { String($0.dropFirst("/api/art/".count)) }
    #expect(links.url(keys[1])?.description == "http://192.0.2.1/2.jpg" && links.url("0") == nil)
    #expect(ArtLinks().url(keys[1]) == nil)
  }

  @Test func forgetsTheOldestKeys() throws {
    let links = ArtLinks()
    let first = try #require(links.path(for: "http://192.0.2.1/first.jpg")).dropFirst("/api/art/".count)
    for number in 0..<10_000 { _ = links.path(for: "http://192.0.2.1/\(number)") }
    let last = try #require(links.path(for: "http://192.0.2.1/9999")).dropFirst("/api/art/".count)
    #expect(links.url(String(first)) == nil && links.url(String(last)) != nil)
  }

  // MARK: Choice

  @Test(arguments: [
    ([nil], 0, 0), (["JPEG_TN", "JPEG_LRG"], 0, 1), (["JPEG_LRG", "JPEG_MED", "JPEG_SM"], 2, 0),
    ([nil, "JPEG_TN"], 1, 0), (["JPEG_SM", nil], 1, 0), (["OTHER", "PNG_TN"], 1, 0), ([nil, nil], 0, 0),
    (["JPEG_LRG", "PNG_LRG"], 0, 0),
  ])
  func choosesBySize(profiles: [String?], list: Int, full: Int) {
    let artworks = profiles.enumerated().map { MediaObject.Artwork("\($0)", profile: $1) }
    #expect(ArtChoice.url(artworks, for: .list) == "\(list)" && ArtChoice.url(artworks, for: .full) == "\(full)")
  }

  @Test func readsTheProfilesInMetadata() {
    let metadata = """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/"><item id="1" \
      parentID="0" restricted="1"><dc:title>A</dc:title><upnp:class>object.item.audioItem</upnp:class>\
      <upnp:albumArtURI dlna:profileID="JPEG_TN">http://192.0.2.1/t</upnp:albumArtURI>\
      <upnp:albumArtURI dlna:profileID="JPEG_LRG">http://192.0.2.1/l</upnp:albumArtURI></item></DIDL-Lite>
      """
    #expect(ArtChoice.url(inMetadata: metadata, for: .list) == "http://192.0.2.1/t")
    #expect(ArtChoice.url(inMetadata: metadata, for: .full) == "http://192.0.2.1/l")
    #expect(ArtChoice.url(inMetadata: "<a", for: .full) == nil)
  }

  // MARK: Type

  @Test(arguments: [
    ([0xFF, 0xD8, 0xFF, 0xE0], ImageType.jpeg), ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png),
    (Array("GIF89a".utf8), .gif), (Array("RIFF____WEBPVP8 ".utf8), .webp), (Array("RIFF____WAVE".utf8), nil),
    (Array("<html>".utf8), nil), (Array("<svg xmlns=".utf8), nil), ([], nil), ([0xFF, 0xD8], nil),
  ])
  func recognizesPicturesByTheirFirstBytes(bytes: [UInt8], type: ImageType?) {
    #expect(ImageType(bytes) == type)
  }
}
