import Testing
import UPnP

@testable import ControlPoint

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("http://192.0.2.1", "http://192.0.2.1/"), (" http://192.0.2.1:8080/a?b \n", "http://192.0.2.1:8080/a?b"),
    ("HTTP://Speaker.Local:80/x", "http://speaker.local/x"), ("http://192.0.2.1:/x", "http://192.0.2.1/x"),
    ("http://192.0.2.1?x", "http://192.0.2.1/?x"), ("http://192.0.2.1/x#part", "http://192.0.2.1/x"),
  ])
  func readsAbsoluteURLs(text: String, expected: String) {
    #expect(HTTPURL(text)?.description == expected)
  }

  @Test(arguments: [
    "", "http://", "https://192.0.2.1/", "ftp://192.0.2.1/", "http://user@192.0.2.1/", "http://[2001:db8::1]/",
    "http://192.0.2.1:0/", "http://192.0.2.1:65536/", "http://192.0.2.1:+80/", "http://192.0.2.1/a b",
    "http://192.0.2.1/\u{0}", "http://192.0.2.1/\r\nHost: x", "/a", "http:192.0.2.1",
  ])
  func refusesOtherTexts(text: String) {
    #expect(HTTPURL(text) == nil)
  }

  @Test(arguments: [
    ("/d.xml?a=1&b=%20", "/d.xml?a=1&b=%20"), ("/{1|2}[3]", "/%7B1%7C2%7D[3]"), ("/\u{E9}", "/%C3%A9"),
    ("/\"<>\\^`", "/%22%3C%3E%5C%5E%60"), ("/\r\n", "/%0D%0A"),
  ])
  func percentEncodesTheRequestTarget(target: String, expected: String) {
    #expect(HTTPURL(host: "192.0.2.1", target: target).requestTarget == expected)
  }

  @Test func refusesVeryLongURLs() {
    #expect(HTTPURL("http://192.0.2.1/" + String(repeating: "a", count: 8175)) != nil)
    #expect(HTTPURL("http://192.0.2.1/" + String(repeating: "a", count: 8176)) == nil)
    #expect(HTTPURL("http://192.0.2.1/")?.resolve(String(repeating: "a", count: 8193)) == nil)
  }

  /// The examples of RFC 3986 §5.4 that make sense without parameters and fragments.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d?y"), ("g?y", "http://a/b/c/g?y"), ("", "http://a/b/c/d?q"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"),
    ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("http://g/x", "http://g/x"),
    ("g#s/../x", "http://a/b/c/g"),
  ])
  func resolvesReferences(reference: String, expected: String) {
    #expect(HTTPURL("http://a/b/c/d?q")?.resolve(reference)?.description == expected)
  }

  @Test(arguments: ["https://192.0.2.1/", "javascript:alert(1)", "a b", "file:///etc/passwd"])
  func resolvesNothingToOtherSchemes(reference: String) {
    #expect(HTTPURL("http://a/b")?.resolve(reference) == nil)
  }
}

@Suite struct AddressPolicyTests {
  @Test(arguments: [
    ("http://192.0.2.7/", true), ("http://192.0.2.255/", false), ("http://192.0.2.0/", false),
    ("http://198.51.100.1/", false), ("http://127.0.0.1/", false), ("http://203.0.113.9/", true),
    ("http://router.local/", false),
  ])
  func allowsHostsOnTheLinkAndConfiguredOnes(url: String, isAllowed: Bool) throws {
    let policy = AddressPolicy(allowed: [try #require(CIDR("203.0.113.0/28"))])
    let networks = [try #require(CIDR("192.0.2.10/24"))]
    #expect(policy.allows(try #require(HTTPURL(url)), networks: networks) == isAllowed)
  }
}
