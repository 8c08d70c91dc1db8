import ControlPoint
import NIOCore
import Testing

@testable import Page
@testable import UPnP

@Suite struct ArtDecisionTests {
  // MARK: Policy

  private static func policy() throws -> ArtPolicy {
    ArtPolicy(
      networks: [try #require(CIDR("192.0.2.1/24"))],
      // Loopback stays forbidden even if it is configured.
      allowed: [try #require(CIDR("10.9.0.0/16")), try #require(CIDR("127.0.0.0/8"))], ownPort: 49_494,
      ownPictures: ["/library/covers/", "/library/icon-120.png"])
  }

  @Test(arguments: [
    "http://192.0.2.9/a.jpg", "http://192.0.2.9:82/a.jpg",
    // A configured network. The internet.
    "http://10.9.0.9:81/a.jpg", "http://203.0.113.9/a.jpg",
    "https://203.0.113.9:8443/a.jpg",
    // A cover and an icon of the speaker's own library.
    "http://192.0.2.1:49494/library/covers/t1", "http://192.0.2.1:49494/library/icon-120.png",
  ])
  func connectsToAddressesOfTheSpeakersNetworksAndOfTheInternet(text: String) throws {
    let url = try #require(ArtURL(text))
    let address = try #require(url.location.address)
    #expect(try Self.policy().verdict(url) == .connect(address))
  }

  @Test(arguments: [
    "http://192.0.2.1:49494/api/art/1", "http://192.0.2.1:49494/library/tracks/1",
    "http://192.0.2.255/a.jpg", "http://127.0.0.1/a.jpg", "http://0.0.0.0/a.jpg",
    "http://169.254.169.254/", "http://239.255.255.250/", "http://10.1.0.9/a.jpg", "http://192.168.7.1/a.jpg",
    "http://172.16.0.1/a.jpg", "http://100.64.0.1/a.jpg", "http://198.18.0.1/a.jpg", "http://192.0.0.1/a.jpg",
    // Ports below 1024 other than those of web servers are refused on the internet.
    "http://203.0.113.9:25/a.jpg", "http://art.example:25/a.jpg", "https://art.example:22/a.jpg",
  ])
  func refusesTheSpeakerAndOtherNetworksOfTheHouse(text: String) throws {
    #expect(try Self.policy().verdict(try #require(ArtURL(text))) == .refuse)
  }

  @Test func asksWhatTheOtherPortsOfTheSpeakersMachineAre() throws {
    let url = try #require(ArtURL("http://192.0.2.1:8200/a.jpg"))
    let address = try #require(url.location.address)
    #expect(try Self.policy().verdict(url) == .askLocal(address))
  }

  @Test(arguments: [
    ("http://192.0.2.9/a.jpg", false), ("http://192.0.2.1:8200/a.jpg", false), ("http://10.9.0.9:81/a.jpg", false),
    ("http://203.0.113.9/a.jpg", true), ("http://art.example/a.jpg", true),
  ])
  func aServerOnTheInternetLeadsOnlyToTheInternet(text: String, isAllowed: Bool) throws {
    let verdict = try Self.policy().verdict(try #require(ArtURL(text)), isRedirected: true)
    #expect((verdict != .refuse) == isAllowed)
  }

  @Test(arguments: ["http://art.example/a.jpg", "https://art.example:8443/a.jpg"])
  func resolvesNames(text: String) throws {
    #expect(try Self.policy().verdict(try #require(ArtURL(text))) == .resolve("art.example"))
  }

  @Test(arguments: [
    (["203.0.113.9", "198.51.100.9"], "203.0.113.9"), ([], nil), (["203.0.113.9", "127.0.0.1"], nil),
    (["192.168.1.1", "203.0.113.9"], nil), (["169.254.1.1"], nil), (["239.1.1.1"], nil), (["0.0.0.0"], nil),
    // Names must not resolve to the speaker's or a configured network; URLs with such an address are allowed.
    (["192.0.2.9"], nil), (["10.9.0.9"], nil),
  ])
  func namesLeadOnlyToTheInternet(found: [String], address: String?) throws {
    let addresses = try found.map { try #require(IPAddress($0)) }
    #expect(try Self.policy().address(of: addresses) == address.flatMap { IPAddress($0) })
  }

  // MARK: Addresses

  @Test(arguments: [
    ("http://art.example/a", "/b", "http://art.example/b"), ("https://art.example/a", "/b", "https://art.example/b"),
    ("https://art.example:8443/a/c", "b", "https://art.example:8443/a/b"),
    ("https://art.example/a", "//other.example/b", "https://other.example/b"),
    ("http://art.example/a", "https://art.example/a", "https://art.example/a"),
    ("https://art.example/a", "http://192.0.2.9:81/a", "http://192.0.2.9:81/a"),
    ("http://art.example/a", "http://localhost/", nil), ("http://art.example/a", "file:///etc/passwd", nil),
    ("https://art.example/a", "https://[::1]/", nil), ("https://art.example/a", "//localhost/", nil),
  ])
  func resolvesRedirections(base: String, reference: String, result: String?) throws {
    #expect(try #require(ArtURL(base)).resolve(reference)?.description == result)
  }

  @Test(arguments: [
    ("https://art.example/", "art.example"), ("https://art.example:443/", "art.example"),
    ("https://art.example:80/", "art.example:80"), ("http://art.example:443/", "art.example:443"),
  ])
  func keepsTheNameForTheServer(url: String, authority: String) throws {
    #expect(try #require(ArtURL(url)).authority == authority)
  }

  // MARK: Links

  @Test(arguments: [
    "data:image/png;base64,AAAA", "file:///etc/passwd", "ftp://192.0.2.1/a.jpg", "http://localhost/a.jpg",
    "http://0x7f.1/", "http://2130706433/", "https://127.1/", "http://art.0x7f/", "http://art..example/",
    "http://art.example./", "/relative.jpg", "", "http://user@192.0.2.1/", "http://[::1]/",
    "http://192.0.2.1/" + String(repeating: "a", count: 2048),
  ])
  func handsOutNoKeyForWhatIsNeverFetched(url: String) {
    #expect(ArtLinks().path(for: url) == nil)
  }

  @Test func findsTheURLOfAKey() throws {
    let links = ArtLinks()
    let paths = try (1...3).map { try #require(links.path(for: "http://192.0.2.1/\($0).jpg")) }
    #expect(Set(paths).count == 3 && links.path(for: "http://192.0.2.1/1.jpg") == paths[0])
    #expect(paths.allSatisfy { $0.hasPrefix("/api/art/") })
    let keys = paths.map { String($0.dropFirst("/api/art/".count)) }
    #expect(links.source(keys[1])?.url.description == "http://192.0.2.1/2.jpg" && links.source("0") == nil)
    #expect(ArtLinks().source(keys[1]) == nil)
    // A key whose address was changed.
    let other = keys[0].prefix(32) + keys[1].dropFirst(32)
    #expect(links.source(String(other)) == nil && links.source(String(keys[1].dropLast())) == nil)
  }

  @Test func keepsEveryKey() throws {
    let links = ArtLinks()
    let first = try #require(links.path(for: "http://192.0.2.1/fïrst.jpg?a=1&b=+/")).dropFirst("/api/art/".count)
    for number in 0..<10_000 { _ = links.path(for: "http://192.0.2.1/\(number)") }
    #expect(links.source(String(first))?.url.description == ArtURL("http://192.0.2.1/fïrst.jpg?a=1&b=+/")?.description)
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

  @Test(arguments: [
    (["JPEG_TN", "JPEG_LRG"], "l", false), (["JPEG_TN"], "t", true), ([], nil, false),
  ])
  func readsTheProfilesInMetadata(profiles: [String], picture: String?, readsTrack: Bool) throws {
    let pictures = profiles.map {
      "<upnp:albumArtURI dlna:profileID=\"\($0)\">http://192.0.2.1/\($0 == "JPEG_TN" ? "t" : "l")</upnp:albumArtURI>"
    }
    let metadata = """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" xmlns:dlna="urn:schemas-dlna-org:metadata-1-0/"><item id="1" \
      parentID="0" restricted="1"><dc:title>A</dc:title><upnp:class>object.item.audioItem</upnp:class>\
      \(pictures.joined())<res protocolInfo="http-get:*:audio/flac:*" size="9">http://192.0.2.1/f</res></item></DIDL-Lite>
      """
    let links = ArtLinks()
    let source = links.path(inMetadata: metadata).flatMap { links.source(String($0.dropFirst("/api/art/".count))) }
    #expect(source?.url.description == picture.map { "http://192.0.2.1/\($0)" })
    #expect(source?.track == (readsTrack ? .init(url: try #require(ArtURL("http://192.0.2.1/f")), size: 9) : nil))
    #expect(links.path(inMetadata: "<albumArtURI") == nil)
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
