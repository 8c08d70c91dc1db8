import Testing

@testable import UPnP

struct CallbackURLTests {
  @Test(arguments: [
    ("http://192.168.1.20:49152/ev", "192.168.1.20", 49152, "192.168.1.20:49152", "/ev"),
    ("http://192.168.1.20", "192.168.1.20", 80, "192.168.1.20", "/"),
    ("http://192.168.1.20:", "192.168.1.20", 80, "192.168.1.20:", "/"),
    ("HTTP://192.168.1.20:8080?id=1", "192.168.1.20", 8080, "192.168.1.20:8080", "/?id=1"),
    (
      "http://192.168.1.20:8080/a%20b/ü?x=&amp;y=%2f#part", "192.168.1.20", 8080, "192.168.1.20:8080",
      "/a%20b/ü?x=&amp;y=%2f"
    ),
    ("http://192.168.1.20:8080/http://evil@/", "192.168.1.20", 8080, "192.168.1.20:8080", "/http://evil@/"),
  ])
  func reads(_ text: String, address: String, port: UInt16, authority: String, target: String) throws {
    let url = try #require(CallbackURL(text))
    #expect(url.address.description == address)
    #expect(url.port == port)
    #expect(url.authority == authority)
    #expect(url.target == target)
  }

  @Test(arguments: [
    "", "http://", "http:///ev", "https://192.168.1.20/", "ftp://192.168.1.20/", "192.168.1.20/ev", "//192.168.1.20/",
    "http://localhost/", "http://phone.local:80/", "http://user@192.168.1.20/", "http://user:pw@192.168.1.20/",
    "http://192.168.1.20@10.0.0.1/", "http://192.168.1.20:0/", "http://192.168.1.20:65536/", "http://192.168.1.20:8a/",
    "http://192.168.1.20:-1/", "http://192.168.1.20:+80/", "http://192.168.1.20:80:80/", "http://3232235796/",
    "http://0xc0a80114/", "http://0300.0250.1.20/", "http://192.168.276/", "http://192.168.1.20./",
    "http://192.168.1.20\\@10.0.0.1/", "http://192.168.1.20/a b", "http://192.168.1.20/a\r\nX: y",
    "http://192.168.1.20\t/",
    "http://fe80::1/", "http://[fe80::1]:3400/notify", "http://[::FFFF:192.168.1.20]/", "http://[fe80::1/",
    "http://[fe80::1%25eth0]/", "http://[192.168.1.20]/", "http://[fe80::1]x/",
    "http://192.168.1.20/" + String(repeating: "a", count: 2048),
  ])
  func refuses(_ text: String) {
    #expect(CallbackURL(text) == nil)
  }
}
