import Testing

@testable import MediaStream

struct StreamURLTests {
  @Test(arguments: [
    ("http://192.0.2.1/a", "192.0.2.1", "/a"), ("http://192.0.2.1", "192.0.2.1", "/"),
    ("http://192.0.2.1:80/", "192.0.2.1", "/"), ("HTTP://192.0.2.1:8080?a=b#c", "192.0.2.1:8080", "/?a=b"),
    ("https://example.com:443/x", "example.com", "/x"), ("http://[2001:db8::1]:81/", "[2001:db8::1]:81", "/"),
    // Byte for byte, except for what a request line cannot contain.
    ("http://h/%41%2f%zz/../a//b;c?x=[1]|{2}&y='\"", "h", "/%41%2f%zz/../a//b;c?x=[1]|{2}&y='\""),
    ("http://h/a b\t", "h", "/a%20b"), ("http://h/a\u{7}ü", "h", "/a%07%C3%BC"),
    ("http://Bücher.example:81/ü", "xn--bcher-kva.example:81", "/%C3%BC"),
    ("  http://u:p@h/ ", "h", "/"), ("http://u@v:p@h/", "h", "/"),
  ])
  func addresses(_ text: String, authority: String, target: String) throws {
    let url = try #require(StreamURL(text))
    #expect(url.authority == authority)
    #expect(url.target == target)
  }

  @Test(arguments: [
    "", "ftp://h/", "http:/h", "http://", "http://:80/", "http://h:0/", "http://h:65536/", "http://h:x/", "http://a b/",
    "http://[::1/", "http://ü.\u{FFFD}/", "/a", "http://a\r\nb/", "http://h/" + String(repeating: "x", count: 20_000),
  ])
  func otherTextsAreRefused(_ text: String) { #expect(StreamURL(text) == nil) }

  @Test(
    arguments: [
      ("http://h:81/a/b/c?d", "x", "http://h:81/a/b/x"), ("http://h/a/b/c", "../x?y", "http://h/a/x?y"),
      ("http://h/a/b/c", "../../../x", "http://h/x"), ("http://h/a/b/c", "./", "http://h/a/b/"),
      ("http://h/a/b/c", "..", "http://h/a/"), ("http://h/a?b", "?c", "http://h/a?c"),
      ("http://h/a?b", "", "http://h/a?b"),
      ("http://h/a", "/x/../y?../z", "http://h/y?../z"), ("http://h/a", "//other:81/x", "http://other:81/x"),
      ("https://h/a", "//other/x", "https://other/x"), ("http://h/a", "https://h/x", "https://h/x"),
      ("http://h/a", "HTTPS://Other/%41/../b", "https://Other/%41/../b"), ("http://h/a", "ftp://h/x", nil),
      ("http://h/a", "http://", nil), ("http://h/a", "//", nil), ("http://h/a", "b:c", nil),
      ("http://h", "x y", "http://h/x%20y"), ("http://h/a", " /x\r\n", "http://h/x"),
    ] as [(String, String, String?)])
  func references(_ base: String, reference: String, expected: String?) throws {
    #expect(try #require(StreamURL(base)).resolve(reference)?.text == expected)
  }

  /// RFC 7617 §2.
  @Test func credentials() throws {
    #expect(StreamURL("http://Aladdin:open%20sesame@h/")?.credentials == "QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(StreamURL("http://a@h/")?.credentials == "YTo=")
    #expect(StreamURL("http://h/")?.credentials == nil)
    let url = try #require(StreamURL("http://a:b@h/x"))
    #expect(url.resolve("/y")?.credentials == url.credentials)
    #expect(url.resolve("http://H:80/y")?.credentials == url.credentials)
    #expect(url.resolve("http://c:d@h/y")?.credentials == "Yzpk")
    for other in ["http://other/y", "https://h/y", "http://h:81/y", "//other/y"] {
      #expect(url.resolve(other)?.credentials == nil)
    }
  }
}
